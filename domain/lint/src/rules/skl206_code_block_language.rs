//! SKL206: code blocks that do not say what they hold.

use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{FileView, Report};
use skillc_domain::markup::CodeBlock;

/// The rule.
pub static RULE: Rule = Rule {
    id: "SKL206",
    name: "code-block-language",
    severity: Severity::Warning,
    tier: Tier::Style,
    origin: Origin::Field("markdownlint MD040 (https://github.com/DavidAnson/markdownlint)"),
    why: "An agent has to guess whether a block is a command, the content of a file, or expected output, and editors \
          cannot highlight it.",
    fix: "Name the language after the opening fence: 'sh', 'python', 'json'; 'text' for anything else.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!("```sh\nls\n```\n\n```\n├── a\n└── b\n```\n\n    indented\n\n```\n\n```\n"),
    )])],
    bad: &[Example::new(&[("SKILL.md", crate::skill_md!("```\nls -l\n```\n\n- ~~~\n  ls\n  ~~~\n"))])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, markup)) = view.markdown() else { return };
    for block in markup.code_blocks.iter().filter(|block| block.is_fenced && block.info.is_empty()) {
        let Some(written) = text.get(block.span.clone()) else { continue };
        let first = written.lines().next().unwrap_or_default();
        if has_content(block, written) && !is_drawing(written) {
            let start = block.span.start + (first.len() - first.trim_start().len());
            report.at(start..block.span.start + first.trim_end().len(), "code block names no language");
        }
    }
}

/// Whether the block has any content.
fn has_content(block: &CodeBlock, written: &str) -> bool {
    let filled = written.lines().skip(1).filter(|line| !line.trim().is_empty()).count();
    filled > usize::from(block.is_closed)
}

/// A tree or a diagram has no language.
fn is_drawing(written: &str) -> bool {
    written.chars().any(|c| matches!(c, '\u{2500}'..='\u{257f}'))
}

#[cfg(test)]
mod tests {
    use super::*;

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
