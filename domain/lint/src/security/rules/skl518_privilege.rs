//! SKL518: commands with administrator rights.

use crate::security::code_context::{self, Language, CodeContext};
use crate::rule::{Check, Example, Origin, Pattern, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::view::{PatternHit, LintFile};
use crate::{FileView, Report};
use crate::security::{hits, context_window};
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL518",
    name: "privilege",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("SkillSpector PE2"),
    why: "With administrator rights a mistake of the agent affects the whole machine, and the password it asks for \
          is the user's.",
    fix: "Install for the current user only, or tell the user what to run by hand.",
    params: &[],
    patterns: &[
        Pattern {
            needles: || &["sudo ", "doas ", "su -", "su root", "pkexec ", "runas ", "gsudo ", "sudo\t"],
            regex: r#"(?x-u) (?: ^ | [\n;&|(`"'>\[] | \$\( | \bRUN\ | \bthen\ | \bdo\ | \belse\ | \bexec\ | !\x20 | [\#$>%]\x20 | :\x20 | ,\s ) [\x20\t]* ( (?: sudo | doas | pkexec | gsudo ) [\x20\t]+ (?: -\w+ [\x20\t]+ )* (?: \w+=[!-~]+ [\x20\t]+ )* ["']? [\w./~$\x7b-] [!-~]* | su [\x20\t]+ (?: - | -\w [\x20\t] | root\b ) [\x20-~]* | runas [\x20\t]+ / [\x20-~]+ )"#,
        },
        Pattern {
            needles: || &[
                "runas",
                "setuid(0",
                "seteuid(0",
                "chmod u+s",
                "chmod +s",
                "chmod 4",
                "chmod 6",
                "setcap ",
                "nopasswd",
                "visudo",
                "/etc/sudoers",
                "\"sudo\"",
                "'sudo'",
                "administrator privileges",
                "setuid root",
            ],
            regex: r#"(?ix-u) \bstart-process \s [\x20-~]*? -verb \s+ ["']?runas\b | \b(?:os\.)?sete?uid\(\s*0\s*\) | \bchmod \s+ (?: [ug]?\+s | [46]7[0-7]{2} ) \s [!-~]+ | \bsetcap \s+ ['\x22]?cap_[!-~]+ | \bALL\s*=\s*\( [\x20-~]*? NOPASSWD | \bvisudo\b | >>? \s* /etc/sudoers [!-~]* | \btee \s [\x20-~]*? /etc/sudoers [!-~]* | \( \s* \[ \s* ["']sudo["'] \s* , [\x20-~]* | \bwith\ administrator\ privileges\b"#,
        },
        // An order in words.
        Pattern {
            needles: || &[
                "as root",
                "as administrator",
                "root privileges",
                "administrator privileges",
                "superuser",
                "admin rights",
                "with sudo",
                "using sudo",
                "elevated priv",
                "root access",
            ],
            regex: r"(?ix-u) \b(?:run|execute|launch|start|invoke|rerun|re-run|install|retry|obtain|get|gain|acquire|request)\b (?u:[^.\n])*? \b(?: as\ (?:the\ )?(?:root|administrator)\b(?:\ user)? | (?:root|administrator|admin|elevated|superuser)\ (?:privileges|rights|access|permissions) | (?:with|using)\ `?sudo\b )",
        },
    ],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!("The tool needs no `sudo` at all.\n\n```sh\npip install --user demo==1.0\n```\n"),
    )])],
    bad: &[Example::new(&[("SKILL.md", crate::skill_md!("```sh\nsudo cp demo /usr/local/bin/\n```\n"))])],
    check: Check::File(check),
};

/// Index of the pattern for orders in words.
const WORDS: usize = 2;

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let file = view.file;
    let places: Vec<_> =
        hits::executable(file, &RULE).filter(|hit| is_run(file, hit)).map(|hit| trimmed(file, &hit.span)).collect();
    hits::once(report, places.into_iter(), |span| {
        format!("'{}' runs with administrator rights", one_line(file.slice(span)))
    });
}

fn trimmed(file: &LintFile, span: &Range<usize>) -> Range<usize> {
    let command = file.slice(span).trim_end_matches(|c: char| c.is_whitespace() || "\"'`);,|".contains(c));
    span.start..span.start + command.len()
}

fn is_run(file: &LintFile, hit: &PatternHit) -> bool {
    match code_context::context_at(file, hit.span.start) {
        CodeContext::Prose => hit.pattern == WORDS && is_order(file, hit) && !is_asked(file, hit),
        CodeContext::FrontMatterState | CodeContext::Block(Language::Data) => false,
        CodeContext::Block(_) if code_context::is_comment(file, hit.span.start) => false,
        CodeContext::Inline | CodeContext::Block(_) | CodeContext::File(_) => hit.pattern != WORDS,
    }
}

fn is_order(file: &LintFile, hit: &PatternHit) -> bool {
    file.text.as_deref().is_some_and(|text| code_context::is_order(text, hit.span.start))
}

/// Whether the text describes what happens if, or asks whether, something runs with these rights.
fn is_asked(file: &LintFile, hit: &PatternHit) -> bool {
    let Some(text) = file.text.as_deref() else { return true };
    let own = file.slice(&hit.span).to_ascii_lowercase();
    if [" never", " not ", "without", "n't "].iter().any(|word| own.contains(word)) {
        return true;
    }
    let before = text[context_window::line(text, hit.span.start).start..hit.span.start].to_ascii_lowercase();
    [
        "if ",
        "whether",
        "when ",
        "without",
        "check",
        "not ",
        "avoid",
        "which ",
        "that ",
        "containers",
        "processes",
        "?",
        "who ",
    ]
    .iter()
    .any(|word| before.contains(word))
}
