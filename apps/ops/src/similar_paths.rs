//! Errors for a missing file or folder of a skill, with the paths that may be meant.

use crate::app::App;
use crate::policy::file_filter;
use crate::render::plain;
use crate::skill::Skill;
use crate::source::current_listing;
use skillc_domain::fault::Fault;
use skillc_domain::path::RelPath;
use skillc_domain::suggest::{list, paths};
use skillc_domain::text::shell::argument;
use skillc_ports::SkillTree;
use std::collections::BTreeSet;

/// E021 for a path inside a skill.
pub fn no_file(app: &App, skill: &Skill, tree: &dyn SkillTree, given: &str) -> Fault {
    let files = visible(app, skill, tree);
    let suggestions = suggestions(given, files.iter().map(RelPath::as_str));
    Fault::FileNotFound { path: given.to_owned(), skill: plain(&argument(&skill.given)), suggestions }
}

/// E022 for a path inside a skill.
pub fn no_folder(app: &App, skill: &Skill, tree: &dyn SkillTree, given: &str) -> Fault {
    let files = visible(app, skill, tree);
    let above = |path: &RelPath| -> Vec<String> {
        path.as_str().match_indices('/').map(|(at, _)| path.as_str()[..at].to_owned()).collect()
    };
    let folders: BTreeSet<String> = files.iter().flat_map(above).collect();
    let suggestions = suggestions(given, folders.iter().map(String::as_str));
    Fault::DirectoryNotFound { path: given.to_owned(), skill: plain(&argument(&skill.given)), suggestions }
}

fn suggestions<'a>(given: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    list(paths(given.trim_end_matches('/'), known).into_iter().map(plain))
}

/// The files of a skill that the caller may see; empty if it cannot be walked.
fn visible(app: &App, skill: &Skill, tree: &dyn SkillTree) -> Vec<RelPath> {
    let Ok(listing) = current_listing(tree) else { return Vec::new() };
    let mut is_admitted = file_filter(app, skill);
    listing.files.into_iter().filter(|path| is_admitted(path)).collect()
}
