//! Where files are on a machine: stores, runtimes, and the files in a runtime.

use crate::digest::Digest;
use crate::listing::Scope;
use std::path::{Component, Path, PathBuf};

/// The folder with skillc's files in a project or home folder.
pub const SKILLC_DIR: &str = ".skillc";
/// The folder with a build's metadata, in a runtime or copy.
pub const META_DIR: &str = ".skillc-meta";
/// The log, in the folder of metadata.
const LOG_FILE: &str = "logs.db";
/// The file that makes a folder a skill.
pub const SKILL_FILE: &str = "SKILL.md";

/// A folder of skills that the configuration makes a store. Its skills are built in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRoot {
    /// The project if the project's configuration names it, otherwise the user.
    pub scope: Scope,
    /// Absolute path.
    pub folder: PathBuf,
}

/// The folders from which all paths of a run are derived. All are absolute and canonical.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The folder that holds the global `.skillc`: SKILLC_HOME, or the user's home.
    pub home: PathBuf,
    /// The global `.skillc`. It is not in `home` if the user made `~/.skillc` a link.
    pub own: PathBuf,
    /// The working directory.
    pub cwd: PathBuf,
    /// The nearest parent folder whose `.skillc` is a project; `None` outside a project.
    pub project: Option<PathBuf>,
    /// `[sources] roots`, in the order of their files.
    pub source_roots: Vec<SourceRoot>,
}

impl Places {
    /// Places with the global `.skillc` in the home folder.
    pub fn new(home: PathBuf, cwd: PathBuf, project: Option<PathBuf>) -> Self {
        Self { own: home.join(SKILLC_DIR), home, cwd, project, source_roots: Vec::new() }
    }

    /// Adds the configured stores. A project's root counts only inside the nearest project.
    pub fn with_source_roots(self, roots: &[SourceRoot]) -> Self {
        let is_taken = |root: &&SourceRoot| root.scope == Scope::Global || self.is_in_project(&root.folder);
        let source_roots = roots.iter().filter(is_taken).cloned().collect();
        Self { source_roots, ..self }
    }

    /// The `.skillc` folder of a scope; `None` for the project scope outside a project.
    pub fn skillc_dir(&self, scope: Scope) -> Option<PathBuf> {
        match scope {
            Scope::Project => self.project.as_ref().map(|project| project.join(SKILLC_DIR)),
            Scope::Global => Some(self.own.clone()),
        }
    }

    /// The folder of runtimes of a scope.
    pub fn runtimes(&self, scope: Scope) -> Option<PathBuf> {
        self.skillc_dir(scope).map(|own| own.join("runtime"))
    }

    /// Whether a path is the runtime of one skill of this project or user, rather than the folder of all runtimes or a
    /// path inside a runtime.
    pub fn is_own_runtime(&self, path: &Path) -> bool {
        let is_runtime_in =
            |runtimes: PathBuf| path.parent() == Some(&*runtimes) && path.file_name().is_some();
        [Scope::Project, Scope::Global]
            .into_iter()
            .filter_map(|scope| self.runtimes(scope))
            .any(is_runtime_in)
    }

    /// Whether a path is in the project, judged by its text with `..` resolved.
    pub fn is_in_project(&self, path: &Path) -> bool {
        self.project.as_ref().is_some_and(|project| below("/".into(), path).starts_with(project))
    }

    /// Where links on a path in a project may lead: into the project and, from its stores, into the user's own
    /// `.skillc`, otherwise to the user's builds. Empty outside a project, and for a path outside of it.
    pub fn link_bounds(&self, path: &Path) -> Vec<PathBuf> {
        let path = below("/".into(), path);
        let Some(project) = self.project.as_ref().filter(|project| path.starts_with(project)) else {
            return Vec::new();
        };
        let is_stored = self.stores(Scope::Project).iter().any(|store| path.starts_with(store));
        let own = if is_stored { self.own.clone() } else { self.own.join("runtime") };
        vec![project.clone(), own]
    }

    /// Whether a path is in the working directory, judged by its text with `..` resolved. Not if the home is in it too,
    /// whose links are the user's own.
    pub fn is_in_foreign_cwd(&self, path: &Path) -> bool {
        below("/".into(), path).starts_with(&self.cwd) && !self.home.starts_with(&self.cwd)
    }

    /// The folder of replaced and removed files, from which the user can restore them.
    pub fn trash(&self) -> PathBuf {
        self.own.join("trash")
    }

    /// The folder of records of changes in progress.
    pub fn journal(&self) -> PathBuf {
        self.own.join("journal")
    }

    /// The folder of the skills shipped with the program, which are written when first used.
    pub fn shipped(&self) -> PathBuf {
        self.own.join("shipped")
    }

    /// The list of projects whose configuration the user approved.
    pub fn approvals(&self) -> PathBuf {
        self.own.join("approved.json")
    }

    /// The folder that contains a scope's `.skillc`; `None` for the project scope outside a project.
    pub fn base(&self, scope: Scope) -> Option<&Path> {
        match scope {
            Scope::Project => self.project.as_deref(),
            Scope::Global => Some(&self.home),
        }
    }

    /// The skillc store of a scope.
    pub fn store(&self, scope: Scope) -> Option<PathBuf> {
        match scope {
            Scope::Project => self.project.as_ref().map(|project| joined(project, &[SKILLC_DIR, "skills"])),
            Scope::Global => Some(self.own.join("skills")),
        }
    }

    /// All stores of a scope in lookup order: its own, then the configured ones.
    pub fn stores(&self, scope: Scope) -> Vec<PathBuf> {
        let configured = self.source_roots.iter().filter(|root| root.scope == scope);
        self.store(scope).into_iter().chain(configured.map(|root| root.folder.clone())).collect()
    }

    /// The store in which new skills of a scope are created: the first configured one, otherwise the scope's own.
    pub fn store_of_new(&self, scope: Scope) -> Option<PathBuf> {
        let configured = self.source_roots.iter().find(|root| root.scope == scope);
        configured.map(|root| root.folder.clone()).or_else(|| self.store(scope))
    }

    /// The folder of a skill's build in a scope.
    pub fn runtime(&self, scope: Scope, skill: &str) -> Option<PathBuf> {
        match scope {
            Scope::Project => {
                self.project.as_ref().map(|project| joined(project, &[SKILLC_DIR, "runtime", skill]))
            }
            Scope::Global => Some(self.global_runtime(skill)),
        }
    }

    /// Whether a folder is in the home's runtimes.
    pub fn is_global_runtime(&self, runtime: &Path) -> bool {
        runtime.parent() == Some(self.own.join("runtime").as_path())
    }

    /// The folder of a skill's global build.
    pub fn global_runtime(&self, skill: &str) -> PathBuf {
        joined(&self.own, &["runtime", skill])
    }

    /// The scope whose store directly contains this folder.
    pub fn scope_of(&self, source: &Path) -> Option<Scope> {
        let is_in = |store: &PathBuf| source.parent() == Some(store.as_path());
        [Scope::Project, Scope::Global].into_iter().find(|scope| self.stores(*scope).iter().any(is_in))
    }

    /// The folder of fallback logs, with a subfolder for each skill.
    pub fn fallback_logs(&self) -> PathBuf {
        self.cwd.join(SKILLC_DIR).join("logs")
    }

    /// The database of skill discovery, one for all projects.
    pub fn discovery(&self) -> PathBuf {
        self.own.join("discovery.db")
    }

    /// The file that records which skills sessions have loaded.
    pub fn sessions(&self) -> PathBuf {
        self.own.join("sessions.db")
    }

    /// The log of events imported from agents' histories, one for all skills and projects.
    pub fn history_log(&self) -> PathBuf {
        self.own.join("history").join("logs.db")
    }

    /// The file that records how far agents' histories have been imported.
    pub fn history_bookmarks(&self) -> PathBuf {
        self.own.join("history").join("bookmarks.db")
    }

    /// The folder of embedding models; one for all projects.
    pub fn models(&self) -> PathBuf {
        self.own.join("models")
    }

    /// The log that is used if a runtime cannot be written (RFC-0007:C-LOGGING).
    pub fn fallback_log(&self, skill: &str) -> PathBuf {
        joined(&self.cwd, &[SKILLC_DIR, "logs", skill, META_DIR, LOG_FILE])
    }
}

/// A path below a folder, in one allocation: a list asks for several of each skill.
fn joined(folder: &Path, parts: &[&str]) -> PathBuf {
    let bytes: usize = parts.iter().map(|part| part.len() + 1).sum();
    let mut path = PathBuf::with_capacity(folder.as_os_str().len() + bytes);
    path.push(folder);
    path.extend(parts);
    path
}

/// A folder and its parents up to the root, without the home folder, whose `.skillc` is never a project
/// (RFC-0007:C-RESOLUTION).
pub fn upward<'a>(folder: &'a Path, home: &'a Path) -> impl Iterator<Item = &'a Path> {
    folder.ancestors().filter(move |base| *base != home)
}

/// The nearest parent folder whose `.skillc` contains skills or a configuration.
pub fn project_of(
    folder: &Path,
    home: &Path,
    is_folder: impl Fn(&Path) -> bool,
    is_file: impl Fn(&Path) -> bool,
) -> Option<PathBuf> {
    let is_project = |own: &Path| is_folder(&own.join("skills")) || is_file(&own.join("config.toml"));
    upward(folder, home).find(|base| is_project(&base.join(SKILLC_DIR))).map(Path::to_owned)
}

/// The log of a runtime.
pub fn log_file(runtime: &Path) -> PathBuf {
    joined(runtime, &[META_DIR, LOG_FILE])
}

/// The index of a runtime, named after the SHA-256 of the source's canonical path (RFC-0004:C-INDEX).
pub fn index_file(runtime: &Path, source_path_digest: &Digest) -> PathBuf {
    runtime.join(META_DIR).join(format!("search-{}.db", source_path_digest.hash16()))
}

/// Appends a path whose parts need not exist; `..` removes the part before it, without looking at the file system.
pub fn below(mut folder: PathBuf, rest: &Path) -> PathBuf {
    for part in rest.components() {
        match part {
            Component::ParentDir => drop(folder.pop()),
            Component::CurDir => {}
            part => folder.push(part),
        }
    }
    folder
}

/// A path as the target of a link in `folder`. Both are absolute and without `..`.
pub fn relative(folder: &Path, to: &Path) -> PathBuf {
    let common = folder.components().zip(to.components()).take_while(|(one, other)| one == other).count();
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    up.chain(to.components().skip(common)).collect()
}

/// Whether a name has the form that `index_file` produces.
pub fn is_index_name(name: &str) -> bool {
    let digits = name.strip_prefix("search-").and_then(|rest| rest.strip_suffix(".db"));
    digits.is_some_and(|digits| digits.len() == 16 && digits.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Whether a folder is a skill's runtime, judged by its path: `…/.skillc/runtime/<skill>`.
pub fn is_runtime(folder: &Path) -> bool {
    let mut upward = folder.components().rev().map(|c| c.as_os_str());
    upward.next().is_some()
        && upward.next().is_some_and(|name| name == "runtime")
        && upward.next().is_some_and(|name| name == SKILLC_DIR)
}

#[cfg(test)]
mod tests;
