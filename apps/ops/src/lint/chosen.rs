//! Selects the skills to lint: those named, or those of named files; by default the project's.

use crate::app::App;
use crate::failure::Failure;
use crate::policy::is_refusal;
use crate::resolve::{resolve_as_typed, typed};
use crate::run::Run;
use crate::skill::Skill;
use crate::stores::folders_of;
use skillc_domain::discovery::roots::{common_project_dirs, project_dirs};
use skillc_domain::discovery::scan::{ScanBounds, ScannedRoot, SkillForm};
use skillc_domain::fault::{EVERY_SKILL, Fault, Warning};
use skillc_domain::limits::{SCAN_DEPTH_MAX, SCAN_FOLDERS_MAX};
use skillc_domain::listing::Scope;
use skillc_domain::places::SKILL_FILE;
use skillc_ports::{ErrorKind, Found};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The skills to lint in order, without duplicates; those of the project sorted by name.
///
/// # Errors
/// As for [`resolve_as_typed`], for the first argument that is not a skill, a file or a folder with skills; E001 if there are
/// no skills.
pub fn chosen(run: &mut Run<'_>, given: &[String], scope: LintScope) -> Result<Vec<Skill>, Failure> {
    if given.is_empty() {
        return of_stores(run.app, scope);
    }
    let mut skills: Vec<Skill> = Vec::new();
    for word in given {
        let named = named_or_in(run.app, word, below_with_hidden)?;
        if named.is_empty() {
            run.warn(Warning::FileInNoSkill { path: word.clone() });
        }
        for skill in named {
            if !skills.iter().any(|known| known.path == skill.path) {
                skills.push(skill);
            }
        }
    }
    Ok(skills)
}

/// The skills to lint if none are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LintScope {
    /// Those of the project's store or, if it is empty, those of the repository.
    Project,
    /// Those of the project's and the user's stores.
    All,
}

/// Whether a skill is in the project's store itself, not linked from elsewhere.
pub fn is_at_home(app: &App, skill: &Skill) -> bool {
    let is_in = |store: &PathBuf| skill.path.parent() == Some(&app.ports.stores.real_path(store));
    app.call.places.stores(Scope::Project).iter().any(is_in)
}

fn of_stores(app: &App, scope: LintScope) -> Result<Vec<Skill>, Failure> {
    let mut folders = folders_of(app, Scope::Project)?;
    if scope == LintScope::All {
        folders.extend(folders_of(app, Scope::Global)?);
    }
    let resolved = |folder: PathBuf| resolve_as_typed(app, &folder.to_string_lossy()).ok();
    let mut skills: Vec<Skill> = folders.into_iter().filter_map(resolved).collect();
    if skills.is_empty() && scope == LintScope::Project {
        skills = below_with_hidden(app, &app.call.places.cwd);
    }
    if skills.is_empty() { Err(none().into()) } else { Ok(skills) }
}

/// The skills below a folder, by path. A skill inside another one is a part of it; the results of builds are omitted.
pub(crate) fn below(app: &App, folder: &Path) -> Vec<Skill> {
    let root = app.ports.stores.real_path(folder);
    let scanned = scan(app, &root, &root);
    skills_at(app, &scanned.map(|scanned| sources(&scanned)).unwrap_or_default())
}

/// The same, with those in agents' folders there, whose names begin with a dot. A link out of the folder is not followed.
fn below_with_hidden(app: &App, folder: &Path) -> Vec<Skill> {
    let root = app.ports.stores.real_path(folder);
    let Some(scanned) = scan(app, &root, &root) else { return Vec::new() };
    let mut paths = sources(&scanned);
    let places = hidden_places(&scanned).into_iter().map(|place| app.ports.stores.real_path(&place));
    for place in places.filter(|place| place.starts_with(&root)) {
        paths.extend(scan(app, &place, &root).map(|scanned| sources(&scanned)).unwrap_or_default());
    }
    paths.sort();
    paths.dedup();
    skills_at(app, &paths)
}

fn skills_at(app: &App, paths: &[PathBuf]) -> Vec<Skill> {
    paths.iter().filter_map(|path| resolve_as_typed(app, &path.to_string_lossy()).ok()).collect()
}

/// Where agents' folders would be: all of them in the folder itself, the common ones in the folders below, outside of
/// skills.
fn hidden_places(scanned: &ScannedRoot) -> Vec<PathBuf> {
    let at_root = project_dirs().into_iter().filter(|place| place.starts_with('.'));
    let mut places: Vec<PathBuf> = at_root.map(|place| scanned.root.join(place)).collect();
    let mut is_in_skill = vec![false; scanned.folders.len()];
    for (at, folder) in scanned.folders.iter().enumerate().skip(1) {
        // Parents come before their children.
        is_in_skill[at] = folder.skill.is_some() || is_in_skill[folder.parent as usize];
        if !is_in_skill[at] {
            let folder = scanned.canonical(at);
            places.extend(common_project_dirs().map(|place| folder.join(place)));
        }
    }
    places
}

/// The folders of skills that are not inside another one, by path.
fn sources(scanned: &ScannedRoot) -> Vec<PathBuf> {
    let is_source =
        |at: &usize| scanned.folders[*at].skill.as_ref().is_some_and(|skill| skill.form == SkillForm::File);
    let mut paths: Vec<PathBuf> =
        (0..scanned.folders.len()).filter(is_source).map(|at| scanned.canonical(at)).collect();
    paths.sort();
    paths.dedup_by(|inner, outer| inner.starts_with(outer));
    paths
}

fn scan(app: &App, folder: &Path, border: &Path) -> Option<Arc<ScannedRoot>> {
    let bounds = ScanBounds {
        file: SKILL_FILE,
        depth_max: SCAN_DEPTH_MAX,
        folders_max: SCAN_FOLDERS_MAX,
        takes_files: false,
        border: Some(border),
    };
    Some(app.ports.scanner.scan(folder, &bounds, None).ok()?.scanned)
}

fn none() -> Fault {
    Fault::no_such_skill(EVERY_SKILL)
}

/// A skill by name or path, the skill of a file, or the skills below a folder; none for a file outside of skills.
///
/// # Errors
/// As [`resolve_as_typed`].
pub fn named(app: &App, given: &str) -> Result<Vec<Skill>, Fault> {
    named_or_in(app, given, below)
}

/// The same, with another way to find the skills below a folder.
fn named_or_in(app: &App, given: &str, find: fn(&App, &Path) -> Vec<Skill>) -> Result<Vec<Skill>, Fault> {
    match resolve_as_typed(app, given) {
        Err(fault) if is_refusal(&fault) => Err(fault),
        Err(_) if is_file(app, &typed(app, given)) => {
            let skill =
                around(app, &typed(app, given)).map(|folder| resolve_as_typed(app, &folder)).transpose()?;
            Ok(skill.into_iter().collect())
        }
        Err(fault) => {
            let found = find(app, &typed(app, given));
            if found.is_empty() { Err(fault) } else { Ok(found) }
        }
        Ok(skill) => Ok(vec![skill]),
    }
}

fn is_file(app: &App, path: &Path) -> bool {
    match app.ports.named.read(path, 0) {
        Ok(_) => true,
        Err(error) => error.kind == ErrorKind::TooLarge,
    }
}

/// The nearest parent folder with a SKILL.md, judged by the file's own path rather than a link's target.
fn around(app: &App, file: &Path) -> Option<String> {
    let folder = app.ports.stores.real_path(file.parent()?);
    let skill = folder.ancestors().find(|folder| matches!(app.look(folder), Found::Skill(_)))?;
    Some(skill.to_string_lossy().into_owned())
}
