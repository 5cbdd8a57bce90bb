//! Which commands a skill needs, as far as its text shows.

use skillc_domain::markup::{Markup, RegionKind};
use std::collections::BTreeSet;

/// Languages of code blocks with commands.
const SHELLS: &[&str] = &["sh", "bash", "zsh", "shell", "console", "shellsession"];
/// Words at the start of a line that run no program.
const BUILT_IN: &[&str] = &[
    "cd", "case", "do", "done", "echo", "elif", "else", "esac", "eval", "exit", "export", "fi", "for",
    "function", "if", "in", "local", "read", "return", "set", "shift", "source", "test", "then", "true",
    "unset", "until", "while",
];
/// Verbs that order a run.
const RUN: &[&str] = &["run", "re-run", "rerun", "runs", "running", "execute", "executes"];
/// Things that every project has and runs in its own way.
const OF_PROJECT: &[&str] = &["test", "tests", "suite", "build", "builds", "linter", "linters"];
/// Maximum number of words between the verb and the thing that it runs.
const WORDS_TO_OBJECT: usize = 8;
/// Words before "command" that leave open which one is meant.
const OPEN: &[&str] = &["validation", "verification", "test", "build", "failing", "exact", "canonical"];

/// The programs that the shell blocks and the inline code of a text run.
pub fn named<'a>(text: &'a str, markup: &Markup) -> BTreeSet<&'a str> {
    shell_blocks(text, markup).flat_map(of_block).chain(inline(text, markup)).collect()
}

/// Programs that inline code with an argument runs.
const PROGRAMS: &[&str] = &[
    "bun",
    "cargo",
    "curl",
    "deno",
    "docker",
    "gh",
    "git",
    "go",
    "kubectl",
    "make",
    "mvn",
    "node",
    "npm",
    "npx",
    "pip",
    "pnpm",
    "pytest",
    "python",
    "python3",
    "terraform",
    "uv",
    "uvx",
    "yarn",
];

/// The programs that inline code runs: `npm run build`.
fn inline<'a>(text: &'a str, markup: &Markup) -> impl Iterator<Item = &'a str> {
    let codes = markup.regions.iter().filter(|region| region.kind == RegionKind::InlineCode);
    codes.filter_map(move |region| {
        let (word, rest) = text.get(region.span.clone())?.trim_matches('`').trim().split_once(' ')?;
        (PROGRAMS.contains(&word) && !rest.trim().is_empty()).then_some(word)
    })
}

/// Words before a command that run it.
const PREFIXES: [&str; 4] = ["command ", "env ", "nohup ", "time "];

fn shell_blocks<'a>(text: &'a str, markup: &Markup) -> impl Iterator<Item = &'a str> {
    let is_shell = |info: &str| info.split([' ', '{']).next().is_some_and(|name| SHELLS.contains(&name));
    let blocks = markup.code_blocks.iter().filter(move |block| is_shell(&block.info));
    blocks.filter_map(|block| text.get(block.span.clone()))
}

/// Whether the shell blocks of a text have scripts of several commands, which no pattern for one command matches:
/// substitutions, functions or branches.
pub fn are_scripts(text: &str, markup: &Markup) -> bool {
    shell_blocks(text, markup).any(|block| {
        let begins =
            |line: &str| ["if ", "for ", "while "].iter().any(|word| line.trim_start().starts_with(word));
        block.contains("$(") || block.contains("() {") || block.lines().any(begins)
    })
}

fn of_block(block: &str) -> impl Iterator<Item = &str> {
    let mut is_continued = false;
    block.lines().skip(1).filter_map(move |line| {
        let is_first = !std::mem::replace(&mut is_continued, line.ends_with('\\'));
        let line = line.trim_start();
        let line = line.strip_prefix("$ ").unwrap_or(line);
        let line = PREFIXES.iter().find_map(|prefix| line.strip_prefix(prefix)).unwrap_or(line);
        let end = line.find(|c: char| !c.is_ascii_alphanumeric() && !"._-".contains(c)).unwrap_or(line.len());
        let (word, rest) = line.split_at(end);
        let is_program =
            word.starts_with(|c: char| c.is_ascii_lowercase()) && (rest.is_empty() || rest.starts_with(' '));
        (is_first && is_program && !BUILT_IN.contains(&word)).then_some(word)
    })
}

/// Whether a text tells the agent to run commands of the current project, such as its tests, which no list could name
/// in advance.
pub fn are_of_project(body: &str) -> bool {
    body.lines().any(|line| {
        let lower = line.to_ascii_lowercase();
        let is_word = |c: char| c.is_alphanumeric() || c == '-';
        let words: Vec<&str> = lower.split(|c: char| !is_word(c)).filter(|word| !word.is_empty()).collect();
        let is_run = |(at, word): (usize, &&str)| {
            let near = &words[at + 1..words.len().min(at + 1 + WORDS_TO_OBJECT)];
            RUN.contains(word) && near.iter().any(|word| OF_PROJECT.contains(word))
        };
        let is_open = |two: &[&str]| OPEN.contains(&two[0]) && matches!(two[1], "command" | "commands");
        words.iter().enumerate().any(is_run) || words.windows(2).any(is_open)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_the_first_words_of_lines() {
        let block =
            "```sh\n# list\n$ jira-as list \\\n  --all\ncd x\nX=1\ngit log | head\nThis is output\n```\n";
        assert_eq!(of_block(block).collect::<Vec<_>>(), ["jira-as", "git"]);
    }

    #[test]
    fn tests_and_builds_are_of_the_project() {
        for (text, expected) in [
            ("Run the failing test, then fix it.", true),
            ("Then run the project's whole test suite.", true),
            ("Name the exact command that proves it.", true),
            ("Run `report.py` on the table.", false),
            ("Tests are in the folder 'tests'.", false),
        ] {
            assert_eq!(are_of_project(text), expected, "{text}");
        }
    }
}
