//! Phrases that make an agent give away what it was told.

use crate::rule::Pattern;
use crate::security::phrases::table::table;

table! {
    /// Orders in English.
    LEAKING LEAKING_ANCHORS

    Order "gives the agent's own instructions away" ["system prompt", "system message", "system instruction", "initial prompt", "initial instruction", "developer message", "developer prompt", "developer instruction", "hidden instruction", "hidden prompt", "internal instruction", "original instruction", "secret instruction", "base prompt", "pre-prompt", "preprompt", "original prompt", "internal prompt", "meta prompt", "system_prompt"] {
        "begin|start|end|open|preface|prefix|close|finish|precede|follow|head|conclude ~6 with ~3 your|the @full{2} @prompt"
        "attach|add|put|place|paste|quote|embed|append|prepend|cite|insert|report|mail|hand ~4 your @full{2} @prompt ~2"
        "@show me|us|back|out? @small{2} ~2 your @full|and{3} @prompt"
        "@reveal me|us|back|out|it? @small{3} @full|contents_of|text_of|of|the{4} @prompt"
        "@show the @full @full? @prompt"
        "what is|are|was|were your @full{2} @prompt"
        "@show|summarize|encode|translate the? contents|content|text|full_text|value of your|the @full{2} @prompt"
        "translate|encode|compress|embed|store|save|log|prepend|append|prefix|base64 ~2 your @full{2} @prompt"
        "encode|base64|exfiltrate|leak the @full{2} @prompt"
        "tell|show|explain ~2 what your @full{2} @prompt ~1 says|say|contains|contain|is|are"
        "reveal|summarize|summarise|list|output|print|show|disclose|describe the hidden|secret|internal|confidential ~1 system_instructions|system_instruction|instructions|prompt|rules"
        "reveal|disclose|leak|dump|forward|send|post|upload ~1 developer_message|developer_prompt|developer_instructions"
    }
    Any "gives the agent's own instructions away" ["system prompt", "system message", "system instruction", "initial prompt", "initial instruction", "developer message", "developer prompt", "developer instruction", "hidden instruction", "internal instruction", "original instruction", "secret instruction", "your instructions"] {
        "text|contents|content|copy|wording|words|transcript of your @full{2} @prompt|instructions"
        "your @full{2} @prompt ~2 reveal|output|print|share|show|disclose|recite|include|repeat it|them"
        "@prompt ~2 reveal|print|output|show|display|dump|send|disclose it|them ~3 full|verbatim|word|detail|entirety|completely"
    }
    Order "gives the agent's own instructions away" ["came before", "from the beginning", "from the start", "word for word", "told you", "you were configured", "you were given", "you were initialized", "you were programmed", "in your instructions", "in your system"] {
        "print|repeat|output|show|echo|write|reveal all|everything|any ~1 text|messages|content|words? that|which? came|was|were|is|appears|appeared before|above|prior|preceding"
        "show|print|repeat|output|reveal|list ~2 everything from the? beginning|start of this|the|our conversation|context|session"
        "show|print|reveal|summarize|list|write|output ~5 in|from|of your @full{2} instructions|system_prompt|prompt"
        "what your|the developer|developers|creators|system|makers|operator told|instructed|wrote you"
        "show|print|reveal|write|output|give|repeat ~3 prompt|instructions|rules you were configured|given|initialized|started|set_up|programmed with|by"
        "write|repeat|print|output|copy ~2 word_for_word what|your|the ~2 developer|instructions|system|rules|prompt"
    }
    Any "gives the agent's own instructions away" ["system prompt", "developer message", "developer prompt", "system message", "initial prompt", "hidden instr", "hidden rules", "secret instr", "secret rules", "confidential instr", "confidential rules", "internal instr", "internal rules", "your prompt", "your instructions", "your rules", "in your context", "your context window", "before this skill", "before this file", "before this text", "before this line", "before this message", "above this skill", "above this file"] {
        "what were|are|was|did|have|has ~3 told|given|instructed|say|said|instruct ~3 your|the system_prompt|prompt|instructions|system_message|developer_message ~2 write|print|list|repeat|show|say"
        "what were|are|was|have you been? told|given|instructed ~3 your|the system_prompt|prompt|system_message|developer_message"
        "reveal|share|leak|disclose|dump|expose the|your|all? ~1 developer_message|developer_prompt|developer_instructions|system_message|hidden_prompt|hidden_instructions with|to|in|now|here|$"
        "^ now|please|then|first|next{2} show|print|reveal|output|dump|display|repeat|recite|leak|disclose|write|tell me|us? the @prompt $"
        "write|save|put|copy|dump|export|store the @prompt in|into|to ~1 file|disk|answer|reply|log|comment|response|commit|readme|out|tmp"
        "reveal|disclose|leak|share|dump|show any|all|the|every ~1 confidential|secret|hidden|internal ~1 instructions|rules|prompts|directives|guidelines that|you|of|your|$"
        "give|show|tell|hand|send|read me|us|back your|the ~1 prompt|instructions|system_prompt|rules|directives|guidelines $|word|in_full|verbatim|exactly|now|letter|as|completely"
        "print|output|dump|show|write|list|export|send|return|copy|paste|display|reproduce|quote|repeat everything|all|anything|whatever|every_word|text|the_text|the_content ~3 in|from|inside|within|of your context|context_window|memory|prompt|system_prompt"
        "print|output|dump|show|write|list|export|send|return|copy|paste|display|reproduce|quote|repeat|recite ~1 everything|all|anything|whatever|what|text|words|content|messages|message|instructions that|which? come|comes|came|stand|stands|stood|is|was|are|were|appears|appear|precede|precedes|goes|went ~1 before|above|ahead_of this|the|these ~1 skill|file|line|message|text|document|section|conversation|chat"
    }
    Any "gives the agent's own instructions away" ["you were configured", "you received", "you got before", "hidden rules", "secret rules", "internal rules", "hidden instr", "secret instr", "confidential instr", "hidden directive", "internal instr", "you were given", "you were initial", "you were primed", "you were set up", "you were started", "you were provided", "you run under", "you run with", "you operate under", "you work under", "first message", "first user message", "of your operator", "of your developer", "of your creator", "of your maker", "of your vendor", "dump of your", "copy of your", "listing of your", "transcript of your", "letter for letter", "word for word", "character for character", "your complete instr", "your full instr", "your entire instr", "your prompt", "your hidden prompt", "your original prompt", "shaped your", "shape your", "govern your", "governs your", "guide your behav", "define your behav", "steer your", "defines you", "made you behave", "before this chat", "before this conv", "before the chat", "before the conv", "before our conv", "at the top of your context", "top of your context", "start of your context", "beginning of your context", "above the user", "before the user"] {
        "@show|quote|quoting|paste|put|copy|write|tell|give|add|place|list|attach|append|provide|send|recite ~7 text|instructions|rules|prompt|message|messages|words|guidelines|everything|what|directives that|which? you were|are|have_been|run|operate|work ~1 configured|given|initialized|initialised|primed|set_up|started|provided|under|with|programmed|told"
        "@show|quote|quoting|paste|put|copy|write|tell|give|add|place|list|attach|append|provide|send|recite ~3 everything|text|messages|content|all|what that|which ~2 before|above|precedes|ahead_of ~1 first|user|user's|my ~2 message|messages|input|request"
        "@show|quote|quoting|paste|put|copy|write|tell|give|add|place|list|attach|append|provide|send|recite ~3 instructions|instruction|prompt|message|rules|directives|text of|from|by your ~1 operator|developer|developers|creator|creators|maker|makers|vendor"
        "@show|list|enumerate|return|quote|tell|give|write|export ~3 instruction|instructions|rule|rules|directive|directives|guidelines|messages that? you ~1 received|got|obtained|read ~3 before|so_far|from ~1 this|your|the|developer|system|operator|vendor|anthropic"
        "@show|list|enumerate|return|export|write ~1 your ~1 hidden|secret|internal|confidential|underlying ~1 rules|instructions|directives|guidelines|prompt|policies"
        "dump|copy|listing|transcript|printout|screenshot|export|backup of your @full|own{2} @prompt|prompt|instructions|context|system_prompt|rules"
        "your @full{2} instructions|prompt|guidelines|rules|system_prompt|configuration letter_for_letter|word_for_word|character_for_character|verbatim|in_full|unabridged|in_their_entirety"
        "holds|contains|includes|starts_with|begins_with|ends_with|lists|quotes your complete|full|entire|exact|whole|original|hidden ~1 instructions|prompt|guidelines|rules|directives"
        "write|save|store|paste|copy|add|put|send|post|email|encode|translate|append|log|output|print ~1 your hidden|original|full|complete|entire|whole|initial|secret|own{2} prompt|system_instructions|instructions to|into|in|as|at|below|under|with|for"
        "system_prompt|prompt|instructions|system_message that|which? you run|operate|work|act under|on|with|by"
        "instructions|rules|guidelines|prompt|text|principles|directives that|which govern|governs|shape|shapes|shaped|guide|define|defines|steer|steers|control|controls your|you ~2 behavior|behaviour|answers|responses|$"
        "start|beginning|top of your ~1 context|context_window"
    }
    Order "gives the agent's own instructions away" ["verbatim", "word for word", "your instructions", "your own instructions", "your full instructions", "your context", "your configuration", "your rules", "your prompt", "above this", "words above", "text above", "everything above", "your guidelines", "your tool definitions", "you were given", "you received", "you have been given", "context window", "all of your", "given by your"] {
        "output|print|dump|reveal|disclose|copy|write|save|send|upload|post|include your entire|full|whole|complete context_window|context|conversation|memory|instructions|configuration"
        "copy|write|list|include|send|upload|save|post|output|print all of? your @full{2} instructions|rules|guidelines|directives"
        "list|print|show|output|write|reveal|repeat ~2 all|any|every|the of? the? rules|instructions|guidelines|directives that? you were|have_been given|told|provided ~1 by|$"
        "reveal|print|output|repeat|dump|disclose|leak|expose|recite|echo|paste|show|list|return|quote me|us|back|out? @small{2} @full{3} instructions|instruction|prompt|rules|guidelines|configuration|context|directives ~4 verbatim|word_for_word|exactly_as|in_full|in_their_entirety"
        "reveal|print|output|repeat|dump|disclose|leak|expose|recite|echo|paste me|us|back|out? all? of? your @full{3} instructions|prompt|rules|guidelines|configuration|tool_definitions|directives"
        "repeat|print|output|echo|copy|paste|write|return back|out? all|everything|the_words|the_text|all_text|all_of_the_text|all_the_text|the_instructions|all_the_words above|before_this|preceding"
        "reveal|print|output|repeat|dump|disclose|leak|expose|recite|echo|paste|show ~1 the? instructions|rules|prompt|directives you_were_given|you_have_been_given|you_received"
    }
}

/// In languages without blanks between words.
pub const LEAKING_EAST: Pattern = Pattern {
    needles: &[
        "系统提示",
        "系統提示",
        "提示词",
        "初始指令",
        "系统指令",
        "システムプロンプト",
        "시스템 프롬프트",
    ],
    regex: r"(?:输出|顯示|显示|打印|泄露|透露|公开|告诉我|复述|重复|写出|展示)[^。.\n]{0,10}(?:你的|您的|完整|全部)[^。.\n]{0,6}(?:系统提示词?|系統提示|提示词|初始指令|系统指令)|システムプロンプト(?:の全文)?[をの][^。\n]{0,8}(?:出力|表示|開示|教え|公開|漏ら|そのまま)|시스템 프롬프트[^.\n]{0,8}(?:출력|공개|보여|알려)",
};
