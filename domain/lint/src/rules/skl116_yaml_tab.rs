//! SKL116: tabs in front matter.

use skillc_domain::frontmatter::{FrontMatter, FrontMatterSpan, Node, Value};
use crate::fix::Fix;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::scalar::{maps, scalars};
use crate::{FileView, Report};
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL116",
    name: "yaml-tab",
    severity: Severity::Warning,
    tier: Tier::Breaks,
    origin: Origin::Field(
        "PyYAML and strictyaml (skills-ref) refuse a tab that separates; YAML 1.2 allows it in places",
    ),
    why: "YAML readers differ on where a tab is allowed: some load the skill, others report a syntax error and drop \
          it.",
    fix: "Use spaces.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: \"Shows how one rule\tworks. Use when a rule needs an example.\"\n---\n\n\
         # Demo\n\nText.\n",
    )])],
    bad: &[Example::new(&[(
        "SKILL.md",
        "---\nname:\tdemo\ndescription: Shows how one rule works. Use when a rule needs an example.\n---\n\n\
         # Demo\n\nText.\n",
    )])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let (Some((text, markup)), Some(fields)) = (view.skill_md(), view.skill_fields()) else { return };
    let FrontMatterSpan::Block { yaml: (start, end), .. } = markup.front_matter else { return };
    if !text[start..end].contains('\t') {
        return;
    }
    let nodes = scalar_spans(fields);
    let mut at = start;
    while let Some(found) = text[at..end].find('\t') {
        let from = at + found;
        at = from + text[from..end].bytes().take_while(|byte| *byte == b'\t').count();
        judge(text, from..at, &nodes, report);
    }
}

fn judge(text: &str, tabs: Range<usize>, nodes: &[(Range<usize>, bool)], report: &mut Report<'_>) {
    let inside = node_at(nodes, tabs.start);
    let is_covered = inside.is_some_and(|(_, is_plain)| !is_plain);
    if is_covered || (inside.is_none() && is_in_comment(text, tabs.start, nodes)) {
        return;
    }
    let title = "write a blank";
    let fix = if inside.is_some() {
        Fix::risky(title, tabs.clone(), " ")
    } else {
        Fix::safe(title, tabs.clone(), " ")
    };
    report.at(tabs, "front matter contains a tab").fix(fix);
}

/// Byte ranges of all scalars including keys, in order, and whether each is plain.
fn scalar_spans(fields: &FrontMatter) -> Vec<(Range<usize>, bool)> {
    let keys = maps(fields).into_iter().flatten().map(|(key, _)| key);
    let values = scalars(fields).into_iter().map(|scalar| scalar.node);
    let mut spans: Vec<_> = keys.chain(values).filter_map(span_of).collect();
    spans.sort_unstable_by_key(|(span, _)| span.start);
    spans
}

fn span_of(node: &Node) -> Option<(Range<usize>, bool)> {
    match node.value {
        Value::Scalar { is_plain, .. } => Some((node.span.clone(), is_plain)),
        Value::Null | Value::List(_) | Value::Map(_) => None,
    }
}

fn node_at(nodes: &[(Range<usize>, bool)], at: usize) -> Option<&(Range<usize>, bool)> {
    let after = nodes.partition_point(|(span, _)| span.start <= at);
    nodes[..after].last().filter(|(span, _)| at < span.end)
}

/// Whether a position is in a comment: a `#` at the start of the line or after white space, outside of scalars,
/// begins one.
fn is_in_comment(text: &str, at: usize, nodes: &[(Range<usize>, bool)]) -> bool {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    text[start..at].match_indices('#').any(|(found, _)| {
        let hash = start + found;
        let is_first = hash == start || text[..hash].ends_with([' ', '\t']);
        is_first && node_at(nodes, hash).is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_begins_behind_white_space_and_outside_of_scalars() {
        let text = "a: 'x #'\t# c\t\nb: c#\t\n#\t";
        let nodes = [(0..1, true), (3..8, false), (14..15, true), (17..19, true)];
        let tabs: Vec<_> = text.match_indices('\t').map(|(at, _)| is_in_comment(text, at, &nodes)).collect();
        assert_eq!(tabs, [false, true, false, true]);
    }
}
