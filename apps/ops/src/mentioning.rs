//! Finds the skills in the stores whose text mentions another skill.

use crate::app::App;
use crate::resolve::resolve_to_name;
use crate::source::survey;
use crate::stores::folders_of;
use skillc_domain::discovery::mention::mentions_skill;
use skillc_domain::limits::TEXT_BYTES_MAX;
use skillc_domain::listing::Scope;
use std::collections::BTreeSet;
use std::path::Path;

/// Names of the skills, except the one at `except`, with a Markdown file that mentions this name. Unreadable files
/// are skipped.
pub fn skills_mentioning(app: &App, name: &str, except: &Path) -> Vec<String> {
    let folders = [Scope::Project, Scope::Global].into_iter().filter_map(|scope| folders_of(app, scope).ok());
    let skills = folders.flatten().filter_map(|folder| resolve_to_name(app, &folder.to_string_lossy()).ok());
    let found = skills.filter(|skill| skill.path != except && is_mentioned_in(app, &skill.path, name));
    found.map(|skill| skill.name).collect::<BTreeSet<_>>().into_iter().collect()
}

fn is_mentioned_in(app: &App, skill: &Path, name: &str) -> bool {
    let Ok(tree) = app.ports.files.open(skill) else { return false };
    let Ok(survey) = survey(tree.as_ref()) else { return false };
    survey.files.iter().filter(|file| file.path.as_str().ends_with(".md")).any(|file| {
        let content = tree.read(&file.path, TEXT_BYTES_MAX);
        content.is_ok_and(|content| mentions_skill(&String::from_utf8_lossy(&content.bytes), name))
    })
}
