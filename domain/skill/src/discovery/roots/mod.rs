//! The folders in which skills are discovered (skills specification 5.1 and 5.2).

use crate::agents::{AGENTS, Agent, Detect, expand};
use crate::discovery::settings::DiscoverySettings;
pub use crate::discovery::settings::Which;
use crate::discovery::skill::{SkillKind, SkillScope};
use crate::listing::Scope;
use crate::places::{Places, SKILLC_DIR};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folder of skills that agents share, in a repository and in the home folder.
pub const SHARED_DIR: &str = ".agents/skills";
/// Names that mark the root of a repository unless others are configured.
pub const MARKERS: &[&str] = &[SKILLC_DIR, ".git", ".jj", ".codelia"];

/// Project folders that agents read in addition to those to which skills are deployed.
const FURTHER_PROJECT_DIRS: &[(&str, &str)] = &[
    ("codex", ".codex/skills"),
    ("cursor", ".cursor/skills"),
    ("gemini-cli", ".gemini/skills"),
    ("github-copilot", ".github/skills"),
    ("opencode", ".opencode/skills"),
];
/// The same in the home folder; templates as in `Agent::user`.
const FURTHER_USER_DIRS: &[(&str, &str)] = &[
    ("codex", "${CODEX_HOME:-~/.codex}/skills"),
    ("codex", "/etc/codex/skills"),
    ("opencode", "${XDG_CONFIG_HOME:-~/.config}/opencode/skill"),
];

/// The folders of a project in which agents search for skills, each once.
pub fn project_dirs() -> BTreeSet<&'static str> {
    AGENTS
        .iter()
        .map(|agent| agent.project)
        .chain(FURTHER_PROJECT_DIRS.iter().map(|(_, folder)| *folder))
        .collect()
}

/// Those of them that several agents search, or one that many people use: they may be in any folder of a repository.
pub fn common_project_dirs() -> impl Iterator<Item = &'static str> {
    let always = AGENTS.iter().filter(|agent| agent.id == ALWAYS_READ).map(|agent| agent.project);
    [SHARED_DIR].into_iter().chain(always).chain(FURTHER_PROJECT_DIRS.iter().map(|(_, folder)| *folder))
}

/// The agent whose folders are always searched, since most other agents read them too.
const ALWAYS_READ: &str = "claude-code";

/// A folder of skills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillRoot {
    /// Path of the folder, which may not exist.
    pub path: PathBuf,
    /// Project or user.
    pub scope: SkillScope,
    /// `agents`, `skillc`, an agent's id, or the path of a configured folder.
    pub label: String,
    /// The kind of skills in it: `Markdown` or `Python`.
    pub kind: SkillKind,
    /// The narrowest choice of roots that includes it.
    pub taken_by: Which,
    /// Whether folders below it can be skills.
    pub takes_folders: bool,
    /// Whether Markdown files directly in it are skills.
    pub takes_files: bool,
}

/// The inputs from which the roots are computed.
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
    /// The root of the repository: the configured one, otherwise the nearest parent folder with a marker, otherwise
    /// the working directory. The `.skillc` in the home folder is not a marker.
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

    /// The folders from the repository's root down to the working directory. Excludes the home folder, which belongs
    /// to the user scope.
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

    /// All roots in order, the repository's first, without duplicates. `repository` is the result of
    /// [`Self::repository`].
    pub fn roots(&self, repository: &Path, which: Which) -> Vec<SkillRoot> {
        let chain = self.chain(repository);
        let mut roots: Vec<SkillRoot> = Vec::new();
        let mut add = |root: SkillRoot| {
            if roots.iter().all(|known| known.path != root.path || known.kind != root.kind) {
                roots.push(root);
            }
        };
        chain.iter().for_each(|folder| add(root(folder.join(SHARED_DIR), SkillScope::Repo, "agents")));
        let stores = |scope| self.places.stores(scope).into_iter();
        stores(Scope::Project).for_each(|store| add(root(store, SkillScope::Repo, "skillc")));
        add(root(self.places.home.join(SHARED_DIR), SkillScope::User, "agents"));
        stores(Scope::Global).for_each(|store| add(root(store, SkillScope::User, "skillc")));
        self.configured(repository).for_each(&mut add);
        let of_agents = |ids: &[&str], taken_by: Which| {
            let of_project = chain.iter().flat_map(|folder| agents_of_project(folder));
            let all = of_project.chain(self.agents_of_user()).filter(|(id, _)| ids.contains(id));
            all.map(|(_, root)| SkillRoot { taken_by, ..root }).collect::<Vec<_>>()
        };
        if which >= Which::Default {
            of_agents(&self.agents_here(), Which::Default).into_iter().for_each(&mut add);
        }
        if which == Which::All {
            let every: Vec<&str> = AGENTS.iter().map(|agent| agent.id).collect();
            of_agents(&every, Which::All).into_iter().for_each(&mut add);
        }
        self.markdown_roots().iter().for_each(|path| {
            add(SkillRoot { takes_folders: false, ..self.configured_root(repository, path) });
        });
        self.mark_markdown_roots(&mut roots);
        // A stable sort keeps the order of insertion within a scope.
        roots.sort_by_key(|root| root.scope);
        roots
    }

    /// The roots that one agent reads, the repository's first.
    pub fn roots_of(&self, id: &str, repository: &Path) -> Vec<SkillRoot> {
        let chain = self.chain(repository);
        let of_project = chain.iter().flat_map(|folder| agents_of_project(folder));
        let all = of_project.chain(self.agents_of_user());
        let mut roots: Vec<SkillRoot> = all.filter(|(own, _)| *own == id).map(|(_, root)| root).collect();
        self.mark_markdown_roots(&mut roots);
        roots
    }

    /// The folders whose Markdown files are single-file skills.
    fn markdown_roots(&self) -> Cow<'_, [PathBuf]> {
        let stores = |scope| self.places.stores(scope);
        match &self.settings.markdown_roots {
            Some(named) => Cow::Borrowed(named),
            None => Cow::Owned([stores(Scope::Project), stores(Scope::Global)].concat()),
        }
    }

    fn mark_markdown_roots(&self, roots: &mut [SkillRoot]) {
        let marked = self.markdown_roots();
        for root in roots.iter_mut().filter(|root| root.kind == SkillKind::Markdown) {
            root.takes_files = marked.contains(&root.path);
        }
    }

    fn configured<'a>(&'a self, repository: &'a Path) -> impl Iterator<Item = SkillRoot> + 'a {
        let settings = self.settings;
        let of_kind = |paths: &'a [PathBuf], kind| paths.iter().map(move |path| (path, kind));
        let all = of_kind(&settings.roots, SkillKind::Markdown)
            .chain(of_kind(&settings.python_roots, SkillKind::Python));
        all.map(move |(path, kind)| SkillRoot { kind, ..self.configured_root(repository, path) })
    }

    /// A root that the settings name.
    fn configured_root(&self, repository: &Path, path: &Path) -> SkillRoot {
        let is_repos = path.starts_with(repository) && repository != self.places.home;
        let scope = if is_repos { SkillScope::Repo } else { SkillScope::User };
        root(path.to_owned(), scope, &path.to_string_lossy())
    }

    /// The user folders of every agent, with the agent's id.
    fn agents_of_user(&self) -> Vec<(&'static str, SkillRoot)> {
        let own = AGENTS.iter().flat_map(|agent| agent.user.iter().map(|template| (agent.id, *template)));
        let all = own.chain(FURTHER_USER_DIRS.iter().copied());
        all.filter_map(|(id, template)| Some((id, root(self.expanded(template)?, SkillScope::User, id))))
            .collect()
    }

    /// The agents whose folders are searched by default.
    fn agents_here(&self) -> Vec<&'static str> {
        let is_here = |agent: &&Agent| agent.id == ALWAYS_READ || self.is_present(agent);
        AGENTS.iter().filter(is_here).map(|agent| agent.id).collect()
    }

    /// Whether an agent's home folder exists on this machine.
    fn is_present(&self, agent: &Agent) -> bool {
        let Detect::AnyOf(templates) = agent.detect else { return false };
        templates.iter().any(|template| self.expanded(template).is_some_and(|home| (self.exists)(&home)))
    }

    fn expanded(&self, template: &str) -> Option<PathBuf> {
        expand(template, &self.places.home.to_string_lossy(), self.var)
    }
}

fn agents_of_project(folder: &Path) -> impl Iterator<Item = (&'static str, SkillRoot)> {
    let own = AGENTS.iter().map(|agent| (agent.id, agent.project));
    own.chain(FURTHER_PROJECT_DIRS.iter().copied())
        .map(|(id, below)| (id, root(folder.join(below), SkillScope::Repo, id)))
}

fn root(path: PathBuf, scope: SkillScope, label: &str) -> SkillRoot {
    let (label, kind) = (label.to_owned(), SkillKind::Markdown);
    let (takes_folders, takes_files) = (true, false);
    SkillRoot { path, scope, label, kind, taken_by: Which::Standard, takes_folders, takes_files }
}

#[cfg(test)]
mod tests;
