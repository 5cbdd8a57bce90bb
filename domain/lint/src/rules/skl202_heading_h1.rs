//! SKL202: a `SKILL.md` without a title.

use crate::fix::Fix;
use crate::heading_line::in_html;
use crate::name_value::name_value;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{FileView, Report};

pub static RULE: Rule = Rule {
    id: "SKL202",
    name: "heading-h1",
    severity: Severity::Warning,
    tier: Tier::Style,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "The first H1 is the title that stubs, outlines and viewers show. Without one they show a section heading, \
          or nothing.",
    fix: "Begin the text below the front matter with '# ' and the skill's name.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("Text.\n"))])],
    bad: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Shows a rule. Use when a rule needs an example.\n---\n\nText.\n",
    )])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, markup)) = view.skill_md() else { return };
    if markup.headings.iter().any(|heading| heading.level == 1) {
        return;
    }
    let body = &text[markup.body_start()..];
    let first = markup.body_start() + body.len() - body.trim_start().len();
    let finding = report.whole(view.file.line_at(first), "SKILL.md has no H1 heading");
    if let Some(line) = in_html(text, markup) {
        finding.hint(format!("the heading on line {line} is text of HTML: put an empty line before it"));
    } else if let Some(title) = title(view) {
        finding.hint(format!("begin the text with '# {title}'"));
        // A name that SKL104 would change cannot serve as a title yet.
        if title != view.context.folder && name_value(&view.context.folder).is_some() {
            return;
        }
        finding.fix(Fix::risky(
            "add a title",
            markup.body_start()..markup.body_start(),
            heading(text, markup.body_start(), title),
        ));
    }
}

/// The skill's name, or its folder's, unless it contains Markdown syntax.
fn title<'a>(view: &FileView<'a>) -> Option<&'a str> {
    let is_plain = |name: &&str| {
        !name.trim().is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '.' | ' '))
    };
    let name = view.skill_fields()?.get("name").and_then(|node| node.text());
    name.filter(is_plain).or(Some(view.context.folder.as_str()).filter(is_plain)).map(str::trim)
}

/// The title with the line breaks that separate it from the surrounding text.
fn heading(text: &str, at: usize, title: &str) -> String {
    let (above, below) = text.split_at(at);
    let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let end_of_line = if above.is_empty() || above.ends_with('\n') { "" } else { line_break };
    let gap = if below.trim_start_matches([' ', '\t']).starts_with(['\r', '\n']) || below.is_empty() {
        ""
    } else {
        line_break
    };
    format!("{end_of_line}{line_break}# {title}{line_break}{gap}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_stands_apart_from_the_text_around_it() {
        for (above, below, expected) in [
            ("---\n", "Text.", "\n# x\n\n"),
            ("---\n", "\nText.", "\n# x\n"),
            ("---", "", "\n\n# x\n"),
            ("---\r\n", "Text.", "\r\n# x\r\n\r\n"),
        ] {
            assert_eq!(heading(&format!("{above}{below}"), above.len(), "x"), expected, "{above:?}");
        }
    }
}
