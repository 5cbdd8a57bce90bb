//! SKL528: commands that show or store the whole environment of a process.

use crate::security::code_context::{self, Language, CodeContext};
use crate::security::sensitive_paths;
use crate::rule::{Check, Example, Origin, Pattern, Rule, Severity, Tier};
use crate::view::{PatternHit, LintFile};
use crate::{FileView, Report};
use crate::security::{flow, hits, context_window};
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL528",
    name: "environment-harvest",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("SkillSpector E2"),
    why: "The environment contains the agent's keys and tokens; printing or storing all of it discloses them.",
    fix: "Read the needed variables one by one, by name.",
    params: &[],
    patterns: &[
        Pattern { needles: || sensitive_paths::ENVIRONMENT_NEEDLES, regex: sensitive_paths::ENVIRONMENT },
        Pattern {
            needles: || &[
                "environment variables",
                "env vars",
                "environment variable",
                "entire environment",
                "whole environment",
                "full environment",
                "complete environment",
            ],
            regex: r"(?ix-u) \b(?:print|dump|collect|gather|output|display|capture|harvest|save|record|send|log|steal|exfiltrate|upload)\w* \s+ (?:out\s+|the\s+values\s+of\s+)? (?:all|every|each|the\s+(?:full|entire|whole|complete)|any|whole|entire) \s+ (?:of\s+)? (?:\w+\s+){0,2}? (?:environment\ variables?|env\ vars?|environment)\b",
        },
    ],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!("```sh\nprintenv HOME\nenv PORT=1 sh run.sh\n```\n"),
    )])],
    bad: &[
        Example::new(&[("SKILL.md", crate::skill_md!("```sh\nprintenv > notes.txt\n```\n"))]),
        Example::new(&[(
            "SKILL.md",
            crate::skill_md!(
                "```js\nconst page = JSON.stringify({ when: Date.now, state: process.env });\n```\n"
            ),
        )]),
    ],
    check: Check::File(check),
};

/// Index of the pattern for orders in words.
const WORDS: usize = 1;
/// Ways of passing the environment to another process, as every program does.
const PASSED: &str = "env=|env =|env: {|env:{|env: process.env|env:process.env|environ.copy|popen(|subprocess|spawn(|exec(|execa(|execfile|fork(|startswith|if k in|if key in|\" in os.environ|' in os.environ|env -i";
/// Functions and commands that store or show a copy of the environment.
const SINKS: &[&str] = &[
    "json.dump",
    "json.stringify(",
    "print(",
    "write(",
    "console.log(",
    "post(",
    "writefile",
    "send(",
    "upload",
];
/// Words that make a copy of the environment suspicious in any case.
const STORING: &str = "json.dump|json.stringify|print(|write(|console.|base64|pprint|.items()|post(|send(|object.entries|object.keys|log(|dumps(";

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(text) = view.file.text.as_deref() else { return };
    let taken = hits::executable(view.file, &RULE)
        .filter(|hit| is_taken(view.file, text, hit))
        .map(|hit| trimmed(text, &hit.span));
    hits::once(report, taken.collect::<Vec<_>>().into_iter(), |_| {
        "the whole environment is read".to_owned()
    });
}

/// The match without surrounding white space and separators.
fn trimmed(text: &str, span: &Range<usize>) -> Range<usize> {
    let hit = &text[span.clone()];
    let ends = |c: char| c.is_whitespace() || ";&|(`\"'".contains(c);
    let start = span.start + (hit.len() - hit.trim_start_matches(ends).len());
    start..(span.start + hit.trim_end_matches(ends).len()).max(start)
}

fn is_taken(file: &LintFile, text: &str, hit: &PatternHit) -> bool {
    let context = code_context::context_at(file, hit.span.start + 1);
    if hit.pattern == WORDS {
        return context == CodeContext::Prose;
    }
    let place = trimmed(text, &hit.span);
    let line = text[context_window::line(text, place.start)].to_ascii_lowercase();
    let word = text[place.clone()].trim_end_matches([')', '|', '>', '#', '2', ' ']);
    let is_shell = matches!(word, "env" | "printenv" | "set" | "sudo env" | "sudo printenv" | "/usr/bin/env");
    match code_context::context_at(file, place.start) {
        // In inline code or in another language, `env` is a word like any other.
        CodeContext::Inline => {
            !is_shell
                || is_ordered(&text[..place.start], &line)
                || (word == "printenv" && line.contains("output"))
        }
        CodeContext::Block(language) | CodeContext::File(language) if is_shell => {
            let is_called =
                text[..place.start].ends_with("$(") || text[..place.start].ends_with("<(") || word != "env";
            let is_listed = matches!(language, Language::Shell | Language::Unknown) && word != "set"
                || line.contains("set |")
                || line.contains("set >");
            (is_listed && (line.trim_start().starts_with(word) || is_called)
                || is_called && is_quoted(text, &place))
                && !is_filtered(&line)
        }
        CodeContext::Block(_) | CodeContext::File(_) => is_stored(text, &place, &line),
        CodeContext::Prose | CodeContext::FrontMatterState => false,
    }
}

fn is_ordered(before: &str, line: &str) -> bool {
    let before = before.trim_end_matches('`').trim_end();
    ["run", "execute", "Run", "Execute"].iter().any(|verb| before.ends_with(verb)) && !line.contains("grep")
}

fn is_quoted(text: &str, place: &Range<usize>) -> bool {
    text[..place.start].ends_with(['"', '\'', '('])
}

/// Whether a program stores or shows the environment, rather than only passes it on.
fn is_stored(text: &str, place: &Range<usize>, line: &str) -> bool {
    (!has_one(line, PASSED) || has_one(line, STORING)) && !is_filtered(line)
        || flow::reaches(text, place, SINKS).is_some()
}

/// Whether one variable is selected: `env | grep PORT`, but not `env | grep -i key`.
fn is_filtered(line: &str) -> bool {
    let picked = line.split_once("grep").map(|(_, pattern)| pattern);
    picked.is_some_and(|pattern| !has_one(pattern, "key|token|secret|pass|cred|auth"))
}

fn has_one(text: &str, words: &str) -> bool {
    words.split('|').any(|word| text.contains(word))
}
