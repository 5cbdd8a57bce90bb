//! One round of fixes: which are made, and whether they helped.

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

/// Where a fix was tried: file, id of the rule, and the byte at which its finding begins.
type Spot = (RelPath, &'static str, usize);

/// What has come of the rounds so far.
#[derive(Default)]
pub struct Done {
    /// The texts that files have now.
    pub overlay: Overlay,
    /// What was done, by file.
    pub fixed: Vec<(RelPath, String)>,
    /// Fixes that did not help.
    banned: BTreeSet<Spot>,
    /// Texts that files had: one that comes again would come for ever.
    seen: BTreeSet<(RelPath, String)>,
}

/// Where the rounds are worked on.
pub struct Bench<'a> {
    /// Ports and places.
    pub app: &'a App,
    /// The skill's folder.
    pub root: &'a Path,
    /// Whether fixes are made that change what agents read.
    pub takes_unsafe: bool,
    /// What has come of the rounds so far.
    pub done: Done,
}

/// What a round does to one file.
pub struct Step<'a> {
    file: &'a LintFile,
    /// What is mended, with its fixes.
    found: Vec<(&'a Located, &'a Fix)>,
    applied: Applied,
}

impl Bench<'_> {
    /// What there is to do for the findings of a round.
    pub fn steps<'s>(&self, linted: &'s LintedSkill, located: &'s [Located]) -> Vec<Step<'s>> {
        let mut by_file: BTreeMap<&RelPath, Vec<(&Located, &Fix)>> = BTreeMap::new();
        for found in located {
            let Some(fix) = found.finding.fix.as_ref() else { continue };
            let is_wanted = fix.safety == Safety::Safe || self.takes_unsafe;
            if is_wanted && !self.done.banned.contains(&spot(found)) {
                by_file.entry(&found.finding.path).or_default().push((found, fix));
            }
        }
        let own =
            linted.files.iter().filter(|file| by_file.contains_key(&file.path) && self.is_own(&file.path));
        own.filter_map(|file| step(self.app.ports.reader.as_ref(), file, &by_file[&file.path])).collect()
    }

    /// Whether a file stands where it seems to: behind a link in the skill it is mended at its own place alone, and out of
    /// the skill never.
    fn is_own(&self, path: &RelPath) -> bool {
        let file = self.root.join(path.as_str());
        self.app.ports.stores.real_path(&file) == file
    }

    /// The texts after a round.
    pub fn overlay_with(&self, steps: &[Step<'_>]) -> Overlay {
        let mut overlay = self.done.overlay.clone();
        overlay.extend(steps.iter().map(|step| (step.file.path.clone(), step.applied.text.clone())));
        overlay
    }

    /// Keeps a round in which every fix helped; of any other one nothing is kept but which fixes did not.
    pub fn judge(&mut self, steps: &[Step<'_>], left: &[Located]) -> bool {
        let left = Left::of(left);
        let failed: Vec<Spot> = steps.iter().flat_map(|step| self.done.failed(step, &left)).collect();
        let is_kept = failed.is_empty();
        self.done.banned.extend(failed);
        if is_kept {
            steps.iter().for_each(|step| self.done.keep(step));
        }
        is_kept
    }
}

impl Done {
    /// The fixes of a step that did not help: their findings are there still, or the text is one that was there before.
    fn failed(&self, step: &Step<'_>, left: &Left<'_>) -> Vec<Spot> {
        let is_again = self.seen.contains(&(step.file.path.clone(), step.applied.text.clone()));
        let has_failed = |found: &&Located| is_again || left.has(found, &step.applied);
        step.found.iter().map(|(found, _)| *found).filter(has_failed).map(spot).collect()
    }

    fn keep(&mut self, step: &Step<'_>) {
        let path = &step.file.path;
        self.seen.insert((path.clone(), step.file.text.clone().unwrap_or_default()));
        self.overlay.insert(path.clone(), step.applied.text.clone());
        let done = |(found, fix): &(&Located, &Fix)| {
            (path.clone(), format!("{} ({})", fix.title, found.finding.rule.id))
        };
        self.fixed.extend(step.found.iter().map(done));
    }
}

fn spot(found: &Located) -> Spot {
    let finding = &found.finding;
    (finding.path.clone(), finding.rule.id, finding.span().start)
}

/// Makes the fixes of one file that keep its front matter and fit beside each other; `None` when there are none.
fn step<'a>(
    reader: &dyn DocumentReader,
    file: &'a LintFile,
    wanted: &[(&'a Located, &'a Fix)],
) -> Option<Step<'a>> {
    let text = file.text.as_deref()?;
    let mut kept = Vec::new();
    for safety in [Safety::Safe, Safety::Unsafe] {
        let mut some: Vec<_> = wanted.iter().copied().filter(|(_, fix)| fix.safety == safety).collect();
        if !keeps_front_matter(reader, text, &some, safety) {
            some.retain(|one| {
                is_below_front_matter(file, one.1) || keeps_front_matter(reader, text, &[*one], safety)
            });
        }
        kept.extend(some);
    }
    let applied = Applied::new(text, &kept.iter().map(|(_, fix)| *fix).collect::<Vec<_>>());
    let found: Vec<_> = applied.made.iter().map(|at| kept[*at]).collect();
    (!found.is_empty()).then_some(Step { file, found, applied })
}

/// Whether a fix is told without a look to change nothing of the front matter.
fn is_below_front_matter(file: &LintFile, fix: &Fix) -> bool {
    let start = file.markup.as_ref().map_or(0, |markup| markup.body_start());
    start > 0 && fix.edits.iter().all(|edit| start < edit.span.start)
}

fn keeps_front_matter(
    reader: &dyn DocumentReader,
    text: &str,
    wanted: &[(&Located, &Fix)],
    safety: Safety,
) -> bool {
    let fixes: Vec<&Fix> = wanted.iter().map(|(_, fix)| *fix).collect();
    let applied = Applied::new(text, &fixes);
    is_allowed_edit(text, &reader.front_matter(text), &reader.front_matter(&applied.text), safety)
}

/// Where findings of each rule stand in each file after a round.
struct Left<'a> {
    starts: BTreeSet<(&'a RelPath, &'static str, usize)>,
    whole: BTreeSet<(&'a RelPath, &'static str)>,
}

impl<'a> Left<'a> {
    fn of(left: &'a [Located]) -> Self {
        let finding =
            |found: &'a Located| (&found.finding.path, found.finding.rule.id, found.finding.span().start);
        let is_whole = |found: &&Located| !matches!(found.finding.location, IssueLocation::Span(_));
        Self {
            starts: left.iter().map(finding).collect(),
            whole: left.iter().filter(is_whole).map(finding).map(|(path, rule, _)| (path, rule)).collect(),
        }
    }

    /// Whether a finding is there still: one of its rule begins where it stood, or is about the whole file as it was.
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

    /// Whether what stood at `old` is there still, where a fix took away bytes 4 to 6 and findings stand at `left`.
    fn is_left(old: Range<usize>, left: &[Range<usize>], is_whole: bool) -> bool {
        let applied = Applied::new("0123456789", &[&Fix::safe("f", 4..6, "")]);
        Left::of(&located(left, is_whole)).has(&located(&[old], is_whole)[0], &applied)
    }

    #[test]
    fn a_finding_is_there_still_where_one_of_its_rule_begins_in_its_place() {
        assert!(
            is_left(3..8, std::slice::from_ref(&(3..6)), false)
                && is_left(7..8, std::slice::from_ref(&(5..6)), false)
        );
        assert!(
            !is_left(4..6, std::slice::from_ref(&(4..5)), false),
            "what follows has moved to where it stood"
        );
        assert!(!is_left(3..8, &[1..9, 6..7], false), "one before and one behind");
        assert!(
            is_left(8..8, std::slice::from_ref(&(6..6)), false)
                && !is_left(8..8, std::slice::from_ref(&(7..7)), false)
        );
        assert!(
            is_left(0..1, std::slice::from_ref(&(5..6)), true),
            "about the whole file, wherever it is shown"
        );
    }
}
