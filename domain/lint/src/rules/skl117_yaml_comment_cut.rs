//! SKL117: text that YAML reads as a comment.

use skillc_domain::frontmatter::{Node, Value};
use crate::fix::Fix;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::scalar::quoted;
use crate::one_line::one_line;
use crate::{FileView, Report};
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL117",
    name: "yaml-comment-cut",
    severity: Severity::Warning,
    tier: Tier::Breaks,
    origin: Origin::Field(
        "YAML 1.2, 6.6: a '#' behind white space begins a comment (https://yaml.org/spec/1.2.2/)",
    ),
    why: "Everything after ' #' in an unquoted value is a YAML comment, so clients silently see a truncated \
          description.",
    fix: "Quote the whole value; put a real comment on its own line.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        "---\n# As the folder.\nname: demo # as the folder\n\
         description: \"Shows how rule #1 works. Use when a rule needs an example.\"\nlicense: MIT # see LICENSE\n---\n\n\
         # Demo\n\nText.\n",
    )])],
    bad: &[
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Shows how a rule works. Use when a rule needs issue #12 or others.\n---\n\n\
             # Demo\n\nText.\n",
        )]),
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
             metadata:\n  channel: #general\n---\n\n# Demo\n\nText.\n",
        )]),
    ],
    check: Check::File(check),
};

/// Fields with prose, in which a comment is hardly ever intended.
const PROSE: [&str; 4] = ["description", "when_to_use", "argument-hint", "compatibility"];

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let (Some((text, _)), Some(fields)) = (view.skill_md(), view.skill_fields()) else { return };
    for (key, value) in &fields.fields {
        match (&value.value, key.text()) {
            (Value::Map(entries), Some("metadata")) => {
                entries.iter().for_each(|(key, value)| judge(text, key, value, report));
            }
            _ => judge(text, key, value, report),
        }
    }
}

fn judge(file: &str, key: &Node, value: &Node, report: &mut Report<'_>) {
    let Some((start, read, end)) = read_part(file, key, value) else { return };
    let Some(comment) = comment_after(file, end) else { return };
    let name = key.text().unwrap_or_default();
    let written = &file[comment.clone()];
    let looks_like_text = written[1..].starts_with(|c: char| !c.is_whitespace() && !"#!-=".contains(c));
    if written.contains("skilllint-") || !(PROSE.contains(&name) || looks_like_text) {
        return;
    }
    let message =
        format!("'{}' ends before '{}', which YAML takes for a comment", one_line(name), one_line(written));
    let whole = format!("{read}{}", &file[end..comment.end]);
    let finding = report.at(comment.clone(), message);
    finding.fix(Fix::risky(
        "put quotes around the whole value",
        start..comment.end,
        quoted(whole.trim_start()),
    ));
}

/// The start of a value, the text that is read, and its end; `None` for a quoted value, a block, a list or a mapping.
fn read_part<'a>(file: &str, key: &Node, value: &'a Node) -> Option<(usize, &'a str, usize)> {
    match &value.value {
        Value::Scalar { text, is_plain: true } => Some((value.span.start, text, value.span.end)),
        Value::Null => {
            let behind = file.get(key.span.end..)?.strip_prefix(':')?;
            let blanks = behind.len() - behind.trim_start_matches([' ', '\t']).len();
            let start = key.span.end + 1 + blanks;
            (blanks > 0).then_some((start, "", start))
        }
        Value::Scalar { .. } | Value::List(_) | Value::Map(_) => None,
    }
}

/// The comment after a position on the same line, without the line break.
fn comment_after(file: &str, end: usize) -> Option<Range<usize>> {
    let line = file.get(end..)?.split(['\n', '\r']).next()?;
    let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
    let comment = line[blanks..].trim_end();
    comment.starts_with('#').then(|| end + blanks..end + blanks + comment.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_ends_with_its_line() {
        assert_eq!(comment_after("a: b  # c \r\nd", 4), Some(6..9));
        assert_eq!(comment_after("a: b\n# c", 4), None);
        assert_eq!(comment_after("a: b", 4), None);
    }
}
