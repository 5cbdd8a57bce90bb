//! SKL206: code blocks without a language.

use crate::cut_sample::opening_fence;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{FileView, Report};
use skillc_domain::markup::CodeBlock;

pub static RULE: Rule = Rule {
    id: "SKL206",
    name: "code-block-language",
    severity: Severity::Warning,
    tier: Tier::Style,
    origin: Origin::Field("markdownlint MD040 (https://github.com/DavidAnson/markdownlint)"),
    why: "An agent has to guess whether a block is a command, the content of a file, or expected output, and editors \
          cannot highlight it. Trees, prose and output need no language.",
    fix: "Name the language after the opening fence: 'sh', 'python', 'json'; 'text' for anything else.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!("```sh\nls\n```\n\n```\n├── a\n└── b\n```\n\n    indented\n\n```\n\n```\n\n```\nNo production code without a test first\n```\n\n```\n3 tests passed, 0 failed\n```\n"),
    )])],
    bad: &[Example::new(&[("SKILL.md", crate::skill_md!("```\nls -l\n```\n\n- ~~~\n  ls\n  ~~~\n"))])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, markup)) = view.markdown() else { return };
    for block in markup.code_blocks.iter().filter(|block| block.is_fenced && block.info.is_empty()) {
        let Some(written) = text.get(block.span.clone()) else { continue };
        if has_content(block, written) && is_code(written) {
            report.at(opening_fence(text, block), "code block names no language");
        }
    }
}

/// Whether the block has any content.
fn has_content(block: &CodeBlock, written: &str) -> bool {
    let filled = written.lines().skip(1).filter(|line| !line.trim().is_empty()).count();
    filled > usize::from(block.is_closed)
}

/// Commands that begin a line of shell.
const COMMANDS: &[&str] = &[
    "$", "apt", "apt-get", "aws", "az", "bash", "brew", "bun", "bunx", "cargo", "cat", "cd", "chmod", "claude", "cmake",
    "codex", "cp", "curl", "deno", "docker", "dotnet", "echo", "export", "find", "gcloud", "gh", "git", "go", "gradle",
    "grep", "hdc", "helm", "java", "kubectl", "ls", "make", "mkdir", "mv", "mvn", "node", "npm", "npx", "pip", "pip3",
    "pnpm", "poetry", "python", "python3", "rg", "rm", "ruby", "rustup", "sed", "sh", "skc", "source", "ssh", "sudo",
    "tar", "terraform", "uv", "uvx", "wget", "wrangler", "yarn",
];
/// Beginnings of lines in programs.
const STATEMENTS: &[&str] = &[
    "#!/", "#include", "@app.", "SELECT ", "INSERT INTO", "CREATE TABLE", "class ", "const ", "def ", "enum ", "export const",
    "export default", "export function", "fn ", "from ", "func ", "function ", "import ", "interface ", "let ", "package ",
    "pub fn", "public ", "return ", "struct ", "use ", "var ", "<?", "<!DOCTYPE", "</",
];

/// Whether a block contains a program, commands or data. Trees, diagrams, prose and output have no language.
fn is_code(written: &str) -> bool {
    let is_drawn = written.contains(|c: char| matches!(c, '\u{2500}'..='\u{257f}' | '→' | '↓' | '▼'))
        || written.contains("|--")
        || written.contains("+--");
    let lines = || written.lines().skip(1).map(str::trim).filter(|line| !line.is_empty());
    !is_drawn && (is_data(lines) || lines().any(|line| is_command(line) || is_statement(line)))
}

fn is_command(line: &str) -> bool {
    let line = line.strip_prefix("$ ").unwrap_or(line);
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let is_sentence = line.ends_with(['.', ':', '!']) || rest.starts_with(['→', '=']);
    COMMANDS.contains(&word) && !is_sentence
}

/// Whether a line begins like a statement and contains a character that prose does not.
fn is_statement(line: &str) -> bool {
    let has_sign = line.contains(['(', '{', ';', '=', '"', '\'', '<', '*']);
    let begins = STATEMENTS.iter().any(|begin| line.starts_with(begin)) && has_sign;
    begins || line.ends_with([';', '{']) && line.len() > 2 || line.ends_with(");") || line.ends_with(") {")
}

/// Whether the lines are JSON or markup: the first one opens, the last one closes.
fn is_data<'a, I: Iterator<Item = &'a str>>(lines: impl Fn() -> I) -> bool {
    let is_fence = |line: &&str| !line.starts_with("```") && !line.starts_with("~~~");
    let (first, last) = (lines().find(is_fence), lines().filter(is_fence).last());
    match (first, last) {
        (Some("{" | "[" | "[{"), Some("}" | "]" | "}]")) => lines().any(|line| line.contains("\":")),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_commands_and_data_are_code() {
        for text in ["npm install x", "$ ls", "def f():\n  return 1", "x = f();", "{\n\"a\": 1\n}", "if (a) {\n}", "import os, sys # (a)"] {
            assert!(is_code(&format!("```\n{text}\n```")), "{text}");
        }
        for text in [
            "NO CODE WITHOUT A TEST",
            "a/\n|-- b",
            "Step 1 → Step 2",
            "make it simple.",
            "feat(scope): what is now true",
            "Name: what it is\nStatus: open",
            "[ ] done",
            "error: no such file",
        ] {
            assert!(!is_code(&format!("```\n{text}\n```")), "{text}");
        }
    }

    #[test]
    fn a_block_of_blank_lines_is_empty() {
        for (written, is_closed, expected) in [
            ("```\n```", true, false),
            ("```\n\n \n```\n", true, false),
            ("```\nx\n```", true, true),
            ("```\nx", false, true),
            ("```", false, false),
        ] {
            let block = CodeBlock { info: String::new(), span: 0..written.len(), is_fenced: true, is_closed };
            assert_eq!(has_content(&block, written), expected, "{written:?}");
        }
    }
}
