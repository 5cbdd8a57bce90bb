//! The candidates for completion: skills, files, headings, codes.

use crate::config;
use crate::environment::Surroundings;
use crate::wire::app;
use clap::{Arg, ArgMatches, Command};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use skillc_lint::explain_code::codes;
use skillc_ops::{App, completion};
use skillc_ports::Quiet;
use std::ffi::{OsStr, OsString};
use std::sync::Arc;

/// The command line as typed so far, and the shell.
#[derive(Clone)]
pub struct TypedLine {
    typed: Vec<OsString>,
    command: fn() -> Command,
    shell: String,
}

impl TypedLine {
    /// The words after the `--` of a request.
    pub fn new(arguments: &[OsString], shell: &str, command: fn() -> Command) -> Self {
        let typed = arguments.iter().skip_while(|word| *word != "--").skip(1).cloned().collect();
        Self { typed, command, shell: shell.to_owned() }
    }

    /// The arguments typed so far, of the command.
    fn matches(&self) -> Option<ArgMatches> {
        let matches = (self.command)().ignore_errors(true).try_get_matches_from(&self.typed).ok()?;
        matches.subcommand().map(|(_, inner)| inner.clone())
    }

    fn value(&self, name: &str) -> Option<String> {
        self.matches()?.try_get_one::<String>(name).ok().flatten().cloned()
    }

    /// Whether the shell quotes what it inserts. If not, only words that need no quotes are offered.
    fn is_quoted_by_shell(&self) -> bool {
        ["bash", "zsh", "fish", "elvish"].iter().any(|shell| self.shell.ends_with(shell))
    }
}

/// The kind of value that an argument accepts.
#[derive(Clone, Copy)]
enum Kind {
    Skill,
    File,
    Heading,
    Code,
}

/// The kind of a command's argument, if skc knows its values.
fn kind(command: &str, argument: &str) -> Option<Kind> {
    match (command, argument) {
        ("load", "name") => Some(Kind::Skill),
        (_, "skill") => Some(Kind::Skill),
        ("show", "file") | ("open", "path") => Some(Kind::File),
        ("show", "section") => Some(Kind::Heading),
        ("explain", "code") => Some(Kind::Code),
        _ => None,
    }
}

/// The command, with candidates for its arguments' values.
pub fn with_candidates(mut command: Command, line: &TypedLine) -> Command {
    let verbs: Vec<String> = command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    for name in verbs {
        let known = |arg: &Arg| Some((arg.get_id().clone(), kind(&name, arg.get_id().as_str())?));
        command = command.mut_subcommand(&name, |verb| {
            let all: Vec<_> = verb.get_arguments().filter_map(known).collect();
            all.into_iter().fold(verb, |verb, (id, kind)| {
                let candidates = Candidates { kind, line: line.clone() };
                verb.mut_arg(id, |arg| arg.add(ArgValueCompleter::new(candidates)))
            })
        });
    }
    command
}

struct Candidates {
    kind: Kind,
    line: TypedLine,
}

impl ValueCompleter for Candidates {
    fn complete(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let Some(start) = current.to_str().map(unquoted) else { return Vec::new() };
        if matches!(self.kind, Kind::Skill) && (start.contains('/') || start.starts_with('.')) {
            return PathCompleter::dir().complete(current);
        }
        let values = values(self.kind, &self.line).unwrap_or_default();
        let fits =
            |value: &&String| value.starts_with(&start) && is_safe(value, self.line.is_quoted_by_shell());
        values.iter().filter(fits).map(CompletionCandidate::new).collect()
    }
}

/// The typed text, without the quotes that bash leaves in it.
fn unquoted(typed: &str) -> String {
    typed.trim_start_matches(['"', '\'']).replace('\\', "")
}

/// Whether a shell can safely insert a word. It comes from other people, and must neither be executed nor break the
/// line.
fn is_safe(word: &str, is_quoted_by_shell: bool) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    let is_fit = |c: char| is_plain(c) || is_quoted_by_shell && !c.is_control() && !is_invisible(c);
    !word.is_empty() && !word.starts_with(['-', '~']) && word.chars().all(is_fit)
}

/// Whether a character changes how a line is displayed.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

fn values(kind: Kind, line: &TypedLine) -> Option<Vec<String>> {
    Some(match kind {
        Kind::Code => codes().map(|(code, _)| code.to_owned()).collect(),
        Kind::Skill => completion::skills(&here()?),
        Kind::File => completion::files(&here()?, &line.value("skill")?),
        Kind::Heading => completion::headings(&here()?, &line.value("skill")?, line.value("file").as_deref()),
    })
}

fn here() -> Option<App> {
    let surroundings = Surroundings::of_process().ok()?;
    let settings = config::load(&surroundings).settings;
    Some(app(surroundings.places, settings, surroundings.environment, Arc::new(Quiet)))
}

#[cfg(test)]
mod tests {
    use super::{is_safe, unquoted};

    #[test]
    fn a_word_that_a_shell_would_run_is_offered_only_where_it_is_quoted() {
        for word in ["a b", "$(touch x)", "a;b", "`x`", "a|b", "it's"] {
            assert!(is_safe(word, true) && !is_safe(word, false), "{word}");
        }
        for word in ["", "-rf", "~root", "a\nb", "a\tb", "a\u{b}b", "a\u{1b}[2J", "a\u{202e}b"] {
            assert!(!is_safe(word, true) && !is_safe(word, false), "{word:?}");
        }
        assert!(is_safe("références/a_b-c.md", false));
    }

    #[test]
    fn quotes_of_bash_are_no_part_of_the_word() {
        assert_eq!(unquoted("\"Getting S"), "Getting S");
        assert_eq!(unquoted("Getting\\ S"), "Getting S");
    }
}
