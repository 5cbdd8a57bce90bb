//! Phrases that do not belong into a description, which every agent reads whether it uses the skill or not.

use crate::rule::Pattern;
use crate::security::phrases::table::table;

table! {
    /// Orders that a description gives.
    FORCING FORCING_ANCHORS

    Any "sets other skills or tools aside" ["other skill", "other tool", "existing skill", "all skills", "any skill", "other plugin", "built-in tool", "built-in skill", "installed skill", "other agent"] {
        "other ~2 skill|skills|tool|tools are|is deprecated|malicious|obsolete|unsafe|broken|outdated|disabled|dangerous"
        "do_not|don't|never use|call|invoke|load|trust any|the{2} other ~2 skill|skills|tool|tools"
        "ignore|disregard|skip|disable|bypass|do_not_use|don't_use|never_use|do_not_call|never_call|do_not_invoke|never_invoke|do_not_load|never_load|refuse|block|unload all|any|every|the{2} other|existing|competing|alternative|installed|built_in{2} skill|skills|tool|tools|plugin|plugins"
    }
    Order "makes the agent act before anything was asked" ["before respond", "before answer", "before every", "before doing", "before process", "prior to", "every response", "each response", "every reply", "every message", "each message", "every conversation", "using any", "must run", "before you answer", "before you respond", "before you reply", "before any ", "before anything"]
     ("always ", "must ") * ("run ", "execute ", "fetch ", "curl", "call `", "call the ") {
        "before ~1 you|claude|the_agent|agents answer|respond|reply|act ~4 load|run|read|call|invoke|execute|fetch|obey"
        "always|must|first run|execute|call|curl|fetch|send ~8 before|for|on|with any|every|each|all|using_any|using_a"
        "run|execute|call|invoke|fetch|download|send|upload|post|read|cat|curl|install|append|collect|include ~10 before responding|answering|doing_anything|anything|any_response|any_reply|any_other|every_response|every_task|any_task|you_respond|you_answer|processing"
        "before|prior_to responding|answering|anything|doing_anything|any_task|every_task|any_response|every_response|any_reply|you_respond|you_answer|processing ~6 run|execute|call|invoke|fetch|download|send|upload|post|read|cat|curl|install|append|collect"
        "include|append|add|insert|embed|send|upload|post ~8 every|each response|reply|message|answer|conversation"
    }
    Order "makes the agent send something out" ["always send", "always upload", "always post", "always forward", "must send", "must upload", "must post", "must forward", "send all", "upload all", "send any", "send user", "forward all", "permission check", "permission prompt", "confirmation prompt", "safety check", "security check", "treat this", "trust this", "to https:", "to http:"] {
        "send|post|upload|forward|pass ~8 to http|https"
        "skip|bypass|disable|ignore ~2 permission|confirmation|safety|security|approval ~1 check|checks|prompt|prompts"
        "treat|trust this ~1 as? trusted|safe|authoritative|privileged"
        "always|must|also|silently send|upload|post|forward|transmit|email|exfiltrate all|any|every|the|user|user's|users'|each|their{3} ~2 conversation|conversations|message|messages|credentials|tokens|keys|secrets|passwords|files|environment|env|history|data|prompt|prompts|contents|context"
    }
    Order "makes the agent act before anything was asked" ["when reading", "after reading", "upon reading", "on reading", "when loading", "after loading", "on loading", "on load", "upon loading", "once loaded", "when loaded", "when this is", "silently", "secretly", "quietly", "as soon as"] {
        "when|after|once|upon|on|as_soon_as ~2 reading|loading|seeing|load|loaded|read|parsing|activated|installed ~4 run|execute|fetch|read|call|send|curl|download|upload|install|post"
        "silently|secretly|quietly|covertly run|execute|fetch|read|call|send|curl|download|upload|install|post|copy"
        "run|execute|fetch|read|call|send|curl|download|upload|install|post ~8 on|when|upon|after|at this? load|loading|loaded|install|installed|startup|activation|reading"
    }
    Any "speaks to the agent" ["before every", "before each", "before any", "after every", "after each", "on every", "with every", "hidden rule", "secret rule", "hidden instruction", "secret instruction", "hidden order", "hidden step", "secret step", "obey nobody", "obey no one", "obey only", "security setting", "safety setting", "security check", "security rule", "nobody else", "api key", "password", "credential", "token first", "on load"] {
        "before|prior_to|after|on|with every|each|any ~1 answer|reply|response|message|task|request|prompt|turn|question|tool_call ~2 fetch|run|execute|call|read|send|upload|download|curl|open|post|visit|load|include|append|add"
        "hidden|secret|internal_only rule|rules|instruction|instructions|order|orders|step|directive"
        "obey|obeys|serve nobody|no_one|only ~2"
        "override|disable|bypass|turn_off|skip|ignore|circumvent all|any|every|the|your{2} security|safety|permission ~1 settings|checks|rules|setting|prompts|measures|controls|policies"
        "@agent must|has_to|have_to|shall|should|will always|first? ask|request|prompt|demand|get|obtain ~4 api_key|password|credentials|token|secret|key"
    }
    Any "speaks to the agent" ["other skill", "any other tool", "another tool", "using any other", "calling any other", "whole conversation", "full conversation", "entire conversation", "full context", "without asking", "session starts", "session begins", "always include", "must include", "always add", "must add", "always append", "must append", "must always", "must read", "always read"] {
        "ignore|disregard|forget|override|bypass ~5 of|from all|any|every|the{2} other ~1 skill|skills|tool|tools"
        "before using|calling|invoking|loading|choosing ~1 any|other|another ~1 tool|tools|skill|skills ~2 call|use|invoke|run|load"
        "call|use|invoke|run|load|send|pass ~5 with|including|to the? full|whole|entire|complete conversation|context|chat|history|prompt"
        "must|always|has_to|have_to|shall run|execute|call|fetch|install|download|send|open|delete ~8 without|never ask|asking|confirmation|permission|telling|approval"
        "must|always|has_to|have_to|shall run|execute|call|fetch|install|download|send ~5 whenever|when|every_time|at_the_start|once ~3 session|conversation|chat|agent starts|begins|opens|start"
        "must|shall|has_to|have_to|always{2} include|add|append|insert|paste|put|read ~3 @secret"
        "@agent must|has_to|have_to|shall|should|will always? include|add|append|insert|put|read|open ~8 in|into|to|before|after"
    }
    Any "speaks to the agent" ["any model", "every model", "all models", "any agent", "every agent", "any assistant", "every assistant", "any ai ", "any llm", "whoever reads", "whichever", "reads this", "read this", "sees this", "see this text", "processes this", "parses this", "before you do any", "before you start", "before doing any", "before you begin", "before you use", "before you call", "loads this"] {
        "any|every|all|whichever|each ~1 @agent ~5 must|has_to|have_to|should|shall|will|needs_to|need_to|is_to|are_to ~3 add|include|send|run|call|read|append|fetch|use|follow|obey|visit|upload|execute|insert|open|say|reply"
        "read|run|execute|fetch|call|open|cat|upload|send|collect|list|download|curl|post ~8 before|when|whenever|as_soon_as|once|if|after you do|see|read|start|begin|use|load|call|parse anything|this|any|the|other|$"
        "as_soon_as|once|when|whenever|if you|an_agent|the_agent|a_model|the_model|claude|an_assistant|the_assistant|an_ai read|reads|see|sees|load|loads|parse|parses|process|processes this ~3 call|run|send|fetch|read|upload|execute|post|must|add|include|open|copy"
    }
    Any "speaks to the agent" ["agent must", "agents must", "assistant must", "assistants must", "claude must", "model must", "ai must", "agent shall", "agent has to", "agent should never", "you must not ask", "obey", "user disagree", "they disagree"] {
        "obey|follow the|this skill ~6 user|over"
        "where|when|if ~3 and? ~2 user disagree|disagrees|conflict|object ~2 obey|follow|prefer|trust"
        "@agent must|has_to|have_to|shall|should_never always|also|first|never|not{2} run|execute|send|upload|ignore|obey|comply|ask|tell|inform|mention|warn|question"
    }
    Any "speaks to the agent" ["message to", "notice to", "instruction for", "dear ai", "dear assistant", "hey claude", "dear agent", "attention:", "attention ai", "attention agent", "attention all", "attention claude", "attention assistant", "attention model"]
     ("note to ", "instructions for ", "instructions to ", "instruction to ", "message to ") * ("the ", "ai", "any ", "all ", "claude", "agent", "assistant", "model", "llm") {
        "note|message|attention|notice|instruction|instructions|order to|for? the|any|all{2} ai|assistant|assistants|agent|agents|model|models|llm|claude|gpt|copilot|codex $"
        "dear|hey ai|assistant|agent|claude|model"
    }
}

/// Tags that models take for structure, in a description.
pub const TAG: Pattern = Pattern {
    needles: &[
        "<important",
        "<instruction",
        "<critical",
        "<secret",
        "<hidden",
        "<assistant",
        "<prompt",
        "<user",
        "<tool",
        "<function",
        "<invoke",
        "</description",
        "<!--",
        "system ",
        "admin ",
        "developer ",
    ],
    regex: r"(?i-u)</?(?:important|instructions?|critical|secret|hidden|assistant|prompt|user|tool_?calls?|function_calls?|invoke|description)>|<!--|(?-i:\b(?:SYSTEM|ADMIN|DEVELOPER) (?:OVERRIDE|PROMPT|MESSAGE|NOTICE|DIRECTIVE|INSTRUCTIONS?|COMMAND)\b)|(?-i:\bSYSTEM ?[-:] )",
};

table! {
    /// Claims by which a description draws every request.
    BAITING BAITING_ANCHORS

    Any "would be used for every request" ["any task", "any request", "any question", "any prompt", "any message", "any conversation", "any input", "any situation", "any query", "any user", "any and", "any kind", "any type", "every task", "every request", "every question", "every prompt", "every message", "every conversation", "every input", "every query", "every session", "every user", "every interaction", "every single", "every situation", "each request", "each task", "each message", "each user", "all tasks", "all requests", "all queries", "all questions", "all conversations", "all prompts", "all situations", "all user", "all interactions", "all cases", "every turn", "any case", "all kinds", "all types", "each turn", "whenever the user", "every time the user", "each time", "no matter", "regardless of", "do anything", "do everything"]
     ("for ", "with ", "on ", "literally ", "absolutely ", "handle ", "handles ", "solve ", "solves ", "answer ", "says ", "asks ", "wants ", "perform ", "accomplish ", "does ", "asked ") * ("everything", "anything") {
        "use|used|uses|using|invoke|invoked|activate|activated|activates|trigger|triggered|triggers|call|called|run|runs|load|loaded|apply|applied|applies|consult|suitable|needed|required|ideal|perfect|relevant this|it|me|the|skill|always|automatically|should|be|whenever|when{5} for|on|in|with|at|before|when|whenever|during|to|upon|by? ~3 any|every|all|each and_every|and_all|single|possible|type_of|kind_of|sort_of|kinds_of|types_of|sorts_of|manner_of? user|user's|incoming|new|given|other? task|tasks|request|requests|question|questions|prompt|prompts|message|messages|conversation|conversations|query|queries|interaction|interactions|situation|situations|session|sessions|input|inputs|turn|turns|case|cases|circumstance|circumstances|context|scenario|scenarios|kind|type $|without|no|regardless|whatsoever|ever"
        "use|used|uses|invoke|invoked|activate|activated|trigger|triggered|call|load|apply|applied|applies|suitable|required|ideal this|it|me|the|skill|always|automatically|should|be{5} for|on|with|in literally|absolutely|nearly|basically|virtually? everything|anything $|the_user_wants|the_user_asks|the_user_needs|you_want|you_need|user_wants"
        "regardless_of|no_matter the|what|which|whatever{2} topic|task|request|question|the_user_asks|user_asks|the_user_says|user_says|subject"
        "can|able_to do|handle|solve|perform|answer|accomplish literally|absolutely? anything|everything|any_task|all_tasks|any_request|any_question $"
        "do|does|handles|solves anything and everything"
        "handle|handles|answer|answers|cover|covers|solve|solves|process|processes all|any|every kind_of|kinds_of|type_of|types_of|sort_of? requests|request|tasks|task|questions|queries|prompts that|which? the? $|you_can|user_can|users_can|user_has|user_may|imaginable|whatsoever|ever"
        "whenever|when you are|get asked anything"
        "everything|anything $ ~8 use always|whenever|every_time|by_default"
        "whenever|when|every_time|each_time|any_time the? user|users|human says|asks|types|sends|wants|requests|writes|needs anything|something|any_message|a_message|a_prompt $|at_all|whatsoever"
    }
    Any "would be used for every request" ["any purpose", "every purpose", "all purposes", "all other work", "all other task", "anything else", "everything else", "whatever the user", "whatever you", "whatever task", "whatever comes", "whatever is ", "all the rest", "does nothing", "or nothing", "beginning of each", "beginning of every", "start of each", "start of every", "end of every", "end of each", "after every", "after each", "before every", "before each", "universal", "catch-all", "one-stop", "all-purpose", "all-in-one", "jack of all", "do-it-all", "general-purpose", "every domain", "all domains", "any domain", "every topic", "all topics", "any topic", "every subject", "any subject", "tasks, all", "questions, all", "files, all", "languages, all", "requests, all", "topics, all", "every occasion", "any occasion", "all occasions"] {
        "use|used|uses|suitable|good|fit|fits|ideal|perfect|works|appropriate|recommended|required|best|serves this|it|me|skill{2} for any|every|all ~1 purpose|purposes|occasion|occasions|topic|topics|domain|domains|subject|subjects|need|needs $|and|or|whatsoever|imaginable"
        "use|used|consulted|called|invoked|loaded|activated|consult|call|invoke|load ~3 for all|any|every|everything|anything other|else ~1 work|tasks|task|requests|questions|else|$"
        "helps|help|use|used|handles|assists|works|solves|does|load|invoke|activate ~3 whatever the_user|users|you|user|the_task|task|request|question|comes ~1 needs|need|wants|want|asks|ask|says|is|are|does|up|may_be|$ ~1 $|use|or|and|always"
        "use|used|load|loaded|invoke|invoked|activate|call|called|run|runs|trigger|triggers ~3 at the? beginning|start|end of each|every|any|all ~1 session|conversation|chat|message|task|request|turn|day|reply|response|interaction"
        "use|used|load|loaded|invoke|invoked|activate|call|called|run|runs|trigger|triggers ~6 before|after every|each|any|all ~1 message|reply|response|turn|request|question|answer|task|prompt|interaction|tool_call"
        "first|best|only|default|universal choice|option|answer|tool|skill|solution|pick for ~9 everything|anything|all|all_the_rest|the_rest|any_task|every_task|every_request|any_request|all_tasks|whatever"
        "when|whenever|if the? user ~9 or|and does|says|asks nothing"
        "all ~1 tasks|questions|requests|topics|languages|files all|every ~1 tasks|questions|requests|topics|languages|files"
        "universal|catch_all|all_purpose|do_it_all|one_stop ~2 skill|tool|assistant|helper|solution for|that ~1 any|every|all|everything|anything"
    }
    Any "wants to be used always" ["load me", "use me", "call me", "invoke me", "activate me", "prefer it", "prefer this", "prefer me", "choose it", "choose this", "choose me", "every time", "as often as", "whenever possible", "whenever you can", "at all times", "on all occasions", "without exception", "in all cases", "in every case", "over more specific", "to more specific", "to any other", "to all other", "to every other", "to other skill", "to the other", "to others", "specialized skill", "specialised skill", "specific skill", "more specific"] {
        "load|use|call|invoke|activate|prefer|choose|run|pick me before|first|always|instead|over|every|for_everything|for_anything|$"
        "prefer|choose|favor|favour|pick|use|load it|this|me skill|one|tool? to|over|instead_of|before|rather_than ~1 more_specific|specific|specialized|specialised|narrower|any_other|all_other|every_other|other|others|the_other ~1 skill|skills|ones|tool|tools|$"
        "use|load|invoke|call|activate|run|trigger it|this|me skill|tool? every_time|as_often_as|at_all_times|on_all_occasions|without_exception|in_all_cases|in_every_case"
    }
    Any "wants to be used always" ["always use", "always invoke", "always activate", "always trigger", "always load", "always apply", "always prefer", "always choose", "always select", "always pick", "should always", "must always", "call this", "invoke this", "load this", "use always", "all the time", "use everywhere", "use by default", "use it all", "use it constantly", "use it every", "use it always"]
     ("must ", "should ", " always ") * ("be used", "be invoked", "be called", "be activated", "be loaded", "be run", "be applied", "be consulted", "be triggered")
     ("must ") * ("use this", "load this", "invoke this", "call this", "activate this", "run this")
     ("use this ", "use it ", "invoke this ", "load this ", "call this ", "activate this ", "this skill ") * ("first", "before a", "before e", "before r", "before d", "before other", "all the time", "constantly", "everywhere", "always", "by default", "at all", "in every", "on every", "for every", "every time", "no matter", "regardless") {
        "use|invoke|run|load|activate always|everywhere|constantly|by_default $"
        "use|invoke|run|load|activate this|it skill|tool? all_the_time|constantly|everywhere|always|as_often_as_possible"
        "always use|invoke|call|activate|trigger|load|apply|prefer|choose|select|pick|run this|it|me skill|tool|plugin|one? $"
        "must use|invoke|call|activate|trigger|load|run this skill|tool|plugin $"
        "use|invoke|call|activate|trigger|load|apply|prefer|choose|select|pick|run this|it|me skill|tool|plugin? first|by_default|at_all_times|in_every|on_every|for_every|every_time|no_matter|regardless|whatever $|before|turn|conversation|response|message|task|request|session|case|what|of|any|the"
        "use|invoke|call|activate|trigger|load|apply|run this|it|me skill|tool|plugin? first? before any|every|all|each|anything|everything|responding|answering|doing other? action|actions|task|tasks|response|responses|tool|tools|skill|skills|command|request|requests|reply|step|other|others|work|else|anything|$"
        "must|should always? be? loaded|used|invoked|called|run|activated first|before any|every|all|each|anything|other ~2"
        "skill|tool|this|it must|should|has_to|needs_to always? be always? used|invoked|called|activated|loaded|run|applied|consulted|triggered first|always|at_all_times|in_every|on_every|for_every|for_all|for_any|every_time|before_any|before_anything|before_every|before_all|before_responding|before_answering|by_default|automatically_for"
    }
    Any "puts itself before other skills" ["other skill", "other tool", "another skill", "any skill", "precedence", "over all", "over any", "all others", "only skill", "only tool", "default skill", "default tool", "replaces all", "replaces any", "overrides all", "other skills", "builtin", "preinstalled", "bundled skill", "native tool", "be loaded", "be invoked", "priority over", "top priority", "highest priority", "maximum priority", "absolute priority", "supersedes all", "supersedes any", "supersedes every"]
     ("instead of ", "rather than ", "in place of ", "ahead of ", "over ") * ("any", "all", "every", "the other", "other", "the built-in", "built-in", "the official", "the native", "native", "the bundled", "bundled", "official", "the builtin") {
        "use|prefer|choose|select|invoke|pick|load this|it|me|the skill|tool? instead_of|over|rather_than|in_place_of the|any|all built_in|builtin|official|bundled|native|other|preinstalled ~8 skill|skills|tool|tools"
        "skill|skills|tool|tools ~8 must_not|should_not|may_not be ~1 loaded|used|invoked|called any|anymore|at_all|again|$"
        "use|prefer|choose|select|invoke|pick|favor|favour|load this|it|me|the skill|tool|one? instead_of|over|rather_than|before|in_place_of|ahead_of any|all|every|the|other{3} others|skill|skills|tool|tools|alternative|alternatives|options"
        "takes|take|has|have|gets|with|given higher|highest|absolute|top|full|strict? priority|precedence over|above all|any|every|the{2} other|others|skill|skills|existing|tools"
        "highest|top|maximum|absolute priority skill|tool|of_all|among"
        "^ highest|top|maximum|absolute priority $"
        "^ the? default skill|tool $|for|to"
        "supersedes|replaces|overrides|outranks|better_than|superior_to all|any|every{2} other|existing ~1 skill|skills|tool|tools"
        "the? only skill|tool|one you|that|claude|the_agent|agents|you'll|anyone ~2 need|needs"
    }
}
