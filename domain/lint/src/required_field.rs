//! Reports required fields that are missing or not text.

use crate::fix::Fix;
use crate::{FileView, Issue, Report};
use skillc_domain::frontmatter::{FrontMatterSpan, Value};
use skillc_domain::suggest::slip;

/// Reports a field of `SKILL.md` that is missing or not text. Returns the finding for a missing field, so that the
/// caller can add to it. Reports nothing if the front matter cannot be read.
pub fn check_required<'r>(
    view: &FileView<'_>,
    key: &str,
    report: &'r mut Report<'_>,
) -> Option<&'r mut Issue> {
    let fields = view.skill_fields()?;
    let missing = format!("missing frontmatter field '{key}'");
    let Some((key_node, node)) = fields.fields.iter().rev().find(|(k, _)| k.text() == Some(key)) else {
        let finding = report.whole(opening_line(view), missing);
        let slip = fields.fields.iter().filter_map(|(key, _)| key.text()).find(|w| slip(w, [key]).is_some());
        finding.hint(match slip {
            Some(written) => format!("rename '{written}' to '{key}'"),
            None => format!("add '{key}: …' between the '---' lines at the top of SKILL.md"),
        });
        return Some(finding);
    };
    match &node.value {
        Value::Scalar { .. } => {}
        Value::Null => {
            report.at(key_node.span.clone(), missing).hint(format!("write a {key} after '{key}:'"));
        }
        Value::List(_) | Value::Map(_) => {
            report.at(node.span.clone(), format!("{key} is {}, not text", node.kind()));
        }
    }
    None
}

/// The edit that inserts a field at the top; `None` if an existing field's name may be a typo of it.
pub fn inserted(view: &FileView<'_>, key: &str, value: &str) -> Option<Fix> {
    let (text, markup) = view.skill_md()?;
    let FrontMatterSpan::Block { yaml: (start, _), .. } = markup.front_matter else { return None };
    let keys = view.skill_fields()?.fields.iter().filter_map(|(key, _)| key.text());
    let line_break = if text[..start].ends_with("\r\n") { "\r\n" } else { "\n" };
    let can_begin =
        keys.clone().count() > 0 && keys.into_iter().all(|written| slip(written, [key]).is_none());
    can_begin
        .then(|| Fix::risky(format!("add the {key}"), start..start, format!("{key}: {value}{line_break}")))
}

fn opening_line(view: &FileView<'_>) -> std::ops::Range<usize> {
    let line = view.file.line_at(0);
    let text = view.file.slice(&line);
    line.start + text.len() - text.trim_start_matches('\u{feff}').len()..line.start + text.trim_end().len()
}
