//! Finds the skill to which a path in a history belongs.

use crate::app::App;
use crate::runtime::{manifest, source_of};
use skillc_domain::agents::{agent, expand};
use skillc_domain::history::HistoryLocation;
use skillc_domain::name::SkillName;
use skillc_domain::places::{SKILL_FILE, below, is_runtime};
use skillc_ports::Found;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Maximum number of cached answers; a history of years names fewer paths of skills.
const CACHED_MAX: usize = 20_000;

/// Number of parent folders in which a name is looked up.
const FOLDERS_UPWARD_MAX: usize = 16;

/// A skill in a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedSkill {
    /// Name of its folder.
    pub name: String,
    /// Canonical path of its source; empty if unknown.
    pub path: PathBuf,
    /// Whether its folder no longer exists.
    pub is_gone: bool,
}

/// A file of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedFile {
    /// The skill that contains it.
    pub skill: RecordedSkill,
    /// Path relative to the skill; empty for its folder.
    pub file: String,
    /// Whether it is a stub, whose lines differ from those of the source.
    pub is_stub: bool,
}

/// Finds skills by paths and names, and caches them during one import.
pub struct SkillOwners<'a> {
    app: &'a App,
    files: HashMap<PathBuf, Option<OwnedFile>>,
    names: HashMap<(String, String), Option<RecordedSkill>>,
}

impl<'a> SkillOwners<'a> {
    /// Starts with an empty cache.
    pub fn new(app: &'a App) -> Self {
        Self { app, files: HashMap::new(), names: HashMap::new() }
    }

    /// The absolute path of a path in a history; `None` if it is relative to an unknown folder.
    pub fn absolute(&self, written: &str, cwd: &str) -> Option<PathBuf> {
        let home = &self.app.call.places.home;
        let written = written.strip_prefix("file://").unwrap_or(written);
        let path = match written.strip_prefix("~/").or_else(|| written.strip_prefix("$HOME/")) {
            Some(rest) => home.join(rest),
            None => Path::new(cwd).join(written),
        };
        let is_usable = path.is_absolute() && !written.is_empty() && !written.contains('\0');
        is_usable.then(|| below("/".into(), path.strip_prefix("/").unwrap_or(&path)))
    }

    /// The skill of a file or folder: that of the nearest parent folder with a SKILL.md, links resolved.
    pub fn of_path(&mut self, path: &Path) -> Option<OwnedFile> {
        if let Some(known) = self.files.get(path) {
            return known.clone();
        }
        let found = self.find(path);
        if self.files.len() >= CACHED_MAX {
            self.files.clear();
        }
        self.files.insert(path.to_owned(), found.clone());
        found
    }

    fn find(&self, path: &Path) -> Option<OwnedFile> {
        let real = self.app.ports.stores.real_path(path);
        let skill = |folder: &Path| match self.app.ports.stores.look(folder, &[]) {
            Found::Skill(root) => Some(root),
            Found::Nothing | Found::Folder | Found::Linked(_) => None,
        };
        match real.ancestors().find_map(skill) {
            Some(root) => self.file_in(&root, &real),
            None => gone(path, |folder| self.app.ports.stores.is_folder(folder)),
        }
    }

    /// A file in a skill's folder. For a folder of a build, the file of its source.
    fn file_in(&self, root: &Path, real: &Path) -> Option<OwnedFile> {
        let file = real.strip_prefix(root).ok()?.to_string_lossy().replace('\\', "/");
        let source = self.source_of_build(root);
        let path = source.as_deref().unwrap_or(root);
        let name = path.file_name()?.to_string_lossy().into_owned();
        let is_stub = source.is_some() && file == SKILL_FILE;
        let skill = RecordedSkill { name, path: path.to_owned(), is_gone: false };
        Some(OwnedFile { skill, file, is_stub })
    }

    fn source_of_build(&self, root: &Path) -> Option<PathBuf> {
        let manifest = manifest(self.app, root)?;
        let source = PathBuf::from(&manifest.source);
        if source.is_relative() && is_runtime(root) {
            // The project is above `.skillc/runtime/<skill>`.
            return Some(below(root.ancestors().nth(3)?.to_owned(), &source))
                .filter(|_| !manifest.source.is_empty());
        }
        source_of(self.app, &manifest)
    }

    /// The skill that an agent refers to by a name; without a path if it is in none of the agent's folders.
    pub fn of_name(&mut self, history: &HistoryLocation, cwd: &str, written: &str) -> RecordedSkill {
        let name = written.rsplit(':').next().unwrap_or(written);
        let key = (cwd.to_owned(), written.to_owned());
        if !self.names.contains_key(&key) {
            // A plugin's skill may have the same name as one of the user's.
            let is_plain = name == written && SkillName::parse(name).is_ok();
            let found = is_plain.then(|| self.named(history, cwd, name)).flatten();
            if self.names.len() >= CACHED_MAX {
                self.names.clear();
            }
            self.names.insert(key.clone(), found);
        }
        let known = self.names.get(&key).cloned().flatten();
        known.unwrap_or_else(|| RecordedSkill { name: name.to_owned(), path: PathBuf::new(), is_gone: false })
    }

    fn named(&self, history: &HistoryLocation, cwd: &str, name: &str) -> Option<RecordedSkill> {
        let own = agent(history.agent)?;
        let home = &self.app.call.places.home;
        let upward =
            Path::new(cwd).ancestors().take(FOLDERS_UPWARD_MAX).filter(|folder| folder.is_absolute());
        let projects = upward
            .flat_map(|folder| [own.project, ".agents/skills", ".claude/skills"].map(|at| folder.join(at)));
        let var = |name: &str| self.app.call.environment.agent_vars.get(name).cloned();
        let users = own.user.iter().filter_map(|template| expand(template, &home.to_string_lossy(), &var));
        let mut folders = projects.chain(users).chain([home.join(".agents/skills")]);
        let owned = folders.find_map(|folder| {
            let folder = folder.join(name);
            matches!(self.app.ports.stores.look(&folder, &[]), Found::Skill(_))
                .then(|| self.find(&folder))
                .flatten()
        });
        owned.map(|owned| owned.skill)
    }
}

/// The file of a skill whose folder no longer exists, recognized by `…/skills/<name>/…`.
fn gone(path: &Path, exists: impl Fn(&Path) -> bool) -> Option<OwnedFile> {
    let is_skill =
        |folder: &&Path| folder.parent().and_then(Path::file_name).is_some_and(|parent| parent == "skills");
    // An entry of a skills folder is a skill, but a file with that name deeper down belongs to one above it.
    let folder = path.ancestors().skip(1).find(is_skill).or_else(|| Some(path).filter(is_skill))?;
    if exists(folder) {
        return None;
    }
    let file = path.strip_prefix(folder).ok()?.to_string_lossy().into_owned();
    let name = folder.file_name()?.to_string_lossy().into_owned();
    Some(OwnedFile {
        skill: RecordedSkill { name, path: folder.to_owned(), is_gone: true },
        file,
        is_stub: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0014:C-SKILLS
    #[test]
    fn a_skill_that_is_gone_is_known_by_the_folder_of_skills() {
        let file = |path: &str| gone(Path::new(path), |_| false).map(|owned| (owned.skill.path, owned.file));
        let skill = PathBuf::from("/h/.claude/skills/pdf");
        assert_eq!(
            file("/h/.claude/skills/pdf/references/a.md"),
            Some((skill.clone(), "references/a.md".into()))
        );
        assert_eq!(file("/h/.claude/skills/pdf"), Some((skill, String::new())));
        let plugin = PathBuf::from("/h/skills/skills/pdf");
        assert_eq!(file("/h/skills/skills/pdf/SKILL.md"), Some((plugin, "SKILL.md".into())));
        assert_eq!(file("/h/.claude/skills"), None);
        assert_eq!(file("/h/docs/a.md"), None);
        assert_eq!(
            gone(Path::new("/h/skills/notes/a.md"), |_| true),
            None,
            "a folder without SKILL.md is no skill"
        );
    }
}
