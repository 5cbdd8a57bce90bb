//! SKL302: links to missing headings.

use crate::anchors::{Anchors, without_number};
use crate::fix::Fix;
use crate::link::{LinkTarget, anchor_bytes, place, target};
use crate::link_suggestion::encoded;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::followed_links::followed_links;
use crate::sample_file::is_sample_file;
use crate::report::Issue;
use crate::view::LintFile;
use crate::{IssueLocation, Report, SkillView};
use skillc_domain::markup::Link;
use skillc_domain::path::RelPath;
use skillc_domain::text::case_fold::fold;
use std::collections::HashMap;

pub static RULE: Rule = Rule {
    id: "SKL302",
    name: "link-anchor-exists",
    severity: Severity::Warning,
    tier: Tier::Breaks,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "The link leads to the top of the file instead of the intended section, and an agent that looks up the \
          anchor does not find it. Valid anchors are those of headings, as RFC-0008 and GitHub derive them, and \
          'id' and 'name' attributes in HTML. Names of parts of a program, such as '#app.App.run', are of the tier 'style'.",
    fix: "Use the anchor of an existing heading: lower case, hyphens for spaces, no punctuation.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[
        (
            "SKILL.md",
            crate::skill_md!(
                "See [part](#part-one) and [more](references/more.md#was-ist-größer-).\n\n## Part one\n\nText.\n"
            ),
        ),
        ("references/more.md", "# More\n\n## Was ist größer ...\n\n<a id=\"here\"></a>[This part](#here).\n"),
    ])],
    bad: &[
        Example::new(&[("SKILL.md", crate::skill_md!("See [part](#part-two).\n\n## Part one\n\nText.\n"))]),
        Example::new(&[
            ("SKILL.md", crate::skill_md!("See [more](references/more.md#part).\n")),
            ("references/more.md", "# More\n\nText.\n"),
        ]),
    ],
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>, report: &mut Report<'_>) {
    // The anchors of a file are collected when the first link needs them; `None` means that it is not Markdown.
    let mut known: HashMap<RelPath, Option<Anchors>> = HashMap::new();
    // Links in a template belong to a document that is still to be written.
    for file in view.files.iter().filter(|file| !is_sample_file(&file.path)) {
        let mut dead = Vec::new();
        for link in followed_links(file).filter(|link| link.target.contains('#')) {
            let (path, anchor) = match target(&link.target, &file.path) {
                LinkTarget::Anchor(anchor) => (file.path.clone(), anchor),
                LinkTarget::Inside(path, Some(anchor)) => (path, anchor),
                LinkTarget::Inside(_, None) | LinkTarget::Escapes(_) | LinkTarget::External => continue,
            };
            let anchors = known.entry(path).or_insert_with_key(|path| anchors_of(view, path));
            if let Some(anchors) = anchors.as_ref().filter(|anchors| !anchors.holds(&anchor)) {
                let meant = anchors.suggest(&anchor).map(str::to_owned);
                dead.push((link, meant));
            }
        }
        report_dead(file, &dead, report);
    }
}

/// Number of dead links in one line from which a generator wrote the line, from a page with other anchors.
const DEAD_OF_GENERATOR: usize = 4;

fn report_dead(file: &LintFile, dead: &[(&Link, Option<String>)], report: &mut Report<'_>) {
    let is_same_line = |a: &(&Link, Option<String>), b: &(&Link, Option<String>)| {
        !file.slice(&(a.0.span.start..b.0.span.start)).contains('\n')
    };
    for line in dead.chunk_by(is_same_line) {
        for (link, meant) in line {
            let finding = missing(file, link, meant.as_deref(), report);
            if line.len() >= DEAD_OF_GENERATOR {
                finding.tier(Tier::Style);
            }
        }
    }
}

fn anchors_of(view: &SkillView<'_>, path: &RelPath) -> Option<Anchors> {
    let file = view.file(path)?;
    Some(Anchors::of(file.text.as_deref()?, file.markup.as_ref()?, &file.cut_samples))
}

/// Whether an anchor is a qualified name in a program, such as `#app.App.run`. Generators of API documentation define
/// such anchors; Markdown viewers do not.
fn is_generated(target: &str) -> bool {
    let anchor = target.split_once('#').map(|(_, anchor)| anchor).unwrap_or_default();
    let parts: Vec<&str> = anchor.split('.').collect();
    let is_name = |part: &&str| part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    parts.len() >= 2 && parts.iter().all(is_name)
}

/// Whether who reads the file finds the heading that a link means by its words: the anchor differs only in case, on which
/// viewers differ, has encoded spaces, or lacks the number of a heading of the same file.
fn is_found_by_words(link: &Link, meant: &str) -> bool {
    link.target.split_once('#').is_some_and(|(path, anchor)| {
        let lacks_number = || anchor != meant && without_number(anchor) == without_number(meant);
        fold(anchor) == fold(meant) || anchor.contains("%20") || path.is_empty() && lacks_number()
    })
}

fn missing<'r>(file: &LintFile, link: &Link, meant: Option<&str>, report: &'r mut Report<'_>) -> &'r mut Issue {
    let message = format!("link anchor not found: '{}'", one_line(&link.target));
    let finding = report.elsewhere(&file.path, IssueLocation::Span(place(link)), message);
    if is_generated(&link.target) {
        finding.tier(Tier::Style);
    }
    let Some(meant) = meant else { return finding };
    if is_found_by_words(link, meant) {
        finding.tier(Tier::Style);
    }
    finding.hint(format!("did you mean '#{meant}'?"));
    if let Some(bytes) = file.text.as_deref().and_then(|text| anchor_bytes(text, link)) {
        finding.fix(Fix::risky(format!("link to '#{meant}'"), bytes, encoded(meant)));
    }
    finding
}
