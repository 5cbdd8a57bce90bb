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
mod tests {
    use super::*;

    #[test]
    fn a_relative_path_climbs_to_the_common_folder_and_down_again() {
        let relative = |from: &str, to: &str| relative(Path::new(from), Path::new(to)).display().to_string();
        assert_eq!(relative("/p/.claude/skills", "/p/.skillc/runtime/x"), "../../.skillc/runtime/x");
        assert_eq!(relative("/p", "/p/a/b"), "a/b");
        assert_eq!(relative("/p/a", "/q"), "../../q");
    }

    /// RFC-0007:C-RESOLUTION
    #[test]
    fn configured_stores_follow_their_scopes_own_one() {
        let root = |scope, folder: &str| SourceRoot { scope, folder: folder.into() };
        let roots = [
            root(Scope::Project, "/p/skills"),
            root(Scope::Project, "/outer/skills"),
            root(Scope::Global, "/w/skills"),
        ];
        let places = Places::new("/h".into(), "/p".into(), Some("/p".into())).with_source_roots(&roots);
        assert_eq!(places.stores(Scope::Project), ["/p/.skillc/skills", "/p/skills"].map(PathBuf::from));
        assert_eq!(places.stores(Scope::Global), ["/h/.skillc/skills", "/w/skills"].map(PathBuf::from));
        assert_eq!(places.scope_of(Path::new("/p/skills/x")), Some(Scope::Project));
        assert_eq!(places.store_of_new(Scope::Project), Some("/p/skills".into()));
    }

    #[test]
    fn stores_and_runtimes_stand_below_their_base() {
        let places = Places::new("/h".into(), "/p/src".into(), Some("/p".into()));
        assert_eq!(places.store(Scope::Project).unwrap(), Path::new("/p/.skillc/skills"));
        assert_eq!(places.runtime(Scope::Global, "x").unwrap(), Path::new("/h/.skillc/runtime/x"));
        assert_eq!(places.scope_of(Path::new("/h/.skillc/skills/x")), Some(Scope::Global));
        assert_eq!(places.scope_of(Path::new("/h/.skillc/skills/x/y")), None);
        assert_eq!(below("/a".into(), Path::new("b/../../c/./d")), Path::new("/c/d"));
        assert!(is_index_name("search-0123456789abcdef.db"));
        for other in
            ["search-../../x.db", "search-0123456789abcdef.db/x", "../search-0123456789abcdef.db", ""]
        {
            assert!(!is_index_name(other), "{other}");
        }
        assert!(is_runtime(Path::new("/p/.skillc/runtime/x")));
        assert!(!is_runtime(Path::new("/p/.claude/skills/x")));
    }

    /// Home `/h`, project `/p`, working directory `/p/src`, and a store `/p/skills`.
    fn places() -> Places {
        let roots = [SourceRoot { scope: Scope::Project, folder: "/p/skills".into() }];
        Places::new("/h".into(), "/p/src".into(), Some("/p".into())).with_source_roots(&roots)
    }

    fn outside() -> Places {
        Places::new("/h".into(), "/w".into(), None)
    }

    /// RFC-0007:C-RESOLUTION
    #[test]
    fn outside_a_project_there_is_nothing_of_one() {
        let (project, places) = (Scope::Project, outside());
        assert_eq!((places.skillc_dir(project), places.runtimes(project)), (None, None));
        assert_eq!(
            (places.base(project), places.store(project), places.runtime(project, "x")),
            (None, None, None)
        );
        assert!(places.stores(project).is_empty() && places.store_of_new(project).is_none());
        assert!(!places.is_in_project(Path::new("/w")));
        assert_eq!(places.skillc_dir(Scope::Global), Some("/h/.skillc".into()));
        assert_eq!(places.base(Scope::Global), Some(Path::new("/h")));
        assert_eq!(places.store_of_new(Scope::Global), Some("/h/.skillc/skills".into()));
    }

    #[test]
    fn a_scope_has_its_folders_in_its_own_skillc_folder() {
        let places = Places { own: "/linked".into(), ..places() };
        for (scope, base, own) in [(Scope::Project, "/p", "/p/.skillc"), (Scope::Global, "/h", "/linked")] {
            let own = Path::new(own);
            assert_eq!(
                (places.base(scope), places.skillc_dir(scope)),
                (Some(Path::new(base)), Some(own.into()))
            );
            assert_eq!(places.runtimes(scope), Some(own.join("runtime")));
            assert_eq!(places.runtime(scope, "x"), Some(own.join("runtime/x")));
            assert_eq!(places.store(scope), Some(own.join("skills")));
        }
    }

    #[test]
    fn a_runtime_is_directly_in_the_runtimes_of_the_project_or_the_user() {
        for (path, is_own, is_global) in [
            ("/p/.skillc/runtime/x", true, false),
            ("/h/.skillc/runtime/x", true, true),
            ("/h/.skillc/runtime", false, false),
            ("/h/.skillc/runtime/x/y", false, false),
            ("/h/.skillc/runtime/..", false, true),
            ("/q/.skillc/runtime/x", false, false),
        ] {
            let path = Path::new(path);
            assert_eq!(
                (places().is_own_runtime(path), places().is_global_runtime(path)),
                (is_own, is_global),
                "{path:?}"
            );
        }
    }

    #[test]
    fn a_path_is_in_the_project_if_its_dots_do_not_lead_out() {
        for (path, is_inside) in
            [("/p", true), ("/p/a/../b", true), ("/p/../q", false), ("/q/../p", true), ("/pp", false)]
        {
            assert_eq!(places().is_in_project(Path::new(path)), is_inside, "{path}");
        }
    }

    #[test]
    fn links_of_a_project_lead_into_it_and_from_its_stores_to_all_that_is_the_users() {
        let bounds = |path: &str| places().link_bounds(Path::new(path));
        for (path, own) in [
            ("/p/.claude/skills/x", "/h/.skillc/runtime"),
            ("/p/.skillc/skills/x", "/h/.skillc"),
            ("/p/skills/x", "/h/.skillc"),
            ("/p/skills/../x", "/h/.skillc/runtime"),
        ] {
            assert_eq!(bounds(path), [PathBuf::from("/p"), own.into()], "{path}");
        }
        assert!(bounds("/h/x").is_empty() && bounds("/p/../h/x").is_empty());
        assert!(outside().link_bounds(Path::new("/w/x")).is_empty());
    }

    #[test]
    fn the_working_directory_is_foreign_unless_the_home_is_in_it() {
        let is_foreign = |home: &str, path: &str| {
            Places::new(home.into(), "/w".into(), None).is_in_foreign_cwd(Path::new(path))
        };
        for (home, path, expected) in [
            ("/h", "/w/x", true),
            ("/h", "/w", true),
            ("/h", "/w/../x", false),
            ("/h", "/h/x", false),
            ("/w/h", "/w/x", false),
            ("/w", "/w/x", false),
        ] {
            assert_eq!(is_foreign(home, path), expected, "{home} {path}");
        }
    }

    #[test]
    fn each_file_of_the_user_and_of_a_runtime_has_its_place() {
        let places = places();
        for (path, expected) in [
            (places.trash(), "/h/.skillc/trash"),
            (places.journal(), "/h/.skillc/journal"),
            (places.shipped(), "/h/.skillc/shipped"),
            (places.approvals(), "/h/.skillc/approved.json"),
            (places.discovery(), "/h/.skillc/discovery.db"),
            (places.sessions(), "/h/.skillc/sessions.db"),
            (places.history_log(), "/h/.skillc/history/logs.db"),
            (places.history_bookmarks(), "/h/.skillc/history/bookmarks.db"),
            (places.models(), "/h/.skillc/models"),
            (places.fallback_logs(), "/p/src/.skillc/logs"),
            (places.fallback_log("x"), "/p/src/.skillc/logs/x/.skillc-meta/logs.db"),
            (log_file(Path::new("/r")), "/r/.skillc-meta/logs.db"),
            (index_file(Path::new("/r"), &Digest([0xab; 32])), "/r/.skillc-meta/search-abababababababab.db"),
        ] {
            assert_eq!(path, Path::new(expected));
        }
    }

    /// RFC-0007:C-RESOLUTION
    #[test]
    fn a_project_is_the_nearest_folder_with_skills_or_a_configuration_and_never_the_home() {
        let of = |folder: &str, existing: &[&str]| {
            let has = |path: &Path| existing.iter().any(|known| Path::new(known) == path);
            project_of(Path::new(folder), Path::new("/h"), has, has)
        };
        let (skills, config) = ("/h/p/.skillc/skills", "/h/p/sub/.skillc/config.toml");
        assert_eq!(of("/h/p/sub", &[skills, config]), Some("/h/p/sub".into()));
        assert_eq!(of("/h/p/sub", &[skills]), Some("/h/p".into()));
        assert_eq!(of("/h/p", &["/h/p/.skillc"]), None);
        assert_eq!(of("/h/p", &["/h/.skillc/skills", "/h/.skillc/config.toml"]), None);
        assert_eq!(of("/h/p", &["/h/.skillc/skills", "/.skillc/skills"]), Some("/".into()));
    }

    #[test]
    fn an_index_is_named_by_sixteen_digits() {
        for (name, is_index) in [
            ("search-0123456789ABCDEF.db", true),
            ("search-0123456789abcde.db", false),
            ("search-0123456789abcdef0.db", false),
            ("search-0123456789abcdeg.db", false),
            ("search-0123456789abcdef", false),
            ("0123456789abcdef.db", false),
        ] {
            assert_eq!(is_index_name(name), is_index, "{name}");
        }
    }

    #[test]
    fn a_runtime_is_two_levels_below_a_skillc_folder() {
        for (path, expected) in [
            ("/x/.skillc/runtime/a", true),
            (".skillc/runtime/a", true),
            ("/x/.skillc/runtime", false),
            ("/x/.skillc/skills/a", false),
            ("/x/skillc/runtime/a", false),
            ("/", false),
        ] {
            assert_eq!(is_runtime(Path::new(path)), expected, "{path}");
        }
    }
}
