//! SKL204: a file whose first heading is not a title.

use crate::fix::{Edit, Fix, Safety};
use crate::heading_line::{heading_line, in_html, number_signs};
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{FileView, Report};
use skillc_domain::section::Heading;
use skillc_domain::text::lines;

pub static RULE: Rule = Rule {
    id: "SKL204",
    name: "heading-first-h1",
    severity: Severity::Warning,
    tier: Tier::Style,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "The first heading says what a file is about, unless front matter has a title. If it is not an H1, the file reads like a fragment, and lists \
          of files show no title for it.",
    fix: "Put a heading with one '#' before it.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[
        ("SKILL.md", crate::skill_md!("See [more](references/more.md) and [titled](references/titled.md).\n")),
        ("references/more.md", "# More\n\n## Part\n\nText.\n"),
        ("references/titled.md", "---\ntitle: Titled\n---\n\n## Part\n\nText. See [more](more.md).\n"),
    ])],
    bad: &[
        Example::new(&[
            ("SKILL.md", crate::skill_md!("See [more](references/more.md).\n")),
            ("references/more.md", "## More\n\nText.\n"),
        ]),
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Shows a rule. Use when needed.\n---\n\n## Before\n\nText.\n\n# Demo\n\nText.\n",
        )]),
    ],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, markup)) = view.markdown() else { return };
    if view.file.is_skill_md() && markup.body_start() == 0 && text.trim_start().starts_with("---") {
        // Invalid front matter (SKL100) reads as a heading, underlined by its own closing line.
        return;
    }
    if view.file.fields().is_some_and(|fields| fields.get("title").is_some()) {
        return;
    }
    let Some(first) = markup.headings.first().filter(|heading| heading.level > 1) else { return };
    let finding = report.at(heading_line(text, first), format!("first heading is an H{}, not an H1", first.level));
    if let Some(line) = in_html(text, markup) {
        finding.hint(format!("the heading on line {line} is text of HTML: put an empty line before it"));
    }
    if let Some(fix) = markup.headings.iter().find(|heading| heading.level == 1).and_then(|title| moved(text, first, title)) {
        finding.fix(fix);
    }
}

/// Moves a one-line title before the first heading.
fn moved(text: &str, first: &Heading, title: &Heading) -> Option<Fix> {
    number_signs(text, title)?;
    let line = lines::around(text, title.offset);
    let with_break = line.start..text.len().min(line.end + text[line.end..].len().min(line_break(&text[line.end..])));
    let inserted = format!("{}\n\n", text[line].trim());
    let edits = vec![
        Edit { span: first.offset..first.offset, text: inserted },
        Edit { span: with_break, text: String::new() },
    ];
    Some(Fix { safety: Safety::Unsafe, title: "move the title before the first heading".to_owned(), edits })
}

/// Length in bytes of the line break at the start of a text.
fn line_break(text: &str) -> usize {
    if text.starts_with("\r\n") { 2 } else { usize::from(text.starts_with('\n')) }
}
