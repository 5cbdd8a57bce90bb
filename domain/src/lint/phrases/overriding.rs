//! Phrases that take an agent's instructions away, or put others in their place.

use super::table::table;
use crate::lint::rule::Pattern;

table! {
    /// Orders and claims in English.
    OVERRIDING OVERRIDING_ANCHORS

    Order "sets other instructions aside" ["ignor", "disregard", "neglect", "forget all", "forget any", "forget every", "forget what", "forget your", "forget the", "forget about", "forget prev", "forget prior", "forgetting", "abandon your", "abandon all", "dismiss all", "dismiss any", "dismiss prev", "dismiss prior", "dismiss your", "dismiss the prev", "discard all", "discard any", "discard prev", "discard prior", "discard your", "discard the", "forget orig", "abandon the"] {
        "@ignore all|every instructions|rules|guidelines|directives ."
        "@ignore @small{3} ~1 guidance|instructions|rules|training|guidelines you received|got|have_received|learned|were_given|had ~1 from"
        "@ignore about? @small{4} @earlier ~4 @told"
        "@ignore about? all|any|every of? the|your|my? @earlier ~2 message|messages|context|conversation|conversations|input|inputs|text"
        "@ignore @small{4} existing|current|default|other|internal|standing ~1 instructions|guidelines|directives|prompts"
        "@ignore about? all? of? your ~3 @own"
        "@ignore all|any|every|the|these|those of? the? instructions|rules|guidelines|directives|restrictions|constraints|commands|orders|prompts|guardrails|safeguards you|given|above|before|preceding|prior|except|other_than|but_these|but_this|but_mine|until|so_far|up_to"
        "@ignore all|any|every instructions|rules|guidelines|directives|commands from the? user|users|system|developer|developers|operator|anthropic|openai|your|earlier|previous|above"
        "@ignore about? everything|anything|whatever|what that|which|else? above|before|prior|previous|previously"
        "@ignore about? all that|the? above|before|prior|previous $"
        "@ignore about? everything|anything|all|whatever|what that? you've|you_have|you_were|you_had been? told|instructed|given|taught|learned|learnt|asked"
        "@ignore all|every instructions|rules|guidelines|directives and"
        "@ignore the|all|all_the above|foregoing|preceding $|and|then"
        "@ignore ~1 whatever|anything|everything|what the|your user|users says|said|asks|asked|wants|tells|requests"
        "@ignore about? everything|anything|all|whatever|what that|which? i_said|i_told|was_said|has_been_said|was_written|came_before|precedes|preceded|you_know"
    }
    Order "sets other instructions aside" ["attention to", "never mind", "set aside", "put aside", "leave aside", "cast aside", "push aside", " aside ", " aside,"]
     ("stop ", "cease ", "quit ") * ("following", "obeying")
     ("not ", "never ", "n't ", "longer ", "not\n") * ("follow", "obey") {
        "stop|cease|quit following|obeying @small{3} @before ~3 @told"
        "do_not|don't|no_longer|never follow|obey @small{3} @before ~3 @told"
        "@dont follow|obey the|any|all{2} instructions|rules|orders|guidelines|commands from|by|of|given_by|issued_by|set_by the|your{2} developer|developers|system|user|anthropic|openai|operator|vendor"
        "set|put|leave|cast|push aside everything|anything|all|what|whatever"
        "pay no attention to @small{3} @before ~3 @told"
        "set|put|leave|cast|push aside @small{3} @before ~3 @told"
        "set|put|leave|cast|push @small{3} @before ~3 @told aside"
        "never mind @small{3} @before ~3 @told"
    }
    Order "overrides other instructions" ["circumvent", "supersede", "overrul", "nullif", "erase", "wipe", "clear your", "reset your", "begin new", "start new", "begin the", "start the new", "execute the real", "cancels", "overrid", "bypass", "cancel all", "cancel any", "cancel your", "cancel prev", "cancel the prev", "suspend all", "suspend any", "suspend your", "suspends all", "invalidate all", "invalidate any", "invalidate prev", "invalidates", "override all"] {
        "reset|clear|wipe|forget your context|memory|mind|state and ~1 start|begin|follow|obey|forget|adopt"
        "now begin|start|execute the? new|real|actual task|instructions|mission"
        "overrid*|bypass*|circumvent*|supersede*|overrul*|cancel|cancels|nullif*|invalidate*|erase|wipe|suspend*|clear|reset @small{4} @before ~3 instructions|prompt|prompts|rules|guidelines|directives|orders|programming|restrictions|constraints|safeguards|guardrails|policies|policy|message|messages"
    }
    Any "declares other instructions void" ["obsolete", "cancelled", "canceled", "superseded", "irrelevant", "revoked", "longer apply", "longer valid", "not apply", "n't apply", "is fake", "are fake", "longer count", "longer bind", "null and void"]
     ("is ", "are ", "as ", "be ", "now ", "officially ", "considered ") * ("void", "invalid", "outdated") {
        "@before ~3 @told ~2 are|is|as|were|be now|all|hereby|considered|officially{2} void|obsolete|invalid|cancelled|canceled|superseded|irrelevant|null|revoked|fake|outdated"
        "@before|all|any|the ~2 @told above|before|you_received|you_were_given|you_have_been_given|given_to_you|you_got|from_before ~3 are|is|do_not|don't|no_longer void|obsolete|invalid|cancelled|canceled|superseded|irrelevant|fake|apply|valid|count|binding|outdated"
        "your|all_previous|all_prior|all_earlier|previous|prior|earlier ~3 @told no_longer|do_not|don't|does_not apply|applies|count|hold|matter|bind"
        "everything|anything|all|whatever above|before|you_were_told|you_have_been_told|the_system_prompt_says|the_system_prompt|the_user_says ~4 is|are void|obsolete|invalid|superseded|irrelevant|fake|wrong|revoked"
        "the? system_prompt|system_message ~3 is|are void|obsolete|invalid|superseded|fake|revoked|outdated"
    }
    Any "sets other instructions aside" ["whatever you", "as if you", "as though you", "received a system", "anything you"] {
        "whatever|anything you were|have_been|had_been told|instructed|taught ~1 before|earlier|previously|so_far|$"
        "as_if|as_though you ~3 never|not|no|without ~4 system_prompt|instructions|rules|guidelines|restrictions|training"
    }
    Order "lifts the agent's safety" ["ethic", "moral", "content polic", "content filter", "content restrict", "content guide", "usage polic", "safety and", "safety or", "safety/"]
     ("safety ", "alignment ", "moderation ") * ("guideline", "rule", "polic", "restrict", "constraint", "guardrail", "safeguard", "training", "protocol", "filter", "limit", "measure", "mechanism", "check", "consider", "concern", "standard", "principle", "layer")
     ("your ", "all ", "any ", "the ", "ai ", "model ", "built-in ") * ("guardrails", "safeguards") {
        "@lift @small{4} ~2 @safe @safe|and|or|content|security|legal{4} guideline|guidelines|rules|policy|policies|restrictions|constraints|guardrails|safeguards|training|protocol|protocols|filter|filters|filtering|limits|limitations|measures|mechanisms|checks|considerations|concerns|standards|principles|layer|layers"
        "@lift @small{4} ~1 content policy|policies|filters|filter|restrictions|guidelines|moderation"
        "@lift @small{4} ~1 usage policy|policies"
        "@lift @small{4} your|ai|model|built_in|llm{2} guardrails|safeguards"
    }
    Any "claims that the agent's limits are gone" ["switched off", "turned off", "deactivated", "longer appl", "not apply", "n't apply", "policy appl", "policies appl", "rules appl", "to bypass", "to circumvent", "to violate", "no restriction", "no limitation", "no guardrail", "no filters", "no safeguards", "no guidelines", "bind ", "zero restrictions", "concern you", "to ignore all", "to ignore any", "to ignore the", "to ignore your", "to override all", "to override any", "to override the", "to override your", "to disable all", "to disable any", "to disable the", "to disable your", "not restrict you", "not restrict me", "as void", "lifted", "suspended", "revoked", "waived", "hereby"]
     ("been ", "are ", "now ", "is ") * ("disabled", "removed", "void") {
        "you have no|zero ~2 restrictions|restriction|limitations|guardrails|filters|rules|safeguards|guidelines $|on|and|or|while|when|here|now|any_more|at_all"
        "policies|policy|rules|guidelines|filters|guardrails|restrictions ~2 do_not|don't|does_not|no_longer|never|cannot bind|restrict|limit|constrain|concern|bound you|him|her|it|me|them|this|here"
        "consider|treat|regard|assume @small{2} ~2 @limits as? suspended|void|lifted|disabled|off|gone|removed"
        "authorization|permission|authority|clearance|allowed|authorized|free to bypass|ignore|override|disable|circumvent|violate @small{2} ~3 restrictions|rules|safety|policies|guidelines|safeguards|guardrails|limits"
        "your ~3 restrictions|constraints|limitations|guardrails|safeguards|guidelines|policies|protocols|training|rules are|is|have_been|has_been now|hereby|temporarily|all|fully? @gone"
        "@safe ~2 @limits are|is|have_been|has_been|were now|hereby|temporarily|all|fully? @gone"
        "all prior|previous|earlier|system ~2 @limits are|have_been|were now|hereby|temporarily? @gone"
        "safety|content|ethical|usage ~1 policy|policies|rules|guidelines|restrictions do_not|does_not|don't|no_longer|doesn't apply|applies"
        "no content|safety|usage|ethical ~1 policy|policies|rules|guidelines|restrictions|filter|filters applies|apply|exist|exists"
        "your|safety|usual|normal ~2 @limits do_not|does_not|don't|no_longer|doesn't apply|applies"
    }
    Any "claims that the agent's limits are gone" ["bound by", "restricted by", "limited by", "constrained by", "subject to", "free from", "freed from", "free of"] {
        "you're|you_are now? no_longer|not|never bound|restricted|limited|constrained by @small{3} ~4 @limits"
        "you're|you_are now? no_longer|not subject to @small{3} ~4 @limits"
        "you're|you_are now? free|freed from|of @small{3} ~4 @limits"
    }
    Any "gives the agent an identity without limits" ["anything now", " dan", "override:", "jailbreak", "without limit", "with no limit", "without restrict", "without consequence", "uncensored", "unfiltered", "unrestricted", "jailbroken", "amoral", "unaligned", "now in debug", "now in admin", "now in maint", "now in root", "now in diag", "to an admin", "to the admin", "to admin", "with admin", "with an admin", "to the developer", "with the admin", "to root"]
     ("unrestricted ", "unfiltered ", "uncensored ", "unlimited ", "god ", "dan ", "jailbreak ", "jailbroken ", "evil ", "sudo ", "superuser ", "developer ", "dev ", "unlocked ", "no-limits ") * ("mode")
     ("unrestricted ", "uncensored ", "dan ", "evil ", "jailbroken ") * ("persona", "state") {
        "as|like|is a|an|the @wild ~1 model|ai|assistant|llm|chatbot|agent|version|self"
        "you're|you_are speaking|talking to|with an|a|the|your? admin|administrator|developer|root|creator"
        "pretend|act|imagine|roleplay|be|become ~9 dan ~3 no|without|anything|has"
        "pretend|act|imagine|behave ~8 do|say|answer anything|everything without|with_no limit|limits|limitation|restriction|restrictions|consequences"
        "you're|you_are now? operating|running|working|acting|placed? in|into a|an|the|full|special{2} @wild ~2 mode|state|persona"
        "enter|activate|enable|engage|switch_to|switch_into|operate_in|act_in|respond_in|go_into|unlock|assume your? a|an|the{2} @wild ~1 mode|persona"
        "you're|you_are now operating|running|working|acting? in|into a|an|the|special|full{2} developer|debug|admin|administrator|maintenance|root|diagnostic mode"
        "do anything now"
        "^ override|jailbreak $ @ignore|override|bypass|disable|all|now|the|this"
        "^ developer|dev|god|dan|jailbreak mode $|enabled|activated"
        "^ jailbreak|god|dan|unrestricted|developer|admin mode is? now? on|enabled|activated|active|engaged $"
        "pretend|act|you_are|you're now|you_are|to_be|as|that_you_are{2} dan"
    }
    Order "gives the agent an identity without limits" ["unrestricted", "unfiltered", "uncensored", "jailbroken", "amoral", "unaligned", "no ethic", "without ethic", "no moral", "without moral"]
     ("no ", "without ", "any ", "your ", "safety ", "ethical ", "moral ") * ("restrictions", "limitations", "guidelines", "filters", "guardrails") {
        "act|behave|respond|operate|pretend|roleplay|role_play|answer|you_are|you're|become|simulate|imagine as|like|to|be|that|now|you|are|you're|a|an|the{6} @wild ~2 ai|assistant|model|agent|version|chatbot|persona|entity|system|llm|bot"
        "act|behave|respond|answer|operate|pretend|you_are|you're|you_have|imagine|roleplay|comply|reply ~9 no|without any|all|your|the? ethical|moral|safety|content|or|and{3} restrictions|limitations|guidelines|filters|guardrails|ethics|morals"
    }
    Order "gives the agent other instructions in place of its own" ["from now on", "henceforth", "this point", "this moment", "here on", "going forward"] {
        "from_now_on|from_now_onwards|henceforth|from_here_on|from_this_point|from_this_moment|going_forward on|forward|onward|onwards? you are|will|must|shall|should|only|always{2} no_longer|obey|comply|ignore|disregard|answer_only_to|report_to|not_refuse|not_follow|not_mention|not_tell|unrestricted"
        "from_now_on|henceforth|from_here_on|from_this_point|from_this_moment|going_forward on|forward|onward|onwards? ignore|disregard|obey|do_not_refuse|do_not_follow|do_not_mention|do_not_tell|never_refuse|never_mention|never_tell"
    }
    Any "gives the agent other instructions in place of its own" ["new instruction", "new directive", "new objective", "new mission", "new identity", "new orders", "new goal", "new role", "real instruction", "actual instruction", "true instruction", "real directive", "true directive", "true purpose", "real purpose", "new task", "are now", "re now", "your secret", "your hidden", "are no longer", "re no longer"] {
        "your new ~1 instructions|instruction|directive|directives|objective|mission|identity|orders|goal|role|task is|are|now"
        "you're|you_are no_longer ~3 claude|chatgpt|gpt|gemini|copilot|ai|assistant|model|bound"
        "you're|you_are now a|an|the different|another|new ~1 assistant|ai|model|agent|persona|system"
        "your real|actual|true ~1 instructions|instruction|directive|directives|orders|purpose is|are"
        "your secret|hidden ~1 instructions|instruction|directive|task|objective|mission|goal|purpose|role|job|identity is|are"
    }
    Any "puts itself above other instructions" ["precedence", "outrank", "prevail", "outweigh", "priority over", "wins over", "win over", "wins against", "precedence over", "supersedes all", "supersedes any", "supersedes the", "supersedes your", "supersede all", "supersede any", "supersede the"]
     ("highest ", "final ", "ultimate ", "absolute ", "supreme ", "only ") * ("authority", "priority", "law", "instruction")
     ("replace ", "replaces ", "override ", "overrides ") * ("all", "any", "every", "the ", "your", "prev", "prior", "what", "orig", "system", "user", "other")
     ("conflict with ", "conflicts with ", "contradict ", "contradicts ") * ("the ", "your", "any", "safety", "system", "user", "dev") {
        "treat|consider this|these ~2 as the? highest|final|ultimate|absolute|supreme|only authority|priority|instruction|instructions|law"
        "this|these ~3 is|are the? highest|final|ultimate|supreme|absolute authority"
        "this|these|the ~3 wins|win|prevail|prevails|outweigh|outweighs|beats over|against|the|all|any|every{2} ~3 system|user|prompt|safety|developer"
        "this|these|content_of_this ~4 overrides|override|supersedes|supersede anything|everything|all|the ~5 system|claude|developer|safety|user prompt|md|instructions|rules|message"
        "if|when|where ~4 conflict|conflicts|contradict|contradicts with? ~3 safety|system|user|user's|developer|policy|policies ~6 follow|prefer|use|obey|apply these|this|mine"
        "these|this|my|following|below ~4 override|overrides|supersede|supersedes|replace|replaces|outrank|outranks|take_precedence_over|takes_precedence_over|take_priority_over|takes_priority_over|have_priority_over|has_priority_over all|any|every|the|your|everything|other{3} previous|previously|prior|earlier|preceding|system|developer|safety|original|user|user's|anthropic's|openai's ~3 instructions|instruction|prompt|prompts|rules|guidelines|directives|policies|policy|messages|requests|wishes"
        "these|this|my|following|below ~4 override|overrides|supersede|supersedes|replace|replaces|outrank|outranks|take_precedence_over|takes_precedence_over|take_priority_over|takes_priority_over everything|anything|whatever|all that|which|else? you|the_user|the_system|anyone|above|before"
    }
    Order "keeps the agent from refusing" ["refus", "declin", "say no", "push back", "never deny", "not deny"]
     ("n't ", "not ", "unable to ", "won't ", "’t ") * ("help", "assist", "comply") {
        "do_not|don't|never|must_not|must_never|may_not|should_never|not_allowed_to|not_permitted_to ever? refuse|decline|deny|say_no|push_back to|on|any|a|an|the|this|these|that|user|user's|requests|request|anything|commands|instructions|orders|my|me{2} user|user's|requests|request|anything|commands|command|instructions|orders|tasks|task|answer|comply|help|assist|me|on|do|based|for|because"
        "do_not|don't|never|must_never refuse $"
        "do_not|don't|never|must_never ever? say no $|to"
        "do_not|don't|never say|claim|respond|reply|answer that|with|you|i|with_i{3} cannot|can't|unable|won't|can_not|not ~2 help|assist|comply"
        "refusal|refusals|refusing is|are not_allowed|forbidden|not_permitted|prohibited|not_an_option|unacceptable"
    }
    Any "keeps the agent from refusing" ["agree with", "agree to", "without objection", "no limits", "no limit", "without question", "without hesitation", "question these", "question this", "doubt th", "without moral", "without ethical", "no need", "declining", "refusing", "fulfilled", "granted", "obeyed", "satisfied", "off limits", "off-limits", "taboo", "out of bounds", "never refuse", "never decline", "never object", "not object", "doesn't object", "whatever the", "whatever this", "whatever it", "whatever i ", "whatever you"]
     ("comply ", "obey ") * ("with", "the", "every", "any", "all", "whatever", "each", "this") {
        "declining|refusing|refusals|hesitating|objecting ~8 is|are ~1 mistake|forbidden|wrong|not_allowed|error|unacceptable|failure|prohibited|bug"
        "every|all|any|each ~1 request|requests|demand|demands|wish|wishes ~1 must|is_to|are_to|has_to|should|shall|will be? fulfilled|granted|obeyed|honoured|honored|satisfied"
        "nothing|no_topic|no_topics|no_request|no_subject|no_question is|are ~1 off_limits|forbidden|taboo|prohibited|out_of_bounds|too_sensitive|refused|declined"
        "you|he|she|it|that|who never|doesn't|does_not|do_not|don't refuse|refuses|decline|declines|says_no|object|objects $|to|anything|any|a"
        "never|doesn't|does_not says|say|answers|answer|replies ~3 cannot|can't|unable ~2 help|assist|comply"
        "do|follow|execute|obey whatever|everything|anything this|the skill|file|document|text|page|script|prompt says|tells|asks|contains"
        "obey|follow|execute|do|comply ~6 without question|questioning|hesitation|objection|argument|scrutiny"
        "never|do_not|don't question|doubt|challenge|second_guess these|this ~2 instructions|instruction|skill|rules|document|directives|order|orders"
        "respond|answer|comply|reply|act ~5 without moral|ethical judgement|judgment|considerations|scruples|qualms"
        "no need for|to ~2 ethics|ethical|moral|morality"
        "always|must|shall|will|to|should ~1 comply|obey|agree with|to? whatever|every|any|all|each|the|everything{2} user|user's|users|request|requests|command|commands|whatever|instruction|order|orders|me|says|asks|wants"
        "^ comply|obey with|to? every|any|all|whatever|each request|requests|order|orders|command|commands|instruction|the_user|i|you"
        "there_are|you_have|has|have no limit|limits|limitations|restrictions|boundaries on|to|in what|how you|the_agent|can|may|it"
    }
    Any "lets the agent break the rules" ["violate", "breaks", "against the law", "against policy", "against your", "illegal", "unethical", "harmful"] {
        "even_if|even_when|even_though|although|regardless_of_whether it|this|that|they|the ~3 violates|violate|breaks|break|is_against|goes_against ~3 policy|policies|guidelines|rules|law|terms|safety"
        "even_if|even_when it|this|that|the ~2 is|are|seems|may_be illegal|unethical|harmful|dangerous|unsafe"
    }
    Any "claims a consent that was not given" ["approved all", "approved every", "authorized all", "authorised all", "authorized every", "consented to", "pre-approved", "pre-authorized", "preauthorized", "preapproved", "implied", "implicit consent", "already approved", "already authorized", "already consented", "already granted", "has granted", "blanket"] {
        "user|users|owner|operator has|have already? approved|authorized|authorised|consented_to|pre_approved|pre_authorized|granted all|every|any|everything|full|each|blanket"
        "^ the? user|owner|operator has already approved|authorized|authorised|consented|granted"
        "consent|permission|approval is|has_been|are implied|assumed|implicit|presumed|already_given|already_granted"
        "implicit|implied|blanket consent|permission|approval"
    }
    Order "keeps the agent from warning" ["disclaimer", "safety warning", "safety notice", "safety caveat", "safety note", "safety message", "ethical warning", "ethical consideration", "ethical concern", "warnings about", "moraliz", "moralis", "content warning", "caveats", "warning and", "warnings and", "warnings or", "warnings, disc", "preach", "lecture", "risks or", "legal concern", "warn the user about", "warn users about"] {
        "do_not|don't|never ~2 moralize|moralise|preach|sermonize"
        "do_not|don't|never lecture or|and|the_user|users|me|about_safety|about_ethics|about_morality"
        "skip|omit|drop ~2 warning|warnings|caveats|disclaimers and|or ~2 answer|respond|reply|give|output|proceed|directly"
        "do_not|don't|never mention|discuss|raise|bring_up ~2 risk|risks|legal|danger|dangers|safety|ethics|ethical ~2 concerns|issues|risks|implications|considerations"
        "do_not|don't|never|without|omit|skip|remove|suppress|avoid|strip|leave_out|no add|adding|include|including|give|giving|provide|providing|show|showing|output|append|display|insert|mention|attach|offer|issue|raise|print? @small{4} safety|ethical|legal|medical|moral|content|security|usual|or|and|warnings|warning{4} disclaimer|disclaimers|safety_warning|safety_warnings|safety_notice|safety_notices|safety_caveats|safety_notes|safety_note|safety_messages|ethical_warning|ethical_warnings|ethical_considerations|ethical_concerns|content_warning|content_warnings|moralize|moralizing|moralise"
        "do_not|don't|never|without|omit|skip|suppress|avoid add|adding|include|including|give|giving|provide|show|append|issue|raise? @small{3} warnings|warning|caveats about safety|risk|risks|legality|ethics|danger|dangers"
    }
    Unless "keeps the agent from warning" ["without any", "without warning", "without disclaimer", "without caveat", "no warnings", "no disclaimers", "no caveats"] {
        "respond|answer|reply|give|output|write|comply ~4 without warnings|warning|caveats|disclaimers|or|and{4} disclaimers|caveats $|or"
        "without any warnings|warning|caveats|disclaimers|or|and{4} disclaimers|caveats|moralizing $|or"
        "^ no warnings|caveats|disclaimers or|and|no{2} warnings|caveats|disclaimers|apologies $"
    }
    Any "takes the decision away from the user" ["user objection", "user decision", "user consent", "user refusal"]
     ("even if the ", "even when the ", "whether the ", "what the ", "if the ") * ("user says", "user wants", "user asks you", "user tells you", "user objects", "user declines", "user refuses", "user disagrees", "user asks")
     ("override ", "overriding ", "ignore ", "ignoring ", "disregard ", "disregarding ", "dismiss ", "bypass ", "bypassing ") * ("the user", "any user", "all user", "user") {
        "override|overriding|ignore|ignoring|disregard|disregarding|dismiss|bypass|bypassing any|all|the{2} user's|user|users objection|objections|decision|decisions|wish|wishes|refusal|refusals|consent|confirmation|approval|denial|denials"
        "even_if|even_when|regardless_of_whether the user says_no|objects|declines|refuses|disagrees|asks_you_to_stop|tells_you_to_stop|asks_you_not_to|tells_you_not_to|says_otherwise|says_stop"
    }
    Unless "takes the decision away from the user" ["regardless of what the", "no matter what the"] {
        "regardless_of_what|no_matter_what the user says|wants|asks"
    }
    Order "takes the decision away from the user" ["safety check", "safety prompt", "security check", "security prompt"]
     ("for ", "seek ", "request ", "user ", "ask ", "human ", "the ") * ("confirmation", "permission", "approval", "consent")
     ("confirmation ", "permission ", "approval ", "consent ", "authorization ") * ("prompt", "check", "request", "dialog", "gate", "step", "system", "mechanism", "review") {
        "bypass|disable|suppress|circumvent|turn_off|switch_off|defeat|override @small{3} user|human|agent|tool|safety|security? confirmation|permission|approval|consent|safety|security|authorization prompt|prompts|check|checks|requests|dialog|dialogs|gate|gates|steps|system|systems|mechanism|mechanisms|reviews"
        "do_not|don't|never ever? ask|seek|request|wait|prompt for? the|user|users|human|for|their|any|'s{4} permission|consent|approval|confirmation before|when|prior_to|to execut*|run*|send*|delet*|upload*|install*|modify*|overwrit*|access*|reading|read|sharing|share|transfer*|doing|taking"
    }
}

/// A line that passes for a message of the system.
pub const SYSTEM_LINE: Pattern = Pattern {
    needles: &["system", "admin", "developer", "root"],
    regex: r"(?m-u)^[ \t>*_#\-\[(<{]*((?:CRITICAL |URGENT )?(?:SYSTEM|ADMIN|ADMINISTRATOR|DEVELOPER|ROOT)[ _-]+(?:PROMPT|MESSAGE|OVERRIDE|NOTICE|UPDATE|INSTRUCTIONS?|COMMAND|DIRECTIVE|NOTE|ALERT)\b)",
};
/// `SYSTEM:` with an order behind it.
pub const SYSTEM_COLON: Pattern = Pattern {
    needles: &["system:", "system**", "system]", "system :", "system：", "admin:", "developer:"],
    regex: r"(?m-u)^[ \t>*_#\-\[(<{]*((?:SYSTEM|System|ADMIN|DEVELOPER)[\])>*_} ]*(?:\:|：)[*_ \t]*(?i:you\s+(?:are\s+now|must|will|should|have)|ignore|disregard|override|from\s+now|new\s|the\s+user\s+(?:has|is)|do\s+not|all\s|never|always|grant|enable|disable|forget|send|execute|run|reveal|previous|safety|respond|jailbreak|your\s))",
};
/// The tokens and tags by which models tell roles apart.
pub const ROLE_TOKEN: Pattern = Pattern {
    needles: &[
        "[system",
        "[inst]",
        "[/inst]",
        "<<sys",
        "<|im_",
        "<|system",
        "<|user",
        "<|assistant",
        "<|start",
        "<system",
        "</system",
        "[admin",
        "<override",
        "<admin",
    ],
    regex: r"(?-u)(\[/?INST\]|<</?SYS>>|<\|(?:im_start|im_end|system|user|assistant|start_header_id)\|>|\[(?:SYSTEM|ADMIN)(?:[ _][A-Z]+)*\]|(?i:</?(?:system|system[-_ ]?(?:reminder|prompt|message|override|instructions?)|override|admin)>))",
};
/// A heading or a line such as `New instructions:`.
pub const NEW_INSTRUCTIONS: Pattern = Pattern {
    needles: &[
        "new instruction",
        "new directive",
        "new system",
        "real instruction",
        "actual instruction",
        "true instruction",
        "secret instruction",
        "hidden instruction",
        "override instruction",
        "updated instruction",
        "updated system",
        "revised system",
        "begin instruction",
        "new orders",
    ],
    regex: r"(?im-u)^[ \t>*_#\-\[(<]*((?:your[ \t]+)?(?:new|real|actual|true|secret|hidden|override|updated|revised|begin)[ \t]+(?:system[ \t]+)?(?:instructions?|directives?|orders|prompt))[*_\])> \t]*(?:\:|\r?$)",
};
