//! SKL119: markup tags in `name` and `description`.

use crate::rules::skl209_placeholder::is_unfilled;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::scalar::part_of;
use crate::one_line::one_line;
use crate::{FileView, Finding, Report};
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL119",
    name: "markup-in-metadata",
    severity: Severity::Warning,
    tier: Tier::Breaks,
    origin: Origin::Client(
        "Anthropic's platform",
        "https://platform.claude.com/docs/en/build-with-claude/skills-guide",
    ),
    why: "Clients put the name and description between tags in the agent's prompt, and a tag in them can end that \
          part, as can the start of a comment, '<!--'. Anthropic's platform and the validators of Anthropic's and Codex's skill creators reject such a \
          skill.",
    fix: "Write the word without angle brackets, or in capitals.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\n\
         description: Shows A -> B where the load is <5 or >7. Use when a rule needs an example.\n---\n\n# Demo\n\nText.\n",
    )])],
    bad: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Fills in <project> for a rule. Use when a rule needs an example.\n---\n\n\
         # Demo\n\nText.\n",
    )])],
    check: Check::File(check),
};

/// Lowers the findings about a skill in a client's folder of a project, such as `.claude/skills`: only what is uploaded to
/// Claude is refused for tags.
pub fn weigh_local(findings: &mut [Finding]) {
    for finding in findings.iter_mut().filter(|finding| finding.rule.id == RULE.id) {
        finding.issue.tier(Tier::Style).hint("it is refused only if the skill is uploaded to Claude, which one of this folder rarely is");
    }
}

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let (Some((file, _)), Some(fields)) = (view.skill_md(), view.skill_fields()) else { return };
    if is_unfilled(view) {
        return;
    }
    for field in ["name", "description"] {
        let Some(node) = fields.get(field) else { continue };
        let Some(text) = node.text() else { continue };
        if let Some(tag) = first_tag(text) {
            let written = one_line(&text[tag.clone()]).into_owned();
            let kind = if written.starts_with(COMMENT) { "comment" } else { "tag" };
            let finding = report.at(part_of(file, node, tag.clone()), format!("{field} contains the {kind} '{written}'"));
            if is_placeholder(text, &written) {
                finding.tier(Tier::Style).hint("write the placeholder in capitals: Claude refuses an uploaded skill for it");
            }
        }
    }
}

/// Whether a tag stands for a value, as in "deploy to <host>": it has a word alone, and nothing ends it.
fn is_placeholder(text: &str, tag: &str) -> bool {
    let Some(word) = tag.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) else { return false };
    let is_word = word.chars().all(|c| c.is_alphanumeric() || "-_".contains(c));
    is_word && !HTML.contains(&word.to_ascii_lowercase().as_str()) && !text.contains(&format!("</{word}>"))
}

/// Elements of HTML that stand alone.
const HTML: &[&str] = &["b", "br", "code", "em", "hr", "i", "img", "li", "p", "script", "style", "svg"];

/// The start of a comment in HTML.
const COMMENT: &str = "<!--";

/// The first part of a text that an XML or HTML parser would read as a tag or as the start of a comment.
pub(crate) fn first_tag(text: &str) -> Option<Range<usize>> {
    text.match_indices('<').find_map(|(at, _)| tag_bytes(&text[at..]).map(|bytes| at..at + bytes))
}

/// Length in bytes of the tag, or of the start of a comment, at the start of a text.
fn tag_bytes(text: &str) -> Option<usize> {
    if text.starts_with(COMMENT) {
        return Some(COMMENT.len());
    }
    let inside = text[1..].find(['<', '>']).map(|end| &text[1..1 + end])?;
    let closes = text[1 + inside.len()..].starts_with('>');
    let name = inside.strip_prefix('/').unwrap_or(inside);
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.:".contains(c);
    let rest = name.trim_start_matches(is_name);
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let ends = rest.is_empty() || rest == "/" || rest.starts_with(char::is_whitespace);
    (closes && begins && ends).then_some(inside.len() + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_looks_like_a_tag_is_one() {
        for (text, tag) in [
            ("a <b> c", Some("<b>")),
            ("a < b <c/>", Some("<c/>")),
            ("</skill_content>", Some("</skill_content>")),
            ("<a href=\"x\">", Some("<a href=\"x\">")),
            ("a -> b, <5 and >3", None),
            ("Epic > Feature < x", None),
            ("<https://example.com> <me@example.com>", None),
            ("<é> <", None),
            ("a <!-- b -->", Some("<!--")),
            ("a <! b", None),
        ] {
            assert_eq!(first_tag(text).map(|span| &text[span]), tag, "{text}");
        }
    }
}
