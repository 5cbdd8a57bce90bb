//! SKL406: references to a file in another case.

use crate::fix::Fix;
use crate::folded_names::FoldedNames;
use crate::mentions::{in_other_case, TEXT_BYTES_MAX};
use crate::one_line::one_line;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{IssueLocation, Report, SkillView};
use skillc_domain::path::RelPath;
use std::collections::BTreeMap;
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL406",
    name: "path-case",
    severity: Severity::Warning,
    tier: Tier::Breaks,
    origin: Origin::Field("RFC-0008:C-REGISTRY; agnix AS-023"),
    why: "On Linux file names are case-sensitive, so an agent that opens the path as it is written finds nothing. \
          On macOS and Windows it works, so the author does not notice. A name in capitals \
          is not reported if the skill also mentions the file's own name: it then \
          means another file, such as the project's PRODUCT.md next to `reference/product.md`.",
    fix: "Write the path in the case of the file name, or rename the file.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[
        ("SKILL.md", crate::skill_md!("For forms, read `forms.md`; a README.md is not needed.\n")),
        ("forms.md", "# Forms\n\nText.\n"),
    ])],
    bad: &[Example::new(&[
        ("SKILL.md", crate::skill_md!("For forms, read `FORMS.md`.\n")),
        ("forms.md", "# Forms\n\nText.\n"),
    ])],
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>, report: &mut Report<'_>) {
    let names = FoldedNames::of(view.context.survey.files.iter().map(|file| &file.path));
    let mut named_as_is = NamedAsIs { view, known: BTreeMap::new() };
    for file in view.files {
        let (Some(text), Some(markup)) = (file.text.as_deref(), &file.markup) else { continue };
        if text.len() > TEXT_BYTES_MAX {
            continue;
        }
        for (span, path) in in_other_case(&names, text) {
            // Links are checked by SKL301.
            let next = markup.links.partition_point(|link| link.span.end <= span.start);
            let is_linked = markup.links.get(next).is_some_and(|link| link.span.start <= span.start);
            if is_linked || is_in_capitals(&text[span.clone()]) && named_as_is.has(path)
                || begins_sentence(text, &span, path)
            {
                continue;
            }
            found(&file.path, text, span, path, report);
        }
    }
}

/// Whether a name is in capitals, like those of a project's own documents: `PRODUCT.md`.
fn is_in_capitals(word: &str) -> bool {
    let stem = word.rsplit_once('.').map_or(word, |(stem, _)| stem);
    !word.contains('/') && stem.len() > 1 && !stem.chars().any(char::is_lowercase)
}

/// Whether only the first letter differs because the name begins a sentence: "Plan.md is there."
fn begins_sentence(text: &str, span: &Range<usize>, path: &RelPath) -> bool {
    let (word, name) = (&text[span.clone()], path.name());
    let differs = |word: &str| word.chars().zip(name.chars()).skip(1).all(|(a, b)| a == b);
    let before = text[..span.start].trim_end_matches(' ');
    let is_start = before.is_empty() || before.ends_with(['.', '!', '?', '\n']) || before.ends_with("\n-");
    is_start && word.len() == name.len() && differs(word)
}

/// Files that the skill's texts mention by their exact names. The same name in capitals then means another file.
struct NamedAsIs<'a> {
    view: &'a SkillView<'a>,
    known: BTreeMap<&'a RelPath, bool>,
}

impl<'a> NamedAsIs<'a> {
    /// Maximum number of files to look for, since each is looked for in every text.
    const LOOKED_FOR_MAX: usize = 16;

    fn has(&mut self, path: &'a RelPath) -> bool {
        if self.known.len() >= Self::LOOKED_FOR_MAX && !self.known.contains_key(path) {
            return false;
        }
        let texts = || self.view.files.iter().filter(|file| file.markup.is_some()).filter_map(|file| file.text.as_deref());
        *self.known.entry(path).or_insert_with(|| texts().any(|text| text.contains(path.name())))
    }
}

/// The last segments of a path.
fn last_segments(path: &RelPath, count: usize) -> &str {
    let start = path.as_str().rmatch_indices('/').nth(count - 1).map_or(0, |(at, _)| at + 1);
    &path.as_str()[start..]
}

fn found(from: &RelPath, text: &str, span: Range<usize>, path: &RelPath, report: &mut Report<'_>) {
    let word = &text[span.clone()];
    let better = last_segments(path, word.matches('/').count() + 1);
    let (shown, called) = (one_line(word), one_line(better));
    let message = format!("'{shown}' is named '{called}' on disk; Linux does not find it");
    report
        .elsewhere(from, IssueLocation::Span(span.clone()), message)
        .fix(Fix::risky(format!("write '{called}'"), span, better.to_owned()));
}
