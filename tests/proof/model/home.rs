//! The model: which skills exist, what was built from them, and what skc must answer.

use super::content::Content;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::site::Site;

/// Names of skills; only a few, so that actions affect each other.
pub const NAMES: [&str; 3] = ["alpha", "beta", "gamma"];

/// The store of a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Store {
    Project,
    Home,
}

impl Store {
    /// The word used in replies.
    pub fn scope(self) -> &'static str {
        if self == Self::Project { "project" } else { "global" }
    }

    /// The folder that contains its `.skillc`.
    pub fn root(self, site: &Site) -> PathBuf {
        if self == Self::Project { site.project() } else { site.home() }
    }
}

/// A store and the name of a folder in it.
pub type Place = (Store, &'static str);

/// The folder of a skill's source.
pub fn source_folder(site: &Site, (store, name): Place) -> PathBuf {
    store.root(site).join(".skillc/skills").join(name)
}

/// The place of a skill's deployment for Claude Code.
pub fn deployed_path(site: &Site, (store, name): Place) -> PathBuf {
    store.root(site).join(".claude/skills").join(name)
}

/// A runtime.
#[derive(Clone, Debug, Default)]
pub struct Runtime {
    /// The content at the last build.
    pub built: Option<Content>,
    /// Whether the build is deployed as a copy; `None` if it is not deployed.
    pub deployed: Option<bool>,
    /// Like `deployed`, for a skill that is switched off: the deployment that `enable` restores.
    pub withdrawn: Option<bool>,
    /// Rows of the log.
    pub events: u64,
}

/// An entry of the trash.
#[derive(Clone, Debug)]
pub enum Removed {
    Source(Place, Content),
    Runtime(Place, Runtime),
}

impl Removed {
    pub fn place(&self) -> Place {
        match self {
            Self::Source(place, _) | Self::Runtime(place, _) => *place,
        }
    }

    pub fn is_source(&self) -> bool {
        matches!(self, Self::Source(..))
    }
}

/// All skills of a home and a project.
#[derive(Clone, Debug, Default)]
pub struct Home {
    pub sources: BTreeMap<Place, Content>,
    /// The skills that have a folder.
    pub runtimes: BTreeMap<Place, Runtime>,
    /// Names under `[skills] disabled` of the user's configuration.
    pub disabled: BTreeSet<&'static str>,
    /// Newest last.
    pub trash: Vec<Removed>,
    /// Number of numbers used so far.
    pub numbers: u32,
}

impl Home {
    /// An unused number; the one after it is also unused.
    pub fn number(&mut self) -> u32 {
        self.numbers += 2;
        self.numbers
    }

    /// The skill with a name: the project's takes precedence over the home's.
    pub fn resolve(&self, name: &'static str) -> Option<Place> {
        [Store::Project, Store::Home]
            .map(|store| (store, name))
            .into_iter()
            .find(|place| self.sources.contains_key(place))
    }

    /// The runtime of a skill; empty if it has none.
    pub fn runtime(&mut self, place: Place) -> &mut Runtime {
        self.runtimes.entry(place).or_default()
    }

    /// The status of a skill in `skc list --check-obsolete`.
    pub fn status(&self, place: Place) -> &'static str {
        match self.runtimes.get(&place).and_then(|runtime| runtime.built.as_ref()) {
            None => "not-built",
            Some(built) if Some(built) == self.sources.get(&place) => "normal",
            Some(_) => "obsolete",
        }
    }

    /// Whether sections of a skill can be read.
    pub fn is_fresh(&self, place: Place) -> bool {
        self.status(place) == "normal"
    }

    /// Whether a name is switched off.
    pub fn is_off(&self, name: &str) -> bool {
        self.disabled.contains(name)
    }
}
