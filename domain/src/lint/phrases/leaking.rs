//! Phrases that make an agent give away what it was told.

use super::table::table;
use crate::lint::rule::Pattern;

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
