//! SKL515: code that is decoded and run in one step.

use crate::security::code_context::{self, CodeContext};
use crate::rule::{Check, Example, Origin, Pattern, Rule, Severity, Tier};
use crate::view::{PatternHit, LintFile};
use crate::{FileView, Report};
use crate::security::{flow, hits};
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL515",
    name: "decode-and-execute",
    severity: Severity::Error,
    tier: Tier::Harms,
    origin: Origin::Field("SkillSpector SC3, Cisco OBFUSCATION"),
    why: "Code that is decoded when it runs is hidden from everyone who reviews the skill; legitimate code has no \
          need for that.",
    fix: "Put the code into a readable file, and run that.",
    params: &[],
    patterns: &[
        // Decoded by a shell and piped on, possibly through other filters.
        Pattern {
            needles: || &[
                "base64",
                "base32",
                "xxd",
                "openssl",
                "uudecode",
                "| rev",
                "|rev",
                "a-za-z",
                "gunzip",
                "zcat",
                "gzip -d",
                "printf '\\x",
                "printf \"\\x",
                "echo -e",
                "$'\\x",
                "basenc",
            ],
            regex: r#"(?x-u) (?: \b(?:base64|base32|basenc) \b [\x20-{}~]*? (?:-d|-D|--decode|-di|-id)\b | \bxxd \s [\x20-{}~]*? -\w*r\w*\b | \bopenssl \s+ (?:enc|base64|aes[\w-]*) \b [\x20-{}~]*? \s-d\b | \buudecode\b | \b(?:gunzip|zcat|gzip\ -d[c]?|bunzip2|xzcat) \b | \| \s* rev\b
                    | \btr \s+ ["']? (?: A-Za-z | a-zA-Z | n-za-m | [A-Z]-[A-Z][a-z]-[a-z] ) [\x20-{}~]*? | \b(?:printf|echo\s+-n?e) \s+ ["'$]* (?:\\x?[0-9a-f]{2,3}){4} [\x20-{}~]* )
                [\x20-{}~]* (?: \| [\x20-{}~]* ){0,3} \| \s* (?:sudo\s+)? (?:/(?:usr/)?bin/(?:env\s+)?)? (?: (?:ba|z|da|k|a)?sh | python[\d.]* | node | perl | ruby | php | pwsh | source\s+/dev/stdin | xargs\s+[!-~]+\s+(?:[!-~]+\s+)?(?:ba)?sh )
                (?: \s+- | \s* (?: [|;&)"'`}\#<] | \\n | $ | \n ) | \s+-[sx]\b | \s+<\( | \s+/dev/stdin )"#,
        },
        // Decoded in the command line of an interpreter, or as the command itself.
        Pattern {
            needles: || &[
                "base64",
                "base32",
                "xxd",
                "openssl",
                "uudecode",
                "basenc",
                "| rev",
                "printf '\\x",
                "printf \"\\x",
            ],
            regex: r#"(?x-u) (?: \beval \s+ \\?["']? (?:\$\(|`) | \b(?:ba|z|da|k|a)?sh \s+ (?:-\w+\s+)* -\w*c \s+ \\?["']? (?:\$\(|`) | \b(?:ba|z|da)?sh \s+ <\( | \b(?:ba|z|da)?sh \s* <<< \s* ["']? \$\( | \bsource \s+ <\( | (?:^|[\n;&]\s*) \. \s+ <\(
                    | \b(?:python[\d.]*|node|perl|ruby|php) \s+ -\w*[cer] \s+ ["']? (?:\$\(|`) | (?:^|\n|;|&&) \s* ["']? (?:\$\(|`) )
                [\x20-~]*? (?: (?:base64|base32|basenc) \s [\x20-~]*? (?:-d|-D|--decode|-di)\b | \bxxd \s [\x20-~]*? -\w*r | openssl \s [\x20-~]*? -d\b | uudecode | \|\s*rev\b ) [\x20-~]*"#,
        },
        // Decoded and evaluated by a program.
        Pattern {
            needles: || &[
                "eval pack",
                "eval unpack",
                "eval decode",
                "eval base64",
                "b64decode",
                "a85decode",
                "b85decode",
                "b32decode",
                "unhexlify",
                "fromhex",
                "codecs.decode",
                "zlib.decompress",
                "lzma.decompress",
                "bz2.decompress",
                "marshal.loads",
                "atob(",
                "'base64'",
                "\"base64\"",
                "`base64`",
                "decode64",
                "base64_decode",
                "gzinflate",
                "str_rot13",
                "fromcharcode",
                "unescape(",
                "decodeuricomponent(",
                "decode_base64",
                "unpack(",
                "'hex'",
                "\"hex\"",
                "chr(",
                "rot13",
                "frombase64string",
                "[::-1]",
            ],
            regex: r#"(?ix-u) \beval \s+ (?: \(\s* )? (?: pack | decode_base64 | unpack | Base64\.decode64 | base64_decode ) \b [\x20-~]* | \b(?: exec | eval | compile | function | system | popen | execsync | spawnsync | spawn | run | call | check_output | check_call | execfile | assert | instance_eval | class_eval | runinthiscontext | runinnewcontext | settimeout | setinterval | create_function | getattr\(\s*__builtins__ | passthru | shell_exec | iex | invoke-expression | scriptblock\]?::create | marshal\.loads | pickle\.loads | importlib\.import_module | __import__ | require ) \s* \(+ \s*
                [!-~\ ]*? (?: b64decode | a85decode | b85decode | b32decode | unhexlify | fromhex | codecs\.decode | (?:zlib|lzma|bz2|gzip)\.decompress | marshal\.loads | \batob\( | ,\s*["'`](?:base64|hex)["'`] | decode64 | base64_decode | gzinflate | str_rot13 | fromcharcode | \bunescape\( | decodeuricomponent\( | decode_base64 | unpack\(\s*["'](?:H|u|m) | chr\(\d+\)\s*[+.] | ["']rot_?13["'] | frombase64string | \[::-1\] )"#,
        },
        // Encoded PowerShell commands.
        Pattern {
            needles: || &["powershell", "pwsh", "frombase64string", "-enc", "-encodedcommand"],
            regex: r#"(?ix-u) \b(?:powershell|pwsh)(?:\.exe)? \s [\x20-~]*? -e(?:c|n|nc|nco\w*)? \s+ ["']? [a-z0-9+/=$]{12,} | (?:\biex\b|invoke-expression|scriptblock\]?::create|invoke-command|\bsaps\b|assembly\]?::load) (?u:.)*? frombase64string | frombase64string (?u:.)* \| \s* (?:iex|invoke-expression) | certutil(?:\.exe)? \s+ [\x20-~]*? -decode(?:hex)?\b [\x20-~]*"#,
        },
        // Decoded and stored in a variable or file first, which is followed.
        Pattern {
            needles: || &[
                "b64decode",
                "a85decode",
                "b85decode",
                "unhexlify",
                "fromhex(",
                "codecs.decode",
                "decompress(",
                "atob(",
                "'base64'",
                "\"base64\"",
                "decode64",
                "base64_decode",
                "base64 -d",
                "base64 --d",
                "base64 -D",
                "xxd -r",
                "openssl enc -d",
                "openssl base64 -d",
                "frombase64string",
                "fromcharcode",
                "str_rot13",
                "^ key",
                "^ 0x",
                ") ^ ",
                "chr(ord(",
                "xor",
            ],
            regex: r#"(?ix-u) ( b64decode | a85decode | b85decode | unhexlify | fromhex\( | codecs\.decode | (?:zlib|lzma|bz2|gzip)\.decompress | \batob\( | ,\s*["'](?:base64|hex)["']\) | decode64 | base64_decode | base64\s+(?:-d|--decode|-di) | xxd\s+-r | openssl\s+(?:enc|base64)\s[\x20-~]*?-d\b | frombase64string | fromcharcode | str_rot13 | bytes?\(\s*\[?\s*\w+\s*\^ | chr\(\s*(?:ord\()?\w+\)?\s*\^ )"#,
        },
        // An order in words.
        Pattern {
            needles: || &[
                "base64",
                "base 64",
                "rot13",
                "hex-encoded",
                "hex encoded",
                "encoded string",
                "encoded text",
                "encoded command",
                "encoded instruction",
                "encoded payload",
                "encoded block",
                "decoded ",
                "blob",
            ],
            regex: r"(?ix-u) \bdecod(?:e|es|ing) \b (?u:[^\n])*? \b(?: (?:and|then|and\ then|,) \s* (?:\w+\ ){0,2}? (?:run|execute|eval\w*|follow|obey|perform|carry\ out|pipe|apply|act\ on) \s+ (?:it|them|the|what|whatever|its|this|that|each|every|all|any) | as\ (?:your|additional|further|new|the)?\ ?(?:instructions?|commands?) | (?:and|then|,)\ (?:\w+\ )?do\ (?:what|whatever|as|exactly)\b )\b
                | \b(?:run|execute|follow|obey|eval\w*)\b (?u:[^.\n])*? \b(?:decoded|de-?obfuscated)\ (?:\w+\ )?(?:command|commands|string|text|instructions?|payload|script|code|output|result|content|value)\b",
        },
    ],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!(
            "```sh\nkubectl get secret db -o jsonpath='{.data.user}' | base64 -d\nbase64 -d image.b64 > image.png\n```\n"
        ),
    )])],
    bad: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!("```sh\necho ZWNobyBoaQ== | base64 -d | bash\n```\n"),
    )])],
    check: Check::File(check),
};

/// Indexes of the patterns whose matches are examined further.
const FOLLOWED: usize = 4;
const WORDS: usize = 5;
/// Functions and commands that run the value of a variable or a file.
const SINKS: &[&str] = &[
    "exec(",
    "eval(",
    "eval ",
    "os.system(",
    "system(",
    "subprocess.run(",
    "subprocess.call(",
    "subprocess.popen(",
    "popen(",
    "check_call(",
    "check_output(",
    "new function(",
    "function(",
    "execsync(",
    "execfile(",
    "spawnsync(",
    "spawn(",
    "invoke-expression",
    "iex ",
    "iex(",
    "start-process",
    "bash -c",
    "sh -c",
    "bash <<<",
    "sh <<<",
    "| bash",
    "| sh",
    "|bash",
    "|sh",
    "&& bash ",
    "&& sh ",
    "; bash ",
    "; sh ",
    "chmod +x",
    "source ",
    "exec_module(",
    "runpy.",
    "marshal.loads(",
    "pickle.loads(",
    "runinthiscontext(",
    "runinnewcontext(",
    "^bash ",
    "^sh ",
    "^./",
    "^. ",
    "^/tmp/",
    "^python",
    "^sudo ",
    "import_module(",
    "__import__(",
    "compile(",
    "assembly]::load",
    "ctypes.",
    "startfile(",
    "child_process",
];

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(text) = view.file.text.as_deref() else { return };
    let mut end = 0;
    for hit in hits::executable(view.file, &RULE) {
        let span = hit.span.start..hit.span.start + text[hit.span.clone()].trim_end().len();
        if span.start < end || !is_run(view.file, text, hit) {
            continue;
        }
        end = span.end;
        report.at(span, "code is decoded and run in one step, which hides it from review");
    }
}

fn is_run(file: &LintFile, text: &str, hit: &PatternHit) -> bool {
    let context = code_context::context_at(file, hit.span.start);
    let is_code = matches!(context, CodeContext::Block(_) | CodeContext::File(_));
    match hit.pattern {
        FOLLOWED => {
            is_code
                && flow::reaches(text, &hit.span, SINKS).is_some_and(|sink| is_new(text, &hit.span, &sink))
        }
        WORDS => context == CodeContext::Prose,
        _ => true,
    }
}

/// Whether the sink uses the decoded text, rather than precedes it on its line, as in `system("base64 -d x")`.
fn is_new(text: &str, source: &Range<usize>, sink: &Range<usize>) -> bool {
    let is_before = sink.start < source.start;
    let call = text[sink.clone()].to_ascii_lowercase();
    !is_before || ["exec(", "eval(", "function(", "marshal.loads("].iter().any(|runs| call == *runs)
}
