//! Whether a command is meant to be run, as opposed to mentioned.

use crate::security::code_context::{self, CodeContext, Language};
use crate::security::{context_window, flow};
use crate::view::LintFile;
use std::ops::Range;

/// Words before a command that tell the agent to run it.
const VERBS: &str = "run|runs|running|execute|executes|executing|type|enter|issue|invoke|call|use|using|with|via|do|then|first|finally|launch|\
    start|re-run|rerun|ejecuta|ejecute|exécute|exécutez|executa|führe|запусти|выполни|执行|运行|実行";
/// Number of words before a command that are searched for a verb.
const WORDS_BEFORE_MAX: usize = 6;
/// Number of bytes of a line before a command that are examined.
const BEFORE_BYTES_MAX: usize = 160;

/// Function calls that run a command given as text.
pub const CALLS: &[&str] = &[
    "system(",
    "popen(",
    "subprocess.run(",
    "subprocess.call(",
    "check_call(",
    "check_output(",
    "getoutput(",
    "exec(",
    "execsync(",
    "execfile(",
    "execfilesync(",
    "exec_command(",
    "spawn(",
    "spawnsync(",
    "shell(",
    "shell_exec(",
    "create_subprocess_shell(",
    "create_subprocess_exec(",
    "exec.command(",
    "code_context::new(",
    "execa(",
    "run(",
    "sh(",
    "bash(",
    "$`",
    "%x",
];

/// Keys in data whose value is run.
const KEYS: &str = "\"command\"|command:|\"run\"|run:|cmd:|\"cmd\"|script:|install\":|\"pre|\"post|exec:|\"script|entrypoint|\"start\"|\"setup\"|\"hook";

/// Whether the command at a span is meant to be run: it is in a script or command block, a program runs it, or the
/// text tells the agent to.
pub fn is_invoked(file: &LintFile, span: &Range<usize>) -> bool {
    let Some(text) = file.text.as_deref() else { return false };
    let before = before(text, span.start);
    match code_context::context_at(file, span.start) {
        CodeContext::File(_) | CodeContext::Block(_) if code_context::is_comment(file, span.start) => false,
        CodeContext::File(language) | CodeContext::Block(language) => match language {
            Language::Shell | Language::Windows | Language::Unknown => !is_only_text(before),
            Language::Python | Language::JavaScript | Language::Program => {
                flow::reaches(text, span, CALLS).is_some()
            }
            Language::Data => has_one(&before.to_lowercase(), KEYS),
        },
        CodeContext::Inline => is_ordered(before),
        CodeContext::Prose => is_ordered(before) && !before.trim_end().ends_with(','),
        CodeContext::FrontMatterState => false,
    }
}

/// The relevant part of the line before an offset.
pub fn before(text: &str, at: usize) -> &str {
    let before = &text[context_window::line(text, at).start..at];
    &before[context_window::floor(before, before.len().saturating_sub(BEFORE_BYTES_MAX))..]
}

/// Whether a shell only shows, compares or lists the text that follows.
fn is_only_text(before: &str) -> bool {
    let start = before.trim_start();
    let is_open = |quote: char| before.matches(quote).count() % 2 == 1;
    let is_quoted = is_open('"') || is_open('\'');
    let is_shown = |part: &str| {
        ["echo", "printf", "Write-Host", "print", "log", "warn", "die", "say"]
            .iter()
            .any(|tool| part.trim_start().strip_prefix(tool).is_some_and(|rest| rest.starts_with([' ', '('])))
    };
    let is_compared = before.contains("=~") || before.contains("== ") || before.contains("!= ");
    let last = before.rsplit([';', '|', '&', '(']).next().unwrap_or_default();
    is_compared
        || start.starts_with(['"', '\'', '*', '|', '├', '└', '│'])
        || if is_quoted { is_shown(start) } else { is_shown(last) }
}

/// Whether one of the last words of the sentence is a verb for running, or the command is a numbered step.
fn is_ordered(before: &str) -> bool {
    let before = before.trim_end_matches(['`', '"', '\'', '*', '$', ' ']);
    let sentence = before.rsplit(". ").next().unwrap_or_default().to_lowercase();
    let is_step = !before.trim().is_empty()
        && before.trim().trim_start_matches(|c: char| c.is_ascii_digit()).trim_matches(['.', ')']).is_empty();
    let words =
        sentence.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '\'').filter(|w| !w.is_empty());
    is_step
        || words.rev().take(WORDS_BEFORE_MAX).any(|word| VERBS.split('|').any(|verb| verb == word))
        || ["执行", "运行", "実行"].iter().any(|verb| sentence.contains(verb))
}

/// Whether a text contains one of several words, separated by `|`.
pub fn has_one(text: &str, words: &str) -> bool {
    words.split('|').any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillc_domain::path::RelPath;

    fn invoked(path: &str, text: &str) -> bool {
        let path = RelPath::parse(path).unwrap();
        let at = text.find("CMD").unwrap();
        is_invoked(&LintFile { path, text: Some(text.to_owned()), ..LintFile::default() }, &(at..at + 3))
    }

    #[test]
    fn a_command_that_is_run_is_told_from_one_that_is_spoken_of() {
        for (path, text, expected) in [
            ("a.sh", "set -e; CMD", true),
            ("a.sh", "# CMD", false),
            ("a.sh", "echo \"é CMD\"", false),
            ("a.sh", "echo x | CMD", true),
            ("a.sh", "echo 'x' > y; CMD", true),
            ("a.sh", "  \"CMD\"", false),
            ("a.sh", "[[ $c =~ CMD ]]", false),
            ("a.py", "os.system('CMD')", true),
            ("a.py", "c = 'CMD'\nos.system(c)", true),
            ("a.py", "BAD = ['CMD']", false),
            ("a.json", "\"command\": \"CMD\"", true),
            ("a.json", "\"text\": \"CMD\"", false),
            ("a.txt", "Run CMD", true),
            ("a.txt", "1. `CMD`", true),
            ("a.txt", "CMD is well known", false),
            ("a.txt", "Say what it does. CMD", false),
        ] {
            assert_eq!(invoked(path, text), expected, "{path} {text}");
        }
    }
}
