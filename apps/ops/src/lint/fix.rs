//! Applies fixes: first in memory until none is left, then to files one by one.

use super::fix_pass::{AppliedFixes, Fixer};
use super::read::{Engine, Overlay};
use super::reply::{file_in, shown};
use super::skill::{LintedSkill, Trust, look};
use crate::failure::Failure;
use crate::run::Run;
use diffy::DiffOptions;
use skillc_domain::path::RelPath;
use skillc_lint::view::LintFile;
use std::path::Path;

/// Maximum number of passes. A fix may reveal another finding, as with YAML errors, but no front matter needs this
/// many.
const PASSES_MAX: usize = 100;

/// Which fixes are applied, and whether they are written to disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixOptions {
    /// Whether to apply fixes that change what agents read.
    pub takes_unsafe: bool,
    /// Whether to write to files.
    pub writes: bool,
}

/// A skill after its fixes.
pub struct FixedSkill {
    /// The skill after its fixes; unchanged if nothing is written.
    pub linted: LintedSkill,
    /// Titles of the applied fixes, by file.
    pub fixed: Vec<(RelPath, String)>,
    /// The changes as a unified diff; empty if they were written.
    pub diff: String,
}

/// Applies fixes until none is left that helps. A file that cannot be written is reported, and the rest continues.
///
/// # Errors
/// E999 if the skill's folder no longer exists.
pub fn apply_fixes(
    run: &mut Run<'_>,
    engine: &Engine,
    path: &Path,
    trust: Trust,
    first: LintedSkill,
    options: FixOptions,
) -> Result<FixedSkill, Failure> {
    let tree = run.app.ports.files.open(path)?;
    let look_at = |run: &mut Run<'_>, overlay: &Overlay| {
        look(run, engine, tree.as_ref(), first.context.clone(), overlay)
    };
    let AppliedFixes { overlay, mut fixed, .. } = run_passes(run, path, trust, &first, options, look_at);
    if !options.writes {
        let folder = shown(path, &run.app.call.places.cwd);
        let diff = changes(&first, &overlay).map(|change| diff(&folder, change)).collect();
        return Ok(FixedSkill { linted: first, fixed, diff });
    }
    for (file, old, new) in changes(&first, &overlay) {
        if let Err(error) = run.app.ports.editor.replace(path, file, old.as_bytes(), new.as_bytes()) {
            fixed.retain(|(path, _)| path != file);
            run.part_failed(error.into());
        }
    }
    let linted = if overlay.is_empty() { first } else { look_at(run, &Overlay::new()) };
    Ok(FixedSkill { linted, fixed, diff: String::new() })
}

/// Runs passes until one applies no fix.
fn run_passes(
    run: &mut Run<'_>,
    path: &Path,
    trust: Trust,
    first: &LintedSkill,
    options: FixOptions,
    look_at: impl Fn(&mut Run<'_>, &Overlay) -> LintedSkill,
) -> AppliedFixes {
    let (takes_unsafe, applied) = (options.takes_unsafe, AppliedFixes::default());
    let mut fixer = Fixer { app: run.app, root: path, takes_unsafe, applied };
    let mut fixed: Option<LintedSkill> = None;
    for _ in 0..PASSES_MAX {
        let linted = fixed.as_ref().unwrap_or(first);
        let located = linted.located(trust, false);
        let steps = fixer.steps(linted, &located);
        if steps.is_empty() {
            break;
        }
        let next = look_at(run, &fixer.overlay_with(&steps));
        if fixer.accept(&steps, &next.located(trust, false)) {
            fixed = Some(next);
        }
    }
    fixer.applied
}

/// The changed files, with their texts before and after.
fn changes<'a>(
    first: &'a LintedSkill,
    overlay: &'a Overlay,
) -> impl Iterator<Item = (&'a RelPath, &'a str, &'a str)> {
    let text =
        |file: &'a LintFile| Some((&file.path, file.text.as_deref()?, overlay.get(&file.path)?.as_str()));
    first.files.iter().filter_map(text).filter(|(_, old, new)| old != new)
}

/// A unified diff with paths relative to the working directory, for `git apply`.
fn diff(folder: &str, (file, old, new): (&RelPath, &str, &str)) -> String {
    let path = file_in(folder, file.as_str());
    let path = path.trim_start_matches('/');
    let mut options = DiffOptions::new();
    options.set_original_filename(format!("a/{path}")).set_modified_filename(format!("b/{path}"));
    options.create_patch(old, new).to_string()
}
