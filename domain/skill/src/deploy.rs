//! Where a build is deployed and what it may replace there (RFC-0001:C-DEPLOYMENT).

use crate::agents::{self, Agent};
use crate::config::ConfiguredTarget;
use crate::fault::Fault;
use crate::listing::Scope;
use crate::places::{Places, is_runtime};
use crate::suggest::{list, nearest};
use std::path::{Path, PathBuf};

/// A folder of skills into which builds are deployed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The agent's id, the configured name, or the path as given.
    pub name: String,
    /// Absolute path of the folder.
    pub folder: PathBuf,
    /// Other names that were given for the same folder.
    pub shared_with: Vec<String>,
}

/// The way a skill was deployed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A symbolic link.
    Symlink,
    /// A junction, on Windows.
    Junction,
    /// A copy of the stub and the manifest.
    Copy,
}

impl Method {
    /// `symlink`, `junction` or `copy`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Symlink => "symlink",
            Self::Junction => "junction",
            Self::Copy => "copy",
        }
    }
}

/// What currently exists at the path to which a skill is to be deployed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Occupant {
    /// Nothing.
    Nothing,
    /// A link or junction.
    Link {
        /// The target as an absolute path, not resolved further.
        to: PathBuf,
        /// Whether the target does not exist.
        is_dangling: bool,
    },
    /// A folder with a manifest; holds the manifest's bytes.
    Compiled(Vec<u8>),
    /// Like `Compiled`, but with files that no build writes.
    CompiledAndMore(Vec<u8>),
    /// Another folder.
    Folder,
    /// A file.
    File,
}

/// Whether the content of a place belongs to skillc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ownership {
    /// Nothing, or the result of a build of this project, user or skill. A build replaces it.
    Own,
    /// A link or copy of another build. `--force` replaces it, even over MCP, since no user data is lost.
    OtherBuild,
    /// Anything else. `--force` on the command line replaces it and moves it to the trash.
    Foreign,
}

/// Decides whether an occupant belongs to this build. A link does if it leads into a runtime of this project or user;
/// so does a dangling link that a build created here before the project moved.
pub fn ownership(
    occupant: &Occupant,
    place: &Path,
    places: &Places,
    is_copy_of_ours: impl Fn(&[u8]) -> bool,
) -> Ownership {
    let is_in_project = places.project.as_ref().is_some_and(|project| place.starts_with(project));
    match occupant {
        Occupant::Nothing => Ownership::Own,
        Occupant::Link { to, .. } if places.is_own_runtime(to) => Ownership::Own,
        Occupant::Link { to, is_dangling } if *is_dangling && is_in_project && is_runtime(to) => {
            Ownership::Own
        }
        Occupant::Link { to, .. } if is_runtime(to) => Ownership::OtherBuild,
        Occupant::Compiled(manifest) if is_copy_of_ours(manifest) => Ownership::Own,
        Occupant::Compiled(_) => Ownership::OtherBuild,
        Occupant::Link { .. } | Occupant::CompiledAndMore(_) | Occupant::Folder | Occupant::File => {
            Ownership::Foreign
        }
    }
}

/// Whether a build of this runtime created an occupant, so that `undeploy` may remove it.
pub fn is_ours(occupant: &Occupant, runtime: &Path, is_copy_of_ours: impl Fn(&[u8]) -> bool) -> bool {
    match occupant {
        Occupant::Link { to, .. } => to == runtime,
        Occupant::Compiled(manifest) | Occupant::CompiledAndMore(manifest) => is_copy_of_ours(manifest),
        Occupant::Nothing | Occupant::Folder | Occupant::File => false,
    }
}

/// The context in which target names are resolved.
pub struct TargetScene<'a> {
    /// Home, working directory and project.
    pub places: &'a Places,
    /// Configured targets, which take precedence over built-in ones.
    pub configured: &'a [ConfiguredTarget],
    /// Looks up environment variables of agents; always `None` while SKILLC_HOME is set.
    pub var: &'a dyn Fn(&str) -> Option<String>,
    /// Whether a folder exists.
    pub exists: &'a dyn Fn(&Path) -> bool,
    /// Whether the caller may give a path as a target, which the build then writes to.
    pub takes_paths: bool,
}

impl TargetScene<'_> {
    /// Resolves names to targets, in order and without duplicates.
    ///
    /// A name is a configured target, an agent, or a path if it contains a separator.
    ///
    /// # Errors
    /// E100 for an unknown name, with the closest names as suggestions, and for an agent without a folder in this
    /// scope.
    pub fn targets(&self, names: &[String], scope: Scope) -> Result<Vec<Target>, Fault> {
        let mut targets: Vec<Target> = Vec::new();
        for name in names.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
            let target = self.target(name, scope)?;
            match targets.iter_mut().find(|known| known.folder == target.folder) {
                Some(known) if known.name == target.name => {}
                Some(known) => known.shared_with.push(target.name),
                None => targets.push(target),
            }
        }
        if targets.is_empty() {
            return Err(Fault::invalid_argument("target", "names no target"));
        }
        Ok(targets)
    }

    fn target(&self, name: &str, scope: Scope) -> Result<Target, Fault> {
        let target = |folder: PathBuf| Target { name: name.to_owned(), folder, shared_with: Vec::new() };
        if let Some(configured) = self.configured(name) {
            return Ok(target(configured.folder.clone()));
        }
        if name.contains(['/', std::path::MAIN_SEPARATOR]) {
            if !self.takes_paths {
                let message = format!("target '{name}' is a path, which only the command line accepts");
                return Err(Fault::invalid_option(message));
            }
            let expanded = agents::expand(name, &self.places.home.to_string_lossy(), &|_| None);
            let folder = self.places.cwd.join(expanded.unwrap_or_else(|| name.into()));
            // Normalized for display: no `.` components or double separators.
            return Ok(target(folder.components().collect()));
        }
        let agent = agents::agent(name).ok_or_else(|| self.unknown(name))?;
        let folder = self.folder(agent, scope).ok_or_else(|| {
            Fault::invalid_option(format!("target '{name}' has no folder for {} skills", scope.word()))
        })?;
        Ok(target(folder))
    }

    /// The configured target with this name, or with another alias of the same agent.
    fn configured(&self, name: &str) -> Option<&ConfiguredTarget> {
        let agent = agents::agent(name);
        let is_its_agent = |c: &&ConfiguredTarget| agent.is_some() && agents::agent(&c.name) == agent;
        let mut configured = self.configured.iter();
        configured.clone().find(|c| c.name == name).or_else(|| configured.find(is_its_agent))
    }

    fn unknown(&self, name: &str) -> Fault {
        let known = self
            .configured
            .iter()
            .map(|c| c.name.as_str())
            .chain(agents::names().map(|name| -> &str { name }));
        let near = nearest(name, known);
        match near.is_empty() {
            true => Fault::refused_option(
                format!("unknown target '{name}'"),
                match self.takes_paths {
                    true => "run 'skc targets' to list the agents; a path needs a '/'",
                    false => "call skc_targets to list the agents",
                },
            ),
            false => Fault::unknown_option(format!("unknown target '{name}'"), list(near)),
        }
    }

    /// An agent's folder of skills in a scope.
    pub fn folder(&self, agent: &Agent, scope: Scope) -> Option<PathBuf> {
        match scope {
            Scope::Project => self.places.project.as_ref().map(|project| project.join(agent.project)),
            Scope::Global => self.user_folder(agent),
        }
    }

    fn user_folder(&self, agent: &Agent) -> Option<PathBuf> {
        let home = self.places.home.to_string_lossy();
        let folders: Vec<_> = agent.user.iter().filter_map(|t| agents::expand(t, &home, self.var)).collect();
        // A skills folder counts as present if the agent's own folder exists; the first deployment creates the rest.
        let is_there = |folder: &&PathBuf| folder.parent().is_some_and(|own| (self.exists)(own));
        folders.iter().find(is_there).or(folders.first()).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::Reader;

    fn places() -> Places {
        Places::new("/h".into(), "/p/src".into(), Some("/p".into()))
    }

    fn targets(names: &[&str], scope: Scope) -> Result<Vec<String>, Fault> {
        targets_of(true, names, scope)
    }

    fn targets_of(takes_paths: bool, names: &[&str], scope: Scope) -> Result<Vec<String>, Fault> {
        let configured = [ConfiguredTarget { name: "mine".into(), folder: "/m".into() }];
        let places = places();
        let scene = TargetScene {
            places: &places,
            configured: &configured,
            var: &|_| None,
            exists: &|path| path == Path::new("/h/.clawdbot"),
            takes_paths,
        };
        let names: Vec<String> = names.iter().map(|n| n.to_string()).collect();
        let found = scene.targets(&names, scope)?;
        Ok(found.into_iter().map(|t| t.folder.display().to_string()).collect())
    }

    /// RFC-0001:C-DEPLOYMENT
    #[test]
    fn a_project_skill_goes_to_the_projects_folder_and_a_global_one_to_the_users() {
        assert_eq!(targets(&["claude"], Scope::Project).unwrap(), ["/p/.claude/skills"]);
        assert_eq!(targets(&["claude"], Scope::Global).unwrap(), ["/h/.claude/skills"]);
        assert_eq!(targets(&["openclaw"], Scope::Global).unwrap(), ["/h/.clawdbot/skills"]);
    }

    /// RFC-0001:C-DEPLOYMENT
    #[test]
    fn targets_that_share_a_folder_are_deployed_once() {
        assert_eq!(targets(&["codex", "cursor", "amp"], Scope::Project).unwrap(), ["/p/.agents/skills"]);
    }

    /// RFC-0001:C-TARGETS
    #[test]
    fn a_target_is_a_known_name_or_a_path_with_a_separator() {
        assert_eq!(
            targets(&["./out", "/abs", "mine", "~/x"], Scope::Project).unwrap(),
            ["/p/src/out", "/abs", "/m", "/h/x"]
        );
        let message = targets(&["cluade"], Scope::Project).unwrap_err().to_string();
        assert_eq!(message, "unknown target 'cluade'");
        assert!(targets(&["eve"], Scope::Global).is_err());
        assert!(targets(&["", " "], Scope::Global).is_err());
    }

    /// RFC-0007:C-MCP-SERVER
    #[test]
    fn callers_that_may_not_give_paths_have_names_only() {
        let names = |names: &[&str]| targets_of(false, names, Scope::Project);
        assert_eq!(names(&["claude", "mine"]).unwrap(), ["/p/.claude/skills", "/m"]);
        for path in ["./out", "/abs", "~/x", "../x", "a/b"] {
            let message = names(&[path]).unwrap_err().to_string();
            assert!(message.contains("only the command line"), "{message}");
        }
    }

    /// RFC-0001:C-DEPLOYMENT
    #[test]
    fn only_what_is_ours_or_nothing_may_be_replaced() {
        let link = |to: &str, is_dangling| Occupant::Link { to: to.into(), is_dangling };
        let of =
            |occupant: &Occupant, place: &str| ownership(occupant, Path::new(place), &places(), |_| false);
        let here = "/p/.claude/skills/x";
        for own in [
            Occupant::Nothing,
            link("/p/.skillc/runtime/x", false),
            link("/h/.skillc/runtime/x", false),
            link("/p/.skillc/runtime/x", true),
            link("/moved/.skillc/runtime/x", true),
        ] {
            assert_eq!(of(&own, here), Ownership::Own, "{own:?}");
        }
        for other in [link("/other/.skillc/runtime/x", false), Occupant::Compiled(vec![])] {
            assert_eq!(of(&other, here), Ownership::OtherBuild, "{other:?}");
        }
        let users = of(&link("/unmounted/.skillc/runtime/x", true), "/h/.claude/skills/x");
        assert_eq!(users, Ownership::OtherBuild, "another project's, on a disk that is not mounted");
        for foreign in [
            link("/gone", true),
            link("/dev/skills/x", false),
            link("/h/.skillc/runtime", false),
            link("/h/.skillc/runtime/x/references", false),
            Occupant::CompiledAndMore(vec![]),
            Occupant::Folder,
            Occupant::File,
        ] {
            assert_eq!(of(&foreign, here), Ownership::Foreign, "{foreign:?}");
        }
        let copy = ownership(&Occupant::Compiled(vec![]), Path::new(here), &places(), |_| true);
        assert_eq!(copy, Ownership::Own);
    }

    /// RFC-0001:C-UNDEPLOY
    #[test]
    fn only_what_a_build_of_this_runtime_put_there_may_be_taken_away() {
        let link = |to: &str| Occupant::Link { to: to.into(), is_dangling: false };
        let never = |_: &[u8]| false;
        assert!(is_ours(&Occupant::CompiledAndMore(vec![]), Path::new("/r"), |_| true));
        assert!(is_ours(&link("/r"), Path::new("/r"), never));
        assert!(!is_ours(&link("/gone"), Path::new("/r"), never));
    }

    /// RFC-0001:C-TARGETS
    #[test]
    fn a_configured_target_replaces_the_agent_by_any_of_its_names() {
        let configured = [
            ConfiguredTarget { name: "claude-code".into(), folder: "/c".into() },
            ConfiguredTarget { name: "mine".into(), folder: "/o".into() },
        ];
        let places = places();
        let scene = TargetScene {
            places: &places,
            configured: &configured,
            var: &|_| None,
            exists: &|_| false,
            takes_paths: true,
        };
        let folder = |name: &str| scene.target(name, Scope::Project).unwrap().folder;
        assert_eq!(["claude", "claude-code", "mine"].map(folder), ["/c", "/c", "/o"].map(PathBuf::from));
        assert_eq!(folder("codex"), Path::new("/p/.agents/skills"), "which no configuration names");
        let near = scene.target("mime", Scope::Project).unwrap_err();
        assert!(
            matches!(near, Fault::InvalidOption { suggestions, .. } if suggestions.starts_with("  - mine"))
        );
    }

    /// RFC-0001:C-TARGETS
    #[test]
    fn an_unknown_target_that_resembles_none_is_told_where_all_are_listed() {
        for (takes_paths, part) in [(true, "a path needs a '/'"), (false, "skc_targets to list the agents")] {
            let fault = targets_of(takes_paths, &["qqqqqqqqqq"], Scope::Project).unwrap_err();
            let hint = fault.hint(Reader::Person).unwrap();
            assert!(hint.contains(part), "{hint}");
        }
    }

    /// RFC-0001:C-DEPLOYMENT
    #[test]
    fn the_users_folder_is_the_first_one_whose_agent_is_there_and_else_the_first() {
        let places = places();
        let folder = |existing: &'static str| {
            let exists = move |path: &Path| path == Path::new(existing);
            let scene = TargetScene {
                places: &places,
                configured: &[],
                var: &|_| None,
                exists: &exists,
                takes_paths: true,
            };
            scene.folder(agents::agent("openclaw").unwrap(), Scope::Global)
        };
        assert_eq!(folder("/h/.moltbot"), Some("/h/.moltbot/skills".into()));
        assert_eq!(folder("/h/.claude"), Some("/h/.openclaw/skills".into()));
    }

    #[test]
    fn methods_have_the_words_of_replies() {
        assert_eq!(
            [Method::Symlink, Method::Junction, Method::Copy].map(Method::word),
            ["symlink", "junction", "copy"]
        );
    }

    /// RFC-0001:C-UNDEPLOY
    #[test]
    fn a_copy_of_another_build_and_what_is_no_build_stay() {
        for occupant in [Occupant::Compiled(vec![]), Occupant::CompiledAndMore(vec![])] {
            assert!(!is_ours(&occupant, Path::new("/r"), |_| false), "{occupant:?}");
        }
        for occupant in [Occupant::Nothing, Occupant::Folder, Occupant::File] {
            assert!(!is_ours(&occupant, Path::new("/r"), |_| true), "{occupant:?}");
        }
    }
}
