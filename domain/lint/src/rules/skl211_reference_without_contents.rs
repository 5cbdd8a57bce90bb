//! SKL211: long reference files without a table of contents.

use crate::fix::Fix;
use crate::heading_line::{heading_line, number_signs};
use crate::link_suggestion::encoded;
use crate::rule::{Check, Example, Origin, Param, Rule, Severity, Tier};
use crate::slug::wide_slug;
use crate::{FileView, Report};
use skillc_domain::markup::Markup;
use std::collections::HashSet;

pub static RULE: Rule = Rule {
    id: "SKL211",
    name: "reference-without-contents",
    severity: Severity::Warning,
    tier: Tier::Style,
    origin: Origin::Client(
        "Anthropic's platform",
        "https://platform.claude.com/docs/en/agents-and-tools/agent-skills/best-practices",
    ),
    why: "An agent often reads only the first lines of a long file. Without a table of contents it misses the rest, \
          or has to read everything.",
    fix: "Begin the file with a list of links to its headings, or split it.",
    params: &[
        Param { name: "max-lines", default: 100, meaning: "maximum lines of a file without a table of contents" },
        Param { name: "min-headings", default: 6, meaning: "minimum headings of a file that needs a table of contents" },
    ],
    patterns: &[],
    good: &[Example::new(&[
        (".skilllint.toml", "[rules]\nSKL211 = { max-lines = 8, min-headings = 3 }\n"),
        ("SKILL.md", crate::skill_md!("See [the reference](reference.md).\n")),
        (
            "reference.md",
            "# Reference\n\n- [First](#first)\n- [Second](#second)\n\n## First\n\nText.\n\n## Second\n\nText.\n",
        ),
    ])],
    bad: &[Example::new(&[
        (".skilllint.toml", "[rules]\nSKL211 = { max-lines = 8, min-headings = 3 }\n"),
        ("SKILL.md", crate::skill_md!("See [the reference](reference.md).\n")),
        ("reference.md", "# Reference\n\n## First\n\nText.\n\n## Second\n\nText.\n\n## Third\n\nText.\n"),
    ])],
    check: Check::File(check),
};

/// Number of headings among which a table of contents may be announced: title, perhaps an introduction, contents.
const NEAR_TOP: usize = 3;
/// Number of links to headings that make a table of contents.
const LINKS_MIN: usize = 2;
/// Words in headings over a table of contents, in the languages of published skills.
const CONTENTS: [&str; 16] = [
    "contents",
    "table of contents",
    "toc",
    "index",
    "outline",
    "overview of sections",
    "in this file",
    "in this document",
    "on this page",
    "quick navigation",
    "navigation",
    "目录",
    "目錄",
    "目次",
    "inhalt",
    "sommaire",
];

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, markup)) = view.markdown().filter(|_| !view.file.is_skill_md()) else { return };
    let (lines, headings) = (markup.lines, markup.headings.len());
    let is_long = lines > RULE.param(&view.context.settings, "max-lines");
    let has_parts = headings >= RULE.param(&view.context.settings, "min-headings") as usize;
    if is_long && has_parts && !has_contents(markup) {
        let title = markup.headings.first().map_or(0, |heading| heading.offset);
        let message = format!("file has {lines} lines and {headings} headings, but no list of contents");
        let finding = report.whole(view.file.line_at(title), message);
        if let Some(fix) = contents(text, markup) {
            finding.fix(fix);
        }
    }
}

/// Inserts a list of the file's H2 headings after its title.
fn contents(text: &str, markup: &Markup) -> Option<Fix> {
    let title = markup.headings.first().filter(|heading| heading.level == 1)?;
    number_signs(text, title)?;
    let mut seen = HashSet::new();
    let slugs = markup.headings.iter().map(|heading| (heading, wide_slug(&heading.text)));
    // The anchor of a repeated heading has a number, so it is not listed.
    let first = slugs.filter(|(_, slug)| !slug.is_empty() && seen.insert(slug.clone()));
    let is_plain = |text: &str| !text.contains(['[', ']', '<', '>', '\\', '\n']);
    let items: Vec<String> = first
        .filter(|(heading, _)| heading.level == 2 && is_plain(&heading.text))
        .map(|(heading, slug)| format!("- [{}](#{})\n", heading.text, encoded(&slug)))
        .collect();
    let end = heading_line(text, title).end;
    let list = format!("\n\nContents:\n\n{}", items.concat());
    (items.len() >= LINKS_MIN).then(|| Fix::risky("add a list of contents", end..end, list.trim_end().to_owned()))
}

/// Whether there is a heading that announces contents, or links to headings, before most of the headings.
fn has_contents(markup: &Markup) -> bool {
    let is_announced = markup.headings.iter().take(NEAR_TOP + 1).any(|heading| {
        let text = heading.text.to_lowercase();
        CONTENTS.contains(&text.trim_matches(|c: char| !c.is_alphanumeric()))
    });
    let top = markup.headings.get(NEAR_TOP).map_or(usize::MAX, |heading| heading.offset);
    let links = markup.links.iter().take_while(|link| link.span.start < top);
    is_announced || links.filter(|link| link.target.starts_with('#')).count() >= LINKS_MIN
}
