//! The surroundings of a skill: files outside its folder that its links and texts refer to, and its sibling skills.

use crate::run::Run;
use crate::source::skill_file;
use skillc_domain::discovery::roots::project_dirs;
use skillc_domain::limits::TEXT_BYTES_MAX;
use skillc_domain::path::RelPath;
use skillc_domain::places::SKILL_FILE;
use skillc_domain::plugin::PluginManifest;
use skillc_lint::outside_path::{LookedUp, OutsidePath};
use skillc_lint::rules::skl104_name_match_dir::MANIFESTS;
use skillc_lint::rules::skl407_named_file_exists::{FoundElsewhere, MissingFile};
use skillc_ports::{ErrorKind, InspectedKind, SkillTree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Number of parent folders of a skill that may be the project's: `.claude/skills/demo` is three levels below it, a
/// plugin's skill four, one in the source of a package more.
pub const FOLDERS_ABOVE_MAX: usize = 6;
/// Number of folders, from the skill's own up, that are searched for a package's manifest.
const MANIFEST_FOLDERS_MAX: usize = 4;
/// Maximum number of sibling skills that are examined, the nearest by name. A file that belongs to a collection is in
/// most of its skills.
const NEIGHBORS_MAX: usize = 16;
/// Number of sibling skills that must have the same file below a folder for it to belong to the collection.
const NEIGHBORS_ALIKE: usize = 2;

/// The subfolders of folders with skills. Each folder is listed only once.
#[derive(Default)]
pub struct Neighborhoods(Mutex<BTreeMap<PathBuf, Arc<[PathBuf]>>>);

impl Neighborhoods {
    /// The sibling folders of a skill whose names are nearest to its own.
    fn nearest(&self, run: &Run<'_>, skill: &Path) -> Vec<PathBuf> {
        let Some(beside) = skill.parent() else { return Vec::new() };
        let mut listed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let folders = listed.entry(beside.to_owned()).or_insert_with(|| folders_in(run, beside)).clone();
        drop(listed);
        let at = folders.partition_point(|folder| folder.as_path() < skill);
        let start = at.saturating_sub(NEIGHBORS_MAX / 2);
        let near = folders.iter().skip(start).filter(|folder| folder.as_path() != skill);
        near.take(NEIGHBORS_MAX).cloned().collect()
    }
}

fn folders_in(run: &Run<'_>, folder: &Path) -> Arc<[PathBuf]> {
    let entries = run.app.ports.inspector.entries(folder).unwrap_or_default();
    let folders = entries.into_iter().filter(|entry| entry.kind == InspectedKind::Folder);
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path).collect();
    folders.sort();
    folders.into()
}

/// Those of a skill's unmentioned files that sibling skills also contain, and do not mention either unless the file is
/// part of a library such as `scripts/office/`.
pub fn of_collection(
    run: &Run<'_>,
    neighborhoods: &Neighborhoods,
    skill: &Path,
    files: BTreeSet<RelPath>,
) -> BTreeSet<RelPath> {
    if files.is_empty() {
        return BTreeSet::new();
    }
    let nearest = neighborhoods.nearest(run, skill);
    let trees: Vec<_> = nearest
        .iter()
        .filter_map(|folder| run.app.ports.files.open(folder).ok())
        .filter_map(with_text)
        .collect();
    let is_alike = |file: &RelPath| {
        let is_of_library = file.as_str().starts_with("scripts/") && file.folder().contains('/');
        let is_held = |(tree, text): &&(Box<dyn SkillTree>, String)| {
            (is_of_library || !text.contains(file.name())) && is_there(tree.as_ref(), file)
        };
        // Tools write the same file directly into each skill.
        let needed = if file.folder().is_empty() || is_of_library { 1 } else { NEIGHBORS_ALIKE };
        trees.iter().filter(is_held).take(needed).count() == needed
    };
    files.into_iter().filter(is_alike).collect()
}

/// Whether a sibling skill has a file at the same path.
pub fn is_of_neighbor(run: &Run<'_>, neighborhoods: &Neighborhoods, skill: &Path, file: &RelPath) -> bool {
    let has =
        |folder: &PathBuf| run.app.ports.files.open(folder).is_ok_and(|tree| is_there(tree.as_ref(), file));
    neighborhoods.nearest(run, skill).iter().any(has)
}

/// Whether a skill is directly in `.claude/skills`, where Claude Code takes its name from the folder.
pub fn is_of_claude_code(skill: &Path) -> bool {
    let is_named = |end: &str| skill.parent().is_some_and(|folder| folder.ends_with(end));
    is_named(".claude/skills") || is_named("claude-code/skills")
}

/// Whether a skill is in the folder of a client in a project: `.claude/skills`.
pub fn is_in_client_folder(skill: &Path) -> bool {
    let folders: Vec<_> = skill.iter().map(|folder| folder.to_string_lossy()).collect();
    let is_of_client = |two: &[std::borrow::Cow<'_, str>]| {
        let path = two.join("/");
        path.starts_with('.') && project_dirs().contains(path.as_str())
    };
    folders.windows(2).any(is_of_client)
}

/// Whether there is a file or folder at a path in the folder above a skill.
pub fn is_above(run: &Run<'_>, skill: &Path, path: &RelPath) -> bool {
    let above = skill.parent().map(|above| above.join(path.as_str()));
    above.is_some_and(|path| exists(run, &path))
}

/// Whether a skill belongs to a plugin of Claude Code.
pub fn is_in_plugin(run: &Run<'_>, skill: &Path) -> bool {
    let has_manifest = |tree: Box<dyn SkillTree>| {
        RelPath::parse(PluginManifest::Claude.path()).is_ok_and(|path| is_file(tree.as_ref(), &path))
    };
    above(run, skill).into_iter().flatten().any(has_manifest)
}

/// Whether a skill's folder is the root of a repository, or part of a package and has no skills beside it.
pub fn is_source(run: &Run<'_>, neighborhoods: &Neighborhoods, skill: &Path) -> bool {
    let is_skill = |folder: &PathBuf| has_any_file(run, folder, &[SKILL_FILE]);
    let has_manifest = |folder: &Path| has_any_file(run, folder, &MANIFESTS);
    is_repository_root(run, skill)
        || skill == run.app.call.places.cwd && has_manifest(skill)
        || skill.ancestors().take(MANIFEST_FOLDERS_MAX).any(has_manifest)
            && !neighborhoods.nearest(run, skill).iter().any(is_skill)
}

/// Whether a folder is the root of a repository, which has any name where it is cloned or unpacked.
fn is_repository_root(run: &Run<'_>, folder: &Path) -> bool {
    [".git", ".gitignore", ".github"].iter().any(|name| exists(run, &folder.join(name)))
}

/// Whether there is anything at a path.
pub fn exists(run: &Run<'_>, path: &Path) -> bool {
    run.app.ports.inspector.entry(path).is_ok_and(|entry| entry.is_some())
}

/// Whether a folder has a file of one of these names.
fn has_any_file(run: &Run<'_>, folder: &Path, names: &[&str]) -> bool {
    let Ok(tree) = run.app.ports.files.open(folder) else { return false };
    let is_there = |name: &&str| RelPath::parse(name).is_ok_and(|path| is_file(tree.as_ref(), &path));
    names.iter().any(is_there)
}

/// A skill with the text of its `SKILL.md`; `None` for another folder.
fn with_text(tree: Box<dyn SkillTree>) -> Option<(Box<dyn SkillTree>, String)> {
    let read = tree.read(&skill_file(), TEXT_BYTES_MAX).ok()?;
    let text = String::from_utf8_lossy(&read.bytes).into_owned();
    Some((tree, text))
}

/// The folders above a skill, the nearest first.
fn above(run: &Run<'_>, skill: &Path) -> Vec<Option<Box<dyn SkillTree>>> {
    let folders = skill.ancestors().skip(1).take(FOLDERS_ABOVE_MAX);
    folders.map(|folder| run.app.ports.files.open(folder).ok()).collect()
}

/// Looks up the places that links lead to, no higher above the skill than a project may reach.
pub fn looked_up(run: &Run<'_>, skill: &Path, places: BTreeSet<OutsidePath>) -> LookedUp {
    if places.is_empty() {
        return LookedUp::default();
    }
    let above = above(run, skill);
    let mut looked_up = LookedUp::default();
    for place in places {
        let Some(Some(tree)) = above.get(place.climbs - 1) else { continue };
        // A sibling folder is a skill if it has a `SKILL.md`.
        let needs_skill = place.is_skill() && !place.path.as_str().ends_with("/SKILL.md");
        let inner = needs_skill.then(|| RelPath::parse(&format!("{}/SKILL.md", place.path)).ok()).flatten();
        let is_there = is_there(tree.as_ref(), inner.as_ref().unwrap_or(&place.path));
        if is_there {
            looked_up.there.insert(place);
            continue;
        }
        if let Some(climbs) = higher(&above, &place) {
            looked_up.higher.insert(place.clone(), climbs);
        }
        looked_up.missing.insert(place);
    }
    looked_up
}

/// How many levels above the skill the path of a missing place exists, if it has a folder: a bare name means another
/// file there.
fn higher(above: &[Option<Box<dyn SkillTree>>], place: &OutsidePath) -> Option<usize> {
    let mut climbs = place.climbs + 1..=above.len();
    let has =
        |climbs: &usize| above[climbs - 1].as_ref().is_some_and(|tree| is_file(tree.as_ref(), &place.path));
    if place.path.as_str().contains('/') { climbs.find(has) } else { None }
}

/// Which missing files exist in a sibling skill that their line names, or in a parent folder.
pub fn found_elsewhere(
    run: &Run<'_>,
    skill: &Path,
    missing: BTreeSet<MissingFile>,
) -> BTreeMap<MissingFile, FoundElsewhere> {
    if missing.is_empty() {
        return BTreeMap::new();
    }
    let above: Vec<_> = above(run, skill).into_iter().flatten().collect();
    let found = |file: &MissingFile| {
        let in_skill = |name: &String| {
            let path = RelPath::parse(&format!("{name}/{}", file.path)).ok()?;
            is_file(above.first()?.as_ref(), &path).then_some(FoundElsewhere::OtherSkill)
        };
        let in_project = || above.iter().any(|tree| is_file(tree.as_ref(), &file.path));
        let in_other = file.other_skills.iter().find_map(in_skill);
        in_other.or_else(|| in_project().then_some(FoundElsewhere::Project))
    };
    missing.into_iter().filter_map(|file| found(&file).map(|found| (file, found))).collect()
}

/// Whether there is a file at a path. Does not read it.
fn is_file(tree: &dyn SkillTree, path: &RelPath) -> bool {
    match tree.read(path, 0) {
        Ok(_) => true,
        Err(error) => error.kind == ErrorKind::TooLarge,
    }
}

/// Whether there is anything at a path, even if it cannot be read, such as a file behind a link.
fn is_there(tree: &dyn SkillTree, path: &RelPath) -> bool {
    path.is_root() || !matches!(tree.read(path, 0), Err(error) if error.kind == ErrorKind::NotFound)
}
