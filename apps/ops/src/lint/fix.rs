//! Makes fixes: in memory until nothing is left to mend, then file by file on the disk.

use super::read::{Engine, Overlay};
use super::reply::{file_in, shown};
use super::round::{Bench, Done};
use super::skill::{LintedSkill, Trust, look};
use crate::failure::Failure;
use crate::run::Run;
use similar::TextDiff;
use skillc_domain::path::RelPath;
use skillc_lint::view::LintFile;
use std::path::Path;

/// Rounds of fixes: one may uncover the next, as flaws of YAML do, and no front matter has so many.
const ROUNDS_MAX: usize = 100;

/// Which fixes are made, and whether they are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// Also those that change what agents read.
    pub takes_unsafe: bool,
    /// Whether files are changed.
    pub writes: bool,
}

/// A skill after its fixes.
pub struct Mended {
    /// What is left; without writing, what there is.
    pub linted: LintedSkill,
    /// What was done, by file; without writing, what would be.
    pub fixed: Vec<(RelPath, String)>,
    /// What would change, as a unified diff; empty when it was written.
    pub diff: String,
}

/// Applies fixes until none is left that helps. A file that cannot be written is reported, and the others go on.
///
/// # Errors
/// E999 where the skill's folder is gone.
pub fn mend(
    run: &mut Run<'_>,
    engine: &Engine,
    path: &Path,
    trust: Trust,
    first: LintedSkill,
    mode: Mode,
) -> Result<Mended, Failure> {
    let tree = run.app.ports.files.open(path)?;
    let look_at = |run: &mut Run<'_>, overlay: &Overlay| {
        look(run, engine, tree.as_ref(), first.context.clone(), overlay)
    };
    let Done { overlay, mut fixed, .. } = rounds(run, path, trust, &first, mode, look_at);
    if !mode.writes {
        let folder = shown(path, &run.app.call.places.cwd);
        let diff = changes(&first, &overlay).map(|change| diff(&folder, change)).collect();
        return Ok(Mended { linted: first, fixed, diff });
    }
    for (file, old, new) in changes(&first, &overlay) {
        if let Err(error) = run.app.ports.editor.replace(path, file, old.as_bytes(), new.as_bytes()) {
            fixed.retain(|(path, _)| path != file);
            run.part_failed(error.into());
        }
    }
    let linted = if overlay.is_empty() { first } else { look_at(run, &Overlay::new()) };
    Ok(Mended { linted, fixed, diff: String::new() })
}

/// Round after round, each looked at once.
fn rounds(
    run: &mut Run<'_>,
    path: &Path,
    trust: Trust,
    first: &LintedSkill,
    mode: Mode,
    look_at: impl Fn(&mut Run<'_>, &Overlay) -> LintedSkill,
) -> Done {
    let mut bench =
        Bench { app: run.app, root: path, takes_unsafe: mode.takes_unsafe, done: Done::default() };
    let mut mended: Option<LintedSkill> = None;
    for _ in 0..ROUNDS_MAX {
        let linted = mended.as_ref().unwrap_or(first);
        let located = linted.located(trust, false);
        let steps = bench.steps(linted, &located);
        if steps.is_empty() {
            break;
        }
        let next = look_at(run, &bench.overlay_with(&steps));
        if bench.judge(&steps, &next.located(trust, false)) {
            mended = Some(next);
        }
    }
    bench.done
}

/// Files with their texts before and after.
fn changes<'a>(
    first: &'a LintedSkill,
    overlay: &'a Overlay,
) -> impl Iterator<Item = (&'a RelPath, &'a str, &'a str)> {
    let text =
        |file: &'a LintFile| Some((&file.path, file.text.as_deref()?, overlay.get(&file.path)?.as_str()));
    first.files.iter().filter_map(text).filter(|(_, old, new)| old != new)
}

/// With the path from the working directory, from where `git apply` takes it.
fn diff(folder: &str, (file, old, new): (&RelPath, &str, &str)) -> String {
    let path = file_in(folder, file.as_str());
    let path = path.trim_start_matches('/');
    TextDiff::from_lines(old, new)
        .unified_diff()
        .header(&format!("a/{path}"), &format!("b/{path}"))
        .to_string()
}
