//! An overview for a user who has no skill in a store yet: agents, skills in other folders, and the command to run
//! next.

use crate::app::App;
use crate::catalog::{CatalogFilter, read};
use crate::present_agents::present_agents;
use crate::render::{Render, View, counted, line, plain, wrap};
use skillc_domain::discovery::skill::CatalogSkill;
use skillc_domain::listing::Scope;
use skillc_domain::text::shell::argument;
use skillc_ports::Found;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Number of folders that are named; others are counted.
const NAMED_FOLDERS_MAX: usize = 3;
/// Number of agents that are named; others are counted.
const NAMED_AGENTS_MAX: usize = 6;

/// Makes the repository's own skills folder a store. There is no tool for this.
const IN_PLACE: &str = "init --in-place";

/// An overview of a machine on which no store contains a skill.
#[derive(Debug)]
pub struct FirstSteps {
    /// Product names of the agents on this machine.
    pub agents: Vec<&'static str>,
    /// Folders that contain skills, with the number of skills; fullest first.
    pub folders: Vec<(PathBuf, usize)>,
    /// The command to run next, without the name of the program.
    pub next: String,
}

impl FirstSteps {
    /// The overview; `None` if a store contains a skill, or skills are disabled.
    pub fn of(app: &App) -> Option<Self> {
        if has_stored_skill(app) || !app.call.settings.skills.enabled {
            return None;
        }
        let catalog = read(app, &CatalogFilter::default()).ok()?;
        let mut folders = by_folder(&catalog.skills);
        let here = unread_here(app).filter(|here| folders.iter().all(|(folder, _)| *folder != here.folder));
        let next = match &here {
            Some(here) => here.next.clone(),
            None if folders.is_empty() => "init my-skill".to_owned(),
            None => "find \"what you want to do\"".to_owned(),
        };
        folders.extend(here.map(|here| (here.folder, here.count)));
        Some(Self { agents: present_agents(app).map(|agent| agent.name).collect(), folders, next })
    }

    /// Suggests the command that lists every skill, for a user whose search found none.
    pub fn after_search(self) -> Self {
        let next = if self.next.starts_with("find") { "catalog".to_owned() } else { self.next };
        Self { next, ..self }
    }

    fn agents(&self) -> String {
        let (named, rest) = self.agents.split_at(self.agents.len().min(NAMED_AGENTS_MAX));
        match (named.is_empty(), rest.len()) {
            (true, _) => "none found".to_owned(),
            (false, 0) => named.join(", "),
            (false, more) => format!("{} and {more} more", named.join(", ")),
        }
    }

    fn skills(&self, view: &View) -> String {
        let (named, rest) = self.folders.split_at(self.folders.len().min(NAMED_FOLDERS_MAX));
        let place = |folder: &Path| match folder == view.cwd {
            true => "this folder".to_owned(),
            false => view.path(folder),
        };
        let mut parts: Vec<String> =
            named.iter().map(|(folder, count)| format!("{count} in {}", place(folder))).collect();
        if !rest.is_empty() {
            let count: usize = rest.iter().map(|(_, count)| count).sum();
            parts.push(format!("{count} in {}", counted(rest.len() as u64, "more folder")));
        }
        if parts.is_empty() { "none found".to_owned() } else { parts.join(", ") }
    }
}

/// Whether a store of the project or user contains a skill.
fn has_stored_skill(app: &App) -> bool {
    let scopes = [Scope::Project, Scope::Global].into_iter();
    scopes.flat_map(|scope| app.call.places.stores(scope)).any(|store| has_skill(app, &store))
}

/// Skills that neither a store nor an agent has.
#[derive(Debug)]
pub struct UnreadSkills {
    /// The folder that holds them.
    pub folder: PathBuf,
    /// Their number.
    pub count: usize,
    /// The command that makes use of them, without the name of the program.
    pub next: String,
}

/// Skills in the folder `skills` of the working directory, which can become a store, or in the working directory
/// itself, from which they are built.
pub fn unread_here(app: &App) -> Option<UnreadSkills> {
    let places = &app.call.places;
    if places.cwd == places.home {
        return None;
    }
    let in_place = places.cwd.join("skills");
    let count = skills_in(app, &in_place).count();
    if count > 0 {
        return Some(UnreadSkills { folder: in_place, count, next: IN_PLACE.to_owned() });
    }
    let mut names: Vec<String> = skills_in(app, &places.cwd).collect();
    names.sort();
    let next = format!("build {}", argument(names.first()?));
    Some(UnreadSkills { folder: places.cwd.clone(), count: names.len(), next })
}

/// Whether a folder holds a skill.
pub fn has_skill(app: &App, folder: &Path) -> bool {
    skills_in(app, folder).next().is_some()
}

/// The names of the folders in a folder that are skills.
fn skills_in<'a>(app: &'a App, folder: &'a Path) -> impl Iterator<Item = String> + 'a {
    let names = app.ports.stores.names(folder).unwrap_or_default();
    names.into_iter().filter(|name| matches!(app.look(&folder.join(name)), Found::Skill(_)))
}

/// Asks the reader for a command; no tool has the option that makes a store of a folder.
pub fn ask_for(command: &str, view: &View) -> String {
    match command {
        IN_PLACE => view.reader.run_yourself(IN_PLACE),
        command => view.reader.run(command),
    }
}

/// The number of skills in each folder, largest first.
fn by_folder(skills: &[CatalogSkill]) -> Vec<(PathBuf, usize)> {
    let mut counts: BTreeMap<&Path, usize> = BTreeMap::new();
    let found_at = skills.iter().filter_map(|skill| Some((skill.locations.first()?.path.parent()?, skill)));
    // A single-file skill is in the folder itself, a SKILL.md in a folder of its own.
    for folder in
        found_at.filter_map(|(at, skill)| if skill.is_single_file() { Some(at) } else { at.parent() })
    {
        *counts.entry(folder).or_default() += 1;
    }
    let mut folders: Vec<(PathBuf, usize)> =
        counts.into_iter().map(|(folder, count)| (folder.to_owned(), count)).collect();
    folders.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    folders
}

impl Render for FirstSteps {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        const INDENT: usize = 8;
        let rows = [("Agents", plain(&self.agents())), ("Skills", self.skills(view))];
        for (title, text) in rows {
            let width = view.width.map_or(usize::MAX, |width| width.saturating_sub(INDENT));
            let below = format!("\n{}", " ".repeat(INDENT));
            let gap = " ".repeat(INDENT - title.len());
            line(out, format!("{}{gap}{}", view.strong(title), wrap(&text, width).join(&below)));
        }
        line(out, format!("{}    {}", view.strong("Next"), ask_for(&self.next, view)));
    }
}
