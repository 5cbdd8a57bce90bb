//! An overview for a user who has no skill in a store yet: agents, skills in other folders, and the command to run next.

use crate::app::App;
use crate::catalog::{CatalogFilter, read};
use crate::present_agents::present_agents;
use crate::render::{Render, View, line, plain, wrap};
use skillc_domain::discovery::skill::CatalogSkill;
use skillc_domain::listing::Scope;
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
    /// The command to run next, without the program's name.
    pub next: &'static str,
}

impl FirstSteps {
    /// The overview; `None` if a store contains a skill, or skills are disabled.
    pub fn of(app: &App) -> Option<Self> {
        if has_stored_skill(app) || !app.call.settings.skills.enabled {
            return None;
        }
        let catalog = read(app, &CatalogFilter::default()).ok()?;
        let folders = by_folder(&catalog.skills);
        let next = match folders.is_empty() {
            _ if has_skills_in_place(app) => IN_PLACE,
            true => "init my-skill",
            false => "find \"what you want to do\"",
        };
        Some(Self { agents: present_agents(app).map(|agent| agent.name).collect(), folders, next })
    }

    /// Suggests the command that lists every skill, for a user whose search found none.
    pub fn after_search(self) -> Self {
        let next = if self.next.starts_with("find") { "catalog" } else { self.next };
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
        let mut parts: Vec<String> =
            named.iter().map(|(folder, count)| format!("{count} in {}", view.path(folder))).collect();
        if !rest.is_empty() {
            let count: usize = rest.iter().map(|(_, count)| count).sum();
            parts.push(format!("{count} in {} more folders", rest.len()));
        }
        if parts.is_empty() { "none found".to_owned() } else { parts.join(", ") }
    }
}

/// Whether a store of the project or user contains a skill.
fn has_stored_skill(app: &App) -> bool {
    let scopes = [Scope::Project, Scope::Global].into_iter();
    scopes.flat_map(|scope| app.call.places.stores(scope)).any(|store| has_skill(app, &store))
}

/// Whether the working directory has a folder `skills` with skills, which can become a store.
fn has_skills_in_place(app: &App) -> bool {
    let places = &app.call.places;
    places.cwd != places.home && has_skill(app, &places.cwd.join("skills"))
}

fn has_skill(app: &App, folder: &Path) -> bool {
    let names = app.ports.stores.names(folder).unwrap_or_default();
    names.iter().any(|name| matches!(app.look(&folder.join(name)), Found::Skill(_)))
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
        let next = match self.next {
            IN_PLACE => view.reader.run_yourself(IN_PLACE),
            next => view.reader.run(next),
        };
        line(out, format!("{}    {next}", view.strong("Next")));
    }
}
