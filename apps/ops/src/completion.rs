//! Values for shell completion: skills, files, headings, codes. Completion does not count as use of a skill, so
//! nothing is logged.

use crate::app::App;
use crate::executor::block_on;
use crate::headings::outline_of;
use crate::policy::file_filter;
use crate::resolve::resolve;
use crate::run::Run;
use crate::source::current_listing;
use crate::stores::skills_of;
use skillc_domain::limits::HEADING_LEVEL_MAX;
use skillc_domain::listing::Scope;
use skillc_domain::path::RelPath;
use std::collections::BTreeSet;

/// The names of the skills in the stores; unreadable stores are skipped.
pub fn skills(app: &App) -> Vec<String> {
    let mut run = Run::new(app);
    let both = [Scope::Project, Scope::Global];
    let skills = both.into_iter().flat_map(|scope| skills_of(&mut run, scope).unwrap_or_default());
    let names: BTreeSet<String> = skills.map(|skill| skill.name).collect();
    names.into_iter().collect()
}

/// The paths of a skill's files; empty if it cannot be read.
pub fn files(app: &App, skill: &str) -> Vec<String> {
    let Ok(skill) = resolve(app, skill) else { return Vec::new() };
    let Ok(tree) = app.ports.files.open(&skill.path) else { return Vec::new() };
    let Ok(listing) = current_listing(tree.as_ref()) else { return Vec::new() };
    let mut is_admitted = file_filter(app, &skill);
    listing.files.iter().filter(|path| is_admitted(path)).map(RelPath::to_string).collect()
}

/// The headings of a skill, or of one of its files, in document order; empty if it cannot be read.
pub fn headings(app: &App, skill: &str, file: Option<&str>) -> Vec<String> {
    let Ok(skill) = resolve(app, skill) else { return Vec::new() };
    let mut run = Run::new(app);
    let outline = block_on(app, outline_of(&mut run, &skill, HEADING_LEVEL_MAX)).and_then(|outline| outline);
    let outline = outline.unwrap_or_default();
    let matching = outline.into_iter().filter(|outline| file.is_none_or(|file| file == outline.file));
    let mut seen = BTreeSet::new();
    let texts = matching.flat_map(|file| file.headings).map(|heading| heading.text);
    texts.filter(|text| seen.insert(text.clone())).collect()
}
