//! One pass of fixes: chooses which to apply, and checks whether their findings disappeared.

use super::read::Overlay;
use super::skill::LintedSkill;
use crate::app::App;
use skillc_domain::path::RelPath;
use skillc_lint::fix::{Applied, Fix, Safety};
use skillc_lint::front_matter_edit::is_allowed_edit;
use skillc_lint::located::Located;
use skillc_lint::report::IssueLocation;
use skillc_lint::view::LintFile;
use skillc_ports::DocumentReader;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Identifies a finding: its file, the id of its rule, and its start offset.
type FindingKey = (RelPath, &'static str, usize);

/// The result of the passes so far.
#[derive(Default)]
pub struct AppliedFixes {
    /// The current text of each changed file.
    pub overlay: Overlay,
    /// Titles of the applied fixes, by file.
    pub fixed: Vec<(RelPath, String)>,
    /// Findings whose fixes did not help and are not tried again.
    banned: BTreeSet<FindingKey>,
    /// Earlier texts of each file. A fix that restores one would be applied and undone forever.
    seen: BTreeSet<(RelPath, String)>,
}

/// Applies fixes to one skill, pass by pass.
pub struct Fixer<'a> {
    /// Reads documents and resolves paths.
    pub app: &'a App,
    /// The folder of the skill.
    pub root: &'a Path,
    /// Whether unsafe fixes are applied, which change what agents read.
    pub takes_unsafe: bool,
    /// The result of the passes so far.
    pub applied: AppliedFixes,
}

/// The fixes that a pass applies to one file.
pub struct FileFixes<'a> {
    file: &'a LintFile,
    /// Findings with their fixes.
    found: Vec<(&'a Located, &'a Fix)>,
    applied: Applied,
}

impl Fixer<'_> {
    /// The fixes to apply in a pass.
    pub fn steps<'s>(&self, linted: &'s LintedSkill, located: &'s [Located]) -> Vec<FileFixes<'s>> {
        let mut by_file: BTreeMap<&RelPath, Vec<(&Located, &Fix)>> = BTreeMap::new();
        for found in located {
            let Some(fix) = found.finding.fix.as_ref() else { continue };
            let is_allowed = fix.safety == Safety::Safe || self.takes_unsafe;
            if is_allowed && !self.applied.banned.contains(&key_of(found)) {
                by_file.entry(&found.finding.path).or_default().push((found, fix));
            }
        }
        let own =
            linted.files.iter().filter(|file| by_file.contains_key(&file.path) && self.is_own(&file.path));
        own.filter_map(|file| step(self.app.ports.reader.as_ref(), file, &by_file[&file.path])).collect()
    }

    /// Whether the file at a path is not behind a link. Files are fixed only at their own path, and only inside the
    /// skill.
    fn is_own(&self, path: &RelPath) -> bool {
        let file = self.root.join(path.as_str());
        self.app.ports.stores.real_path(&file) == file
    }

    /// The texts of files after a pass.
    pub fn overlay_with(&self, steps: &[FileFixes<'_>]) -> Overlay {
        let mut overlay = self.applied.overlay.clone();
        overlay.extend(steps.iter().map(|step| (step.file.path.clone(), step.applied.text.clone())));
        overlay
    }

    /// Commits the pass if every fix helped. Otherwise discards it, and bans the fixes that did not help.
    pub fn accept(&mut self, steps: &[FileFixes<'_>], left: &[Located]) -> bool {
        let left = Remaining::of(left);
        let failed: Vec<FindingKey> =
            steps.iter().flat_map(|step| self.applied.failed(step, &left)).collect();
        let is_accepted = failed.is_empty();
        self.applied.banned.extend(failed);
        if is_accepted {
            steps.iter().for_each(|step| self.applied.keep(step));
        }
        is_accepted
    }
}

impl AppliedFixes {
    /// The findings whose fixes did not help: they remain, or the text is one that the file had before.
    fn failed(&self, step: &FileFixes<'_>, left: &Remaining<'_>) -> Vec<FindingKey> {
        let is_again = self.seen.contains(&(step.file.path.clone(), step.applied.text.clone()));
        let has_failed = |found: &&Located| is_again || left.has(found, &step.applied);
        step.found.iter().map(|(found, _)| *found).filter(has_failed).map(key_of).collect()
    }

    fn keep(&mut self, step: &FileFixes<'_>) {
        let path = &step.file.path;
        self.seen.insert((path.clone(), step.file.text.clone().unwrap_or_default()));
        self.overlay.insert(path.clone(), step.applied.text.clone());
        let done = |(found, fix): &(&Located, &Fix)| {
            (path.clone(), format!("{} ({})", fix.title, found.finding.rule.id))
        };
        self.fixed.extend(step.found.iter().map(done));
    }
}

fn key_of(found: &Located) -> FindingKey {
    let finding = &found.finding;
    (finding.path.clone(), finding.rule.id, finding.span().start)
}

/// Applies the fixes of one file that preserve its front matter and do not overlap; `None` if there are none.
fn step<'a>(
    reader: &dyn DocumentReader,
    file: &'a LintFile,
    fixes_due: &[(&'a Located, &'a Fix)],
) -> Option<FileFixes<'a>> {
    let text = file.text.as_deref()?;
    let mut compatible = Vec::new();
    for safety in [Safety::Safe, Safety::Unsafe] {
        let mut some: Vec<_> = fixes_due.iter().copied().filter(|(_, fix)| fix.safety == safety).collect();
        if !keeps_front_matter(reader, text, &some, safety) {
            some.retain(|one| {
                is_below_front_matter(file, one.1) || keeps_front_matter(reader, text, &[*one], safety)
            });
        }
        compatible.extend(some);
    }
    let applied = Applied::new(text, &compatible.iter().map(|(_, fix)| *fix).collect::<Vec<_>>());
    let found: Vec<_> = applied.made.iter().map(|at| compatible[*at]).collect();
    (!found.is_empty()).then_some(FileFixes { file, found, applied })
}

/// Whether all edits of a fix are below the front matter, so that it need not be parsed again.
fn is_below_front_matter(file: &LintFile, fix: &Fix) -> bool {
    let start = file.markup.as_ref().map_or(0, |markup| markup.body_start());
    start > 0 && fix.edits.iter().all(|edit| start < edit.span.start)
}

fn keeps_front_matter(
    reader: &dyn DocumentReader,
    text: &str,
    fixes_due: &[(&Located, &Fix)],
    safety: Safety,
) -> bool {
    let fixes: Vec<&Fix> = fixes_due.iter().map(|(_, fix)| *fix).collect();
    let applied = Applied::new(text, &fixes);
    is_allowed_edit(text, &reader.front_matter(text), &reader.front_matter(&applied.text), safety)
}

/// The findings that remain after a pass, by rule, file and start.
struct Remaining<'a> {
    starts: BTreeSet<(&'a RelPath, &'static str, usize)>,
    whole: BTreeSet<(&'a RelPath, &'static str)>,
}

impl<'a> Remaining<'a> {
    fn of(left: &'a [Located]) -> Self {
        let finding =
            |found: &'a Located| (&found.finding.path, found.finding.rule.id, found.finding.span().start);
        let is_whole = |found: &&Located| !matches!(found.finding.location, IssueLocation::Span(_));
        Self {
            starts: left.iter().map(finding).collect(),
            whole: left.iter().filter(is_whole).map(finding).map(|(path, rule, _)| (path, rule)).collect(),
        }
    }

    /// Whether a finding remains: one of the same rule begins at its position, or both are about the whole file.
    fn has(&self, found: &Located, applied: &Applied) -> bool {
        let (path, rule) = (&found.finding.path, found.finding.rule.id);
        if !matches!(found.finding.location, IssueLocation::Span(_)) {
            return self.whole.contains(&(path, rule));
        }
        let old = found.finding.span();
        let new = applied.place_of(&old);
        let end = if old.is_empty() { new.end + 1 } else { new.end };
        self.starts.range((path, rule, new.start)..(path, rule, end.max(new.start))).next().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillc_lint::located::locate;
    use skillc_lint::{Finding, RULES, Severity};
    use std::ops::Range;

    fn located(spans: &[Range<usize>], is_whole: bool) -> Vec<Located> {
        let found = Finding::collect(RULES[0], Severity::Warning, &RelPath::default(), |report| {
            for span in spans.iter().cloned() {
                if is_whole {
                    report.whole(span, "x")
                } else {
                    report.at(span, "x")
                };
            }
        });
        locate(None, found)
    }

    /// Whether a finding at `old` remains after a fix that removes bytes 4 to 6, if `left` are the findings
    /// afterwards.
    fn remains(old: Range<usize>, left: &[Range<usize>], is_whole: bool) -> bool {
        let applied = Applied::new("0123456789", &[&Fix::safe("f", 4..6, "")]);
        Remaining::of(&located(left, is_whole)).has(&located(&[old], is_whole)[0], &applied)
    }

    #[test]
    fn a_finding_remains_if_one_of_its_rule_begins_in_its_place() {
        assert!(
            remains(3..8, std::slice::from_ref(&(3..6)), false)
                && remains(7..8, std::slice::from_ref(&(5..6)), false)
        );
        assert!(
            !remains(4..6, std::slice::from_ref(&(4..5)), false),
            "the text behind has moved to its place"
        );
        assert!(!remains(3..8, &[1..9, 6..7], false), "one starts before it and one after it");
        assert!(
            remains(8..8, std::slice::from_ref(&(6..6)), false)
                && !remains(8..8, std::slice::from_ref(&(7..7)), false)
        );
        assert!(
            remains(0..1, std::slice::from_ref(&(5..6)), true),
            "about the whole file, wherever it is shown"
        );
    }
}
