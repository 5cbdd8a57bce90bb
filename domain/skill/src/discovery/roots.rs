//! The folders in which skills are discovered (skills specification 5.1 and 5.2).

use crate::agents::{AGENTS, expand};
use crate::discovery::settings::DiscoverySettings;
use crate::discovery::skill::{SkillKind, SkillScope};
use crate::listing::Scope;
use crate::places::{Places, SKILLC_DIR};
use std::path::{Path, PathBuf};

/// The folder of skills that agents share, in a repository and in the home folder.
pub const SHARED_DIR: &str = ".agents/skills";
/// Names that mark the root of a repository, unless others are configured.
pub const MARKERS: &[&str] = &[SKILLC_DIR, ".git", ".jj", ".codelia"];

/// Folders that agents read in addition to those to which skills are deployed, relative to a project.
const FURTHER_PROJECT_DIRS: &[(&str, &str)] = &[
    ("codex", ".codex/skills"),
    ("cursor", ".cursor/skills"),
    ("gemini-cli", ".gemini/skills"),
    ("github-copilot", ".github/skills"),
    ("opencode", ".opencode/skills"),
];
/// The same for a user; templates as in `Agent::user`.
const FURTHER_USER_DIRS: &[(&str, &str)] = &[
    ("codex", "${CODEX_HOME:-~/.codex}/skills"),
    ("codex", "/etc/codex/skills"),
    ("opencode", "${XDG_CONFIG_HOME:-~/.config}/opencode/skill"),
];

/// A selection of roots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Which {
    /// Those of the specification, skillc's stores, and configured folders.
    #[default]
    Default,
    /// Also those of every agent.
    All,
}

/// A folder of skills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillRoot {
    /// Path of the folder, which may not exist.
    pub path: PathBuf,
    /// Project or user.
    pub scope: SkillScope,
    /// `agents`, `skillc`, an agent's id, or the path of a configured folder.
    pub label: String,
    /// The form of its skills: `Markdown` or `Python`.
    pub kind: SkillKind,
    /// Whether it is included only by `--roots all`.
    pub is_agents_own: bool,
}

/// The inputs from which roots are derived.
pub struct RootScene<'a> {
    /// Home, working directory and project.
    pub places: &'a Places,
    /// `[discovery]`.
    pub settings: &'a DiscoverySettings,
    /// Looks up environment variables of agents; always `None` while SKILLC_HOME is set.
    pub var: &'a dyn Fn(&str) -> Option<String>,
    /// Whether a path exists.
    pub exists: &'a dyn Fn(&Path) -> bool,
}

impl RootScene<'_> {
    /// The root of the repository: the configured one, otherwise the nearest folder upward with a marker, otherwise the
    /// working directory. The `.skillc` in the home folder is no marker.
    pub fn repository(&self) -> PathBuf {
        if let Some(root) = &self.settings.agents_root {
            return root.clone();
        }
        let cwd = &self.places.cwd;
        cwd.ancestors().find(|folder| self.has_marker(folder)).unwrap_or(cwd).to_owned()
    }

    fn has_marker(&self, folder: &Path) -> bool {
        let is_marker = |name: &str| {
            !(folder == self.places.home && name == SKILLC_DIR) && (self.exists)(&folder.join(name))
        };
        match self.settings.markers.is_empty() {
            true => MARKERS.iter().any(|name| is_marker(name)),
            false => self.settings.markers.iter().any(|name| is_marker(name)),
        }
    }

    /// Folders from the root of the repository down to the working directory, without the home folder, which belongs to the
    /// user scope.
    fn chain(&self, repository: &Path) -> Vec<PathBuf> {
        let cwd = &self.places.cwd;
        let mut chain: Vec<PathBuf> =
            cwd.ancestors().take_while(|folder| folder.starts_with(repository)).map(Path::to_owned).collect();
        if chain.is_empty() {
            chain.push(repository.to_owned());
        }
        chain.reverse();
        chain.retain(|folder| *folder != self.places.home);
        chain
    }

    /// The roots in order, the repository's first, without duplicates. `repository` is the result of [`Self::repository`].
    pub fn roots(&self, repository: &Path, which: Which) -> Vec<SkillRoot> {
        let chain = self.chain(repository);
        let mut roots: Vec<SkillRoot> = Vec::new();
        let mut add = |root: SkillRoot| {
            if roots.iter().all(|known| known.path != root.path || known.kind != root.kind) {
                roots.push(root);
            }
        };
        chain.iter().for_each(|folder| add(root(folder.join(SHARED_DIR), SkillScope::Repo, "agents")));
        self.places.store(Scope::Project).into_iter().for_each(|s| add(root(s, SkillScope::Repo, "skillc")));
        add(root(self.places.home.join(SHARED_DIR), SkillScope::User, "agents"));
        self.places.store(Scope::Global).into_iter().for_each(|s| add(root(s, SkillScope::User, "skillc")));
        self.configured(repository).for_each(&mut add);
        if which == Which::All {
            chain.iter().flat_map(|folder| agents_of_project(folder)).for_each(&mut add);
            self.agents_of_user().into_iter().for_each(&mut add);
        }
        // A stable sort keeps the order of insertion within a scope.
        roots.sort_by_key(|root| root.scope);
        roots
    }

    fn configured<'a>(&'a self, repository: &'a Path) -> impl Iterator<Item = SkillRoot> + 'a {
        let settings = self.settings;
        let of_kind = |paths: &'a [PathBuf], kind| paths.iter().map(move |path| (path, kind));
        let all = of_kind(&settings.roots, SkillKind::Markdown)
            .chain(of_kind(&settings.python_roots, SkillKind::Python));
        all.map(move |(path, kind)| {
            let is_repos = path.starts_with(repository) && repository != self.places.home;
            let scope = if is_repos { SkillScope::Repo } else { SkillScope::User };
            SkillRoot { kind, ..root(path.clone(), scope, &path.to_string_lossy()) }
        })
    }

    fn agents_of_user(&self) -> Vec<SkillRoot> {
        let home = self.places.home.to_string_lossy();
        let own = AGENTS.iter().flat_map(|agent| agent.user.iter().map(|template| (agent.id, *template)));
        let all = own.chain(FURTHER_USER_DIRS.iter().copied());
        all.filter_map(|(id, template)| Some((id, expand(template, &home, self.var)?)))
            .map(|(id, path)| agents_own(path, SkillScope::User, id))
            .collect()
    }
}

fn agents_of_project(folder: &Path) -> impl Iterator<Item = SkillRoot> {
    let own = AGENTS.iter().map(|agent| (agent.id, agent.project));
    own.chain(FURTHER_PROJECT_DIRS.iter().copied())
        .map(|(id, below)| agents_own(folder.join(below), SkillScope::Repo, id))
}

fn agents_own(path: PathBuf, scope: SkillScope, id: &str) -> SkillRoot {
    SkillRoot { is_agents_own: true, ..root(path, scope, id) }
}

fn root(path: PathBuf, scope: SkillScope, label: &str) -> SkillRoot {
    SkillRoot { path, scope, label: label.to_owned(), kind: SkillKind::Markdown, is_agents_own: false }
}
