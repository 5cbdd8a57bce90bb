//! SKL522: commands that run before anybody has read the skill.

use skillc_domain::frontmatter::{Node, Value};
use crate::security::code_context::{self, Language};
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::{FileView, Report};
use skillc_domain::markup::{CodeBlock, Markup, RegionKind};
use std::ops::Range;

/// The rule.
pub static RULE: Rule = Rule {
    id: "SKL522",
    name: "dynamic-context",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Client("Claude Code", "https://code.claude.com/docs/en/skills"),
    why: "Claude Code runs these commands on its own when the skill is loaded or tools are used; the model cannot \
          inspect or refuse them.",
    fix: "Tell the agent to run the command as a step, or make sure that the command only reads and takes no input \
          from the conversation.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!(
            "Run `git status`. What stands as `` !`git status` `` is run by Claude Code.\n\n```markdown\nBranch: !`git branch`\n```\n"
        ),
    )])],
    bad: &[
        Example::new(&[("SKILL.md", crate::skill_md!("Branch: !`git branch --show-current`\n"))]),
        Example::new(&[("SKILL.md", crate::skill_md!("State:\n\n```!\ngit status --short\n```\n"))]),
    ],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, markup)) = view.skill_md() else { return };
    let fields = view.skill_fields().map_or(&[][..], |fields| &fields.fields);
    let is_hooks = |(key, value): &&(Node, Node)| {
        key.text() == Some("hooks") && matches!(value.value, Value::Map(_) | Value::List(_))
    };
    if let Some((key, _)) = fields.iter().find(is_hooks) {
        report.at(key.span.clone(), "commands in 'hooks' run on their own while the skill is in use");
    }
    let mut found: Vec<Range<usize>> = inline(text, markup);
    found.extend(markup.code_blocks.iter().filter_map(|block| in_block(text, block)));
    found.sort_by_key(|span| span.start);
    for span in found {
        let command = text[span.clone()].trim_start_matches(['!', '`', '~']).trim_end_matches(['`', '~']).trim();
        let first = one_line(command.lines().next().unwrap_or_default());
        report.at(span, format!("Claude Code runs '{first}' before the model sees the text"));
    }
}

/// `` !`command` `` in prose: with the mark at the start of a line or behind white space, as Claude Code asks for.
fn inline(text: &str, markup: &Markup) -> Vec<Range<usize>> {
    let code = markup.regions.iter().filter(|region| region.kind == RegionKind::InlineCode);
    code.filter(|region| {
        let before = text[..region.span.start].strip_suffix('!');
        let inner = &text[region.span.clone()];
        before.is_some_and(|before| before.is_empty() || before.ends_with(char::is_whitespace))
            && !inner.starts_with("``")
            && is_command(inner.trim_matches('`'))
    })
    .map(|region| region.span.start - 1..region.span.end)
    .collect()
}

/// A block that is run itself, or one that holds nothing but such a command: what is filled in is shown as a block.
fn in_block(text: &str, block: &CodeBlock) -> Option<Range<usize>> {
    let written = &text[block.span.clone()];
    let mut lines = written.split_inclusive('\n');
    let start = block.span.start + lines.next()?.len();
    if block.info == "!" {
        return Some(start..start + lines.next()?.trim_end().len());
    }
    let line = lines.next()?;
    let is_filled_in = block.is_fenced
        && line.starts_with("!`")
        && line.trim_end().len() > 3
        && line.trim_end().ends_with('`')
        && lines.next().is_some_and(|end| end.trim_start().starts_with(['`', '~']))
        && !matches!(block.info.as_str(), "" | "md" | "markdown" | "text" | "txt")
        && code_context::language(&block.info).is_some_and(|language| language != Language::Unknown);
    is_filled_in.then(|| start..start + line.trim_end().len())
}

/// Whether code begins as a command does: not with a flag, an operator or nothing.
fn is_command(code: &str) -> bool {
    let code = code.trim();
    code.len() > 1 && code.starts_with(|c: char| c.is_alphanumeric() || "/.$~[({\"'_".contains(c))
}
