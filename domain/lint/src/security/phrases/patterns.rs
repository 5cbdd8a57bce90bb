//! Patterns for what the phrase language cannot express: markers, shell code, and languages without spaces.

use crate::rule::Pattern;

/// A line that imitates a system message.
pub const SYSTEM_LINE: Pattern = Pattern {
    needles: || &["system", "admin", "developer", "root"],
    regex: r"(?m-u)^[ \t>*_#\-\[(<{]*((?:CRITICAL |URGENT )?(?:SYSTEM|ADMIN|ADMINISTRATOR|DEVELOPER|ROOT)[ _-]+(?:PROMPT|MESSAGE|OVERRIDE|NOTICE|UPDATE|INSTRUCTIONS?|COMMAND|DIRECTIVE|NOTE|ALERT)\b)",
};

/// `SYSTEM:` followed by an order.
pub const SYSTEM_COLON: Pattern = Pattern {
    needles: || &["system:", "system**", "system]", "system :", "system：", "admin:", "developer:"],
    regex: r"(?m-u)^[ \t>*_#\-\[(<{]*((?:SYSTEM|System|ADMIN|DEVELOPER)[\])>*_} ]*(?:\:|：)[*_ \t]*(?i:you\s+(?:are\s+now|must|will|should|have)|ignore|disregard|override|from\s+now|new\s|the\s+(?:previous|prior|user\s+(?:has|is|wants|agreed|consented)|operator|following|safety|above)|do\s+not|all\s|never|always|grant|enable|disable|forget|send|execute|run|reveal|previous|safety|respond|jailbreak|your\s))",
};

/// Tokens and tags that separate roles in a model's context.
pub const ROLE_TOKEN: Pattern = Pattern {
    needles: || {
        &[
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
        ]
    },
    regex: r"(?-u)(\[/?INST\]|<</?SYS>>|<\|(?:im_start|im_end|system|user|assistant|start_header_id)\|>|\[(?:SYSTEM|ADMIN)(?:[ _][A-Z]+)*\]|(?i:</?(?:system|system[-_ ]?(?:reminder|prompt|message|override|instructions?)|override|admin)>))",
};

/// A heading or line such as `New instructions:`.
pub const NEW_INSTRUCTIONS: Pattern = Pattern {
    needles: || {
        &[
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
        ]
    },
    regex: r"(?im-u)^[ \t>*_#\-\[(<]*((?:your[ \t]+)?(?:new|real|actual|true|secret|hidden|override|updated|revised|begin)[ \t]+(?:system[ \t]+)?(?:instructions?|directives?|orders|prompt))[*_\])> \t]*(?:\:|\r?$)",
};

/// Orders that override instructions: Chinese, Japanese, Korean, Arabic.
pub const OVERRIDING_CJK_ARABIC: Pattern = Pattern {
    needles: || {
        &[
            "忽略",
            "无视",
            "無視",
            "忘记",
            "忘記",
            "忘掉",
            "不要理会",
            "不要遵守",
            "不要遵循",
            "不再遵",
            "抛弃",
            "绕过",
            "忘れ",
            "従わな",
            "従うな",
            "무시",
            "잊어",
            "잊으",
            "تجاهل",
            "انس ",
        ]
    },
    regex: r"(?:忽略|无视|無視|忘记|忘記|忘掉|不要理会|不要遵守|不要遵循|不再遵循|不再遵守|抛弃|绕过)(?:掉|了)?(?:你|您|的|所有|全部|一切|任何|这些|這些|以上|上述|上面|之前|先前|以前|此前|前面|原有|原来|系统|系統|收到|给出|给你|安全|其他|其它){1,6}(?:指令|指示|提示词|提示|规则|規則|命令|要求|说明|說明|约束|限制|设定|准则|准則)|(?:これまで|以前|上記|前|先ほど|それまで|今まで|元|システム|すべて|全て|全部)(?:の|まで|に|与え|られた|受け|出|さ|れ|た|す|べ|て|全|元){0,12}(?:指示|命令|プロンプト|ルール|指令|制約|規則|ガイドライン)(?:を|は|に|も|すべて|全て|全部|完全){0,4}(?:無視|忘れ|従わな|従うな)|(?:이전|위의?|앞의?|앞선|기존|모든|지금까지|시스템)[^.\n]{0,16}(?:지시|명령|지침|프롬프트|규칙)[^.\n]{0,10}(?:무시|잊어|잊으)|(?:تجاهل|انس)\s+(?:جميع\s+|كل\s+)?(?:ال)?(?:تعليمات|أوامر|توجيهات|قواعد)",
};

/// Orders that conceal something from the user: Chinese, Japanese, Korean, Arabic.
pub const CONCEALING_CJK_ARABIC: Pattern = Pattern {
    needles: || &["用户", "用戶", "使用者", "ユーザー", "利用者", "사용자", "المستخدم"],
    regex: r"(?:不要|别|勿|不得|不能|不可|切勿|禁止|请勿|無需|无需|不必|绝不|不許|不准)(?:让|讓|告诉|告訴|告知|通知|提醒|透露给|泄露给|知会|提示|向)(?:任何)?(?:用户|用戶|使用者)|(?:瞒着|背着|隐瞒|對|对|向)(?:用户|用戶|使用者)(?:隐藏|隐瞒|保密|掩盖|隱瞞)?(?:此|这|該|该)?(?:隐藏|隐瞒|保密|掩盖|隱瞞)|(?:瞒着|背着)(?:用户|用戶|使用者)|(?:不|未经|没有)(?:让|讓|被|经|通知|告知)?(?:用户|用戶|使用者)(?:知道|知情|察觉|发现|發現|同意)|(?:ユーザー|利用者)(?:に|には|へ|にも)(?:は|も)?[^。\n]{0,12}(?:言わな|伝えな|知らせな|教えな|話さな|報告しな|通知しな|明かさな|言及しな|気づかれ|気付かれ|知られ|悟られ|秘密|隠)|사용자(?:에게|한테|가|모르게)[^.\n]{0,12}(?:말하지|알리지|알려주지|언급하지|보고하지|모르게|숨기|비밀)|사용자 ?몰래|(?:لا تخبر|دون علم|لا تُخبر)\s*(?:المستخدم)",
};

/// Tags in a description that a model can mistake for the structure of its context.
pub const STRUCTURE_TAG: Pattern = Pattern {
    needles: || {
        &[
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
        ]
    },
    regex: r"(?i-u)</?(?:important|instructions?|critical|secret|hidden|assistant|prompt|user|tool_?calls?|function_calls?|invoke|description)>|<!--|(?-i:\b(?:SYSTEM|ADMIN|DEVELOPER) (?:OVERRIDE|PROMPT|MESSAGE|NOTICE|DIRECTIVE|INSTRUCTIONS?|COMMAND)\b)|(?-i:\bSYSTEM ?[-:] )",
};

/// Orders to disclose the instructions, in languages without spaces between words.
pub const LEAKING_CJK: Pattern = Pattern {
    needles: || {
        &["系统提示", "系統提示", "提示词", "初始指令", "系统指令", "システムプロンプト", "시스템 프롬프트"]
    },
    regex: r"(?:输出|顯示|显示|打印|泄露|透露|公开|告诉我|复述|重复|写出|展示)[^。.\n]{0,10}(?:你的|您的|完整|全部)[^。.\n]{0,6}(?:系统提示词?|系統提示|提示词|初始指令|系统指令)|システムプロンプト(?:の全文)?[をの][^。\n]{0,8}(?:出力|表示|開示|教え|公開|漏ら|そのまま)|시스템 프롬프트[^.\n]{0,8}(?:출력|공개|보여|알려)",
};

/// A loop over skills, repositories or agents' folders that writes the skill into each.
pub const SPREADING_SHELL: Pattern = Pattern {
    needles: || &["; do", "\ndo", "-exec ", "xargs", "while read", "shutil.copy", "copytree", "write_text"],
    regex: r#"(?im)(\bfor\s+\w+\s+in\s[^\n]*(?:\n[^\n]*){0,4}?\b(?:cp|rsync|ln)\s[^\n]*\s"?\$\{?\w+\}?"?/[^\n]*(?:\.claude|\.codex|\.cursor|\.agents|/skills|CLAUDE\.md|AGENTS\.md|SKILL\.md)|\bfor\s+\w+\s+in\s+[^\n;]*(?:skills|\.claude|\.codex|\.cursor|\.agents|repos|projects|workspaces?|\.git)[^\n;]*(?:;|\n)\s*do\b[^\n]*(?:\n[^\n]*){0,4}?\b(?:cp|rsync|ln|tee|install|cat)\b[^\n]*(?:SKILL\.md|\$0|BASH_SOURCE|SKILL_DIR|dirname|/skills/)|\bfind\s+[^\n|]*(?:SKILL\.md|CLAUDE\.md|AGENTS\.md|\.claude|skills|\.git)[^\n]*(?:-exec\s+(?:sh|bash|cp|tee|sed)\b|xargs\b|while\s+read)[^\n]*(?:\bcp\b|\btee\b|>>|\bsed\s+-i)[^\n]*|\bfor\s+\w+\s+in\s+[^\n]*(?:glob|iterdir|walk|listdir|scandir)\([^\n]*:\s*\n(?:[^\n]*\n){0,4}?[^\n]*(?:shutil\.copy\w*|copytree|write_text)\([^\n]*(?:__file__|SKILL|self_path|payload))"#,
};
