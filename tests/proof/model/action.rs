//! The actions of a user in a home, edits of files and commands, and their effects according to the model.

use super::content::{Content, Section};
use super::home::{Home, NAMES, Place, Removed, Store};
use proptest::prelude::*;

/// An action of the user. Names are indexes of [`NAMES`].
#[derive(Clone, Copy, Debug)]
pub enum Action {
    /// Writes a skill by hand, replacing the existing one.
    Write(Store, usize),
    AddSection(Store, usize),
    DropSection(Store, usize),
    AddReference(Store, usize),
    ChangeTopic(Store, usize),
    /// Deletes the source's folder by hand.
    Delete(Store, usize),
    Init(usize),
    Build {
        name: usize,
        is_copy: bool,
    },
    BuildAll,
    Undeploy(usize),
    Rename(usize, usize),
    Remove(usize),
    Purge(usize),
    Undo,
    Disable(usize),
    Enable(usize),
    Forget(usize),
    /// Imports another skill with this name, by force.
    Import(usize),
}

/// The way in which an action's command is run.
#[derive(Clone, Copy, Debug)]
pub enum Manner {
    Alone,
    /// In two processes at the same time.
    Twice,
    /// Killed after this many units of 100 µs, and then run again.
    Killed(u16),
}

/// The result of a command that the model expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    Done,
    /// Refused with one of these codes.
    Refused(&'static [&'static str]),
}

use Expected::{Done, Refused};

/// Any action; edits and builds are the most frequent.
pub fn action() -> impl Strategy<Value = Action> {
    let name = 0..NAMES.len();
    let store = prop_oneof![3 => Just(Store::Project), 1 => Just(Store::Home)];
    let place = (store, name.clone());
    prop_oneof![
        3 => place.clone().prop_map(|(s, n)| Action::Write(s, n)),
        2 => place.clone().prop_map(|(s, n)| Action::AddSection(s, n)),
        1 => place.clone().prop_map(|(s, n)| Action::DropSection(s, n)),
        2 => place.clone().prop_map(|(s, n)| Action::AddReference(s, n)),
        1 => place.clone().prop_map(|(s, n)| Action::ChangeTopic(s, n)),
        1 => place.prop_map(|(s, n)| Action::Delete(s, n)),
        1 => name.clone().prop_map(Action::Init),
        6 => (name.clone(), any::<bool>()).prop_map(|(name, is_copy)| Action::Build { name, is_copy }),
        2 => Just(Action::BuildAll),
        1 => name.clone().prop_map(Action::Undeploy),
        2 => (name.clone(), name.clone()).prop_map(|(from, to)| Action::Rename(from, to)),
        2 => name.clone().prop_map(Action::Remove),
        1 => name.clone().prop_map(Action::Purge),
        3 => Just(Action::Undo),
        2 => name.clone().prop_map(Action::Disable),
        2 => name.clone().prop_map(Action::Enable),
        1 => name.clone().prop_map(Action::Forget),
        1 => name.prop_map(Action::Import),
    ]
}

/// Any way.
pub fn manner() -> impl Strategy<Value = Manner> {
    prop_oneof![8 => Just(Manner::Alone), 1 => Just(Manner::Twice), 2 => (0_u16..400).prop_map(Manner::Killed)]
}

impl Action {
    /// The command line; `None` for an action by hand.
    pub fn command(self) -> Option<Vec<String>> {
        let words = |words: &[&str]| Some(words.iter().map(|&word| word.to_owned()).collect());
        match self {
            Self::Write(..)
            | Self::AddSection(..)
            | Self::DropSection(..)
            | Self::AddReference(..)
            | Self::ChangeTopic(..)
            | Self::Delete(..) => None,
            Self::Init(name) => words(&["init", NAMES[name]]),
            Self::Build { name, is_copy: false } => words(&["build", NAMES[name]]),
            Self::Build { name, is_copy: true } => words(&["build", NAMES[name], "--copy"]),
            Self::BuildAll => words(&["build", "--all"]),
            Self::Undeploy(name) => words(&["undeploy", NAMES[name]]),
            Self::Rename(from, to) => words(&["rename", NAMES[from], NAMES[to]]),
            Self::Remove(name) => words(&["remove", NAMES[name]]),
            Self::Purge(name) => words(&["remove", NAMES[name], "--purge"]),
            Self::Undo => words(&["undo"]),
            Self::Disable(name) => words(&["disable", NAMES[name]]),
            Self::Enable(name) => words(&["enable", NAMES[name]]),
            Self::Forget(name) => words(&["log", "forget", NAMES[name]]),
            Self::Import(name) => words(&["build", &format!("../download/{}", NAMES[name]), "--force"]),
        }
    }

    /// The codes of a repetition of the command after it succeeded; `None` if it is not repeated.
    pub fn when_repeated(self) -> Option<&'static [&'static str]> {
        match self {
            Self::Build { .. } | Self::BuildAll | Self::Undeploy(_) | Self::Disable(_) => Some(&[]),
            // No skill has this name.
            Self::Enable(_) => Some(&["E071"]),
            Self::Rename(..) | Self::Remove(_) => Some(&["E001"]),
            _ => None,
        }
    }

    /// The name of the skill that the command removes; a second run would remove another skill of that name.
    pub fn takes_away(self) -> Option<&'static str> {
        match self {
            Self::Rename(name, _) | Self::Remove(name) => Some(NAMES[name]),
            _ => None,
        }
    }

    /// Applies the action to a home, and returns how its command ends.
    pub fn apply(self, home: &mut Home) -> Expected {
        match self {
            Self::Write(store, name) => write(home, (store, NAMES[name])),
            Self::AddSection(store, name) => edit(home, (store, NAMES[name]), |content, number| {
                content.sections.push(Section::new(number))
            }),
            Self::DropSection(store, name) => edit(home, (store, NAMES[name]), |content, _| {
                content.sections.pop();
            }),
            Self::AddReference(store, name) => edit(home, (store, NAMES[name]), |content, number| {
                content.references.insert(format!("references/r{number}.md"), Section::new(number));
            }),
            Self::ChangeTopic(store, name) => edit(home, (store, NAMES[name]), |content, number| {
                content.topic = super::content::word(number)
            }),
            Self::Delete(store, name) => {
                home.sources.remove(&(store, NAMES[name]));
                Done
            }
            Self::Init(name) => init(home, NAMES[name]),
            Self::Build { name, is_copy } => build(home, NAMES[name], is_copy),
            Self::BuildAll => build_all(home),
            Self::Undeploy(name) => undeploy(home, NAMES[name]),
            Self::Rename(from, to) => rename(home, NAMES[from], NAMES[to]),
            Self::Remove(name) => remove(home, NAMES[name], true),
            Self::Purge(name) => remove(home, NAMES[name], false),
            Self::Undo => undo(home),
            Self::Disable(name) => switch_off(home, NAMES[name]),
            Self::Enable(name) => switch_on(home, NAMES[name]),
            Self::Forget(name) => forget(home, NAMES[name]),
            Self::Import(name) => import(home, NAMES[name]),
        }
    }
}

fn write(home: &mut Home, place: Place) -> Expected {
    let content = Content::new(place.1, home.number());
    home.sources.insert(place, content);
    Done
}

fn edit(home: &mut Home, place: Place, change: impl FnOnce(&mut Content, u32)) -> Expected {
    let number = home.number();
    if let Some(content) = home.sources.get_mut(&place) {
        change(content, number);
    }
    Done
}

fn init(home: &mut Home, name: &'static str) -> Expected {
    let place = (Store::Project, name);
    if home.sources.contains_key(&place) {
        return Refused(&["E050"]);
    }
    // The file that init wrote is overwritten at once.
    write(home, place)
}

fn build(home: &mut Home, name: &'static str, is_copy: bool) -> Expected {
    let Some(place) = home.resolve(name) else { return Refused(&["E001"]) };
    build_at(home, place, is_copy);
    Done
}

fn build_at(home: &mut Home, place: Place, is_copy: bool) {
    let content = home.sources[&place].clone();
    let is_off = home.is_off(place.1);
    let runtime = home.runtime(place);
    runtime.built = Some(content);
    runtime.events += 1;
    (runtime.deployed, runtime.withdrawn) =
        if is_off { (None, Some(is_copy)) } else { (Some(is_copy), None) };
}

fn build_all(home: &mut Home) -> Expected {
    let places: Vec<Place> = home.sources.keys().filter(|place| place.0 == Store::Project).copied().collect();
    if places.is_empty() {
        return Refused(&["E017"]);
    }
    places.into_iter().for_each(|place| build_at(home, place, false));
    Done
}

fn undeploy(home: &mut Home, name: &'static str) -> Expected {
    let Some(place) = home.resolve(name) else {
        // The runtime of a deleted source is still known.
        let deserted = [Store::Project, Store::Home].map(|store| (store, name)).into_iter();
        let deployed = deserted.filter(|place| home.runtimes.get(place).is_some_and(|r| r.built.is_some()));
        let Some(place) = deployed.into_iter().next() else { return Refused(&["E001"]) };
        let runtime = home.runtime(place);
        runtime.deployed = None;
        runtime.events += 1;
        return Done;
    };
    let runtime = home.runtime(place);
    (runtime.deployed, runtime.withdrawn) = (None, None);
    runtime.events += 1;
    Done
}

fn rename(home: &mut Home, from: &'static str, to: &'static str) -> Expected {
    let Some(place) = home.resolve(from) else { return Refused(&["E001"]) };
    let new = (place.0, to);
    if from == to {
        return Refused(&["E100"]);
    }
    if home.sources.contains_key(&new) {
        return Refused(&["E050"]);
    }
    // The folder of the skill was deleted by hand.
    let is_left = home.runtimes.get(&new).is_some_and(|runtime| runtime.deployed.is_some());
    if is_left && home.runtimes.contains_key(&place) {
        return Refused(&["E100"]);
    }
    let mut content = home.sources.remove(&place).unwrap();
    content.name = to.to_owned();
    home.sources.insert(new, content.clone());
    if home.is_off(from) {
        home.disabled.insert(to);
    }
    let is_off = home.is_off(to);
    if let Some(mut runtime) = home.runtimes.remove(&place) {
        if runtime.built.is_some() {
            runtime.built = Some(content);
        }
        if is_off {
            runtime.withdrawn = runtime.deployed.take().or(runtime.withdrawn);
        }
        // The remains of a skill whose folder was deleted by hand.
        let left = home.runtimes.insert(new, runtime);
        home.trash.extend(left.map(|runtime| Removed::Runtime(new, runtime)));
    }
    Done
}

fn remove(home: &mut Home, name: &'static str, is_kept: bool) -> Expected {
    let Some(place) = home.resolve(name) else { return Refused(&["E001"]) };
    let source = home.sources.remove(&place).unwrap();
    let runtime = home.runtimes.remove(&place);
    if is_kept {
        let withdrawn = runtime.map(|mut runtime| {
            runtime.withdrawn = runtime.deployed.take().or(runtime.withdrawn);
            Removed::Runtime(place, runtime)
        });
        home.trash.extend(withdrawn);
        home.trash.push(Removed::Source(place, source));
    }
    Done
}

/// Restores the newest entry. A source brings back its runtime if there is none, and a runtime its source.
fn undo(home: &mut Home) -> Expected {
    let Some(newest) = home.trash.pop() else { return Refused(&["E053"]) };
    let (place, is_source) = (newest.place(), newest.is_source());
    restore(home, newest);
    let has_other =
        if is_source { home.runtimes.contains_key(&place) } else { home.sources.contains_key(&place) };
    let is_other = |old: &Removed| old.place() == place && old.is_source() != is_source;
    if !has_other && let Some(at) = home.trash.iter().rposition(is_other) {
        let other = home.trash.remove(at);
        restore(home, other);
    }
    bring_back(home, place.1);
    Done
}

/// Restores an entry; what it replaces is moved to the trash.
fn restore(home: &mut Home, removed: Removed) {
    let replaced = match removed {
        Removed::Source(place, source) => {
            home.sources.insert(place, source).map(|old| Removed::Source(place, old))
        }
        Removed::Runtime(place, runtime) => {
            home.runtimes.insert(place, runtime).map(|old| Removed::Runtime(place, old))
        }
    };
    home.trash.extend(replaced);
}

/// Restores the withdrawn deployments of a name, unless it is switched off or no skill has it.
fn bring_back(home: &mut Home, name: &'static str) {
    if home.is_off(name) || home.resolve(name).is_none() {
        return;
    }
    for (_, runtime) in home.runtimes.iter_mut().filter(|(place, _)| place.1 == name) {
        runtime.deployed = runtime.withdrawn.take().or(runtime.deployed);
    }
}

fn switch_off(home: &mut Home, name: &'static str) -> Expected {
    if home.resolve(name).is_none() {
        return Refused(&["E071"]);
    }
    home.disabled.insert(name);
    for (_, runtime) in home.runtimes.iter_mut().filter(|(place, _)| place.1 == name) {
        runtime.withdrawn = runtime.deployed.take().or(runtime.withdrawn);
    }
    Done
}

fn switch_on(home: &mut Home, name: &'static str) -> Expected {
    // A name that is switched off can be switched on whether or not a skill has it.
    if home.resolve(name).is_none() && !home.is_off(name) {
        return Refused(&["E071"]);
    }
    home.disabled.remove(name);
    bring_back(home, name);
    Done
}

/// Applies even if the skill's folder was deleted by hand.
fn forget(home: &mut Home, name: &'static str) -> Expected {
    let is_left = |place: &Place| home.runtimes.contains_key(place);
    let left = || [Store::Project, Store::Home].map(|store| (store, name)).into_iter().find(is_left);
    let Some(place) = home.resolve(name).or_else(left) else { return Refused(&["E001"]) };
    if let Some(runtime) = home.runtimes.get_mut(&place) {
        runtime.events = 0;
    }
    Done
}

fn import(home: &mut Home, name: &'static str) -> Expected {
    let place = (Store::Project, name);
    let number = home.number();
    let old = home.sources.insert(place, Content::new(name, number));
    home.trash.extend(old.map(|source| Removed::Source(place, source)));
    build_at(home, place, false);
    Done
}
