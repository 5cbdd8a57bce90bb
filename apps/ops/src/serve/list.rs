//! What is served, skill by skill and folder by folder.

use super::page::Page;
use super::shelf::{Entry, LeftOut, Served, Shelf};
use crate::app::App;
use crate::failure::Failure;
use crate::policy::{admit_file, gate_of_files, is_refusal};
use skillc_domain::fault::Fault;
use skillc_domain::limits::{SERVED_PAGE_RESOURCES, SERVED_PAGE_SKILLS};
use skillc_domain::path::RelPath;
use skillc_domain::skill_uri::{SkillPlace, SkillUri};
use skillc_domain::survey::SurveyedFile;
use std::collections::BTreeMap;

/// A page, and what was left out of it.
#[derive(Debug)]
pub struct Listed<T> {
    /// What is served.
    pub page: Page<T>,
    /// What is not, and why; skills whose SKILL.md will not do are told with the first page.
    pub left_out: Vec<LeftOut>,
}

/// A page of a folder of a skill.
#[derive(Debug)]
pub struct Directory {
    /// The skill.
    pub served: Served,
    /// What stands directly in it, each with its name.
    pub page: Page<(String, Child)>,
}

/// Something directly in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Child {
    /// A file, with its bytes.
    File(RelPath, u64),
    /// A folder.
    Folder(RelPath),
}

/// A page of the skills that are served, by their names, each with all its files.
///
/// # Errors
/// E100 for an unknown cursor, and if a store cannot be read.
pub fn entries(app: &App, shelf: &Shelf, cursor: Option<&str>) -> Result<Listed<Entry>, Failure> {
    listed(app, shelf, cursor, SERVED_PAGE_SKILLS, |served| shelf.entry(app, served))
}

/// A page of the skills that are served, taken by a function that may leave one out.
///
/// # Errors
/// As `entries`.
pub fn listed<T>(
    app: &App,
    shelf: &Shelf,
    cursor: Option<&str>,
    most: usize,
    take: impl Fn(Served) -> Result<T, LeftOut>,
) -> Result<Listed<T>, Failure> {
    let mut left_out = Vec::new();
    let served = shelf.served(app, &mut left_out)?;
    if cursor.is_some() {
        left_out.clear();
    }
    let Page { items, next } = Page::cut(served, |served| served.place.as_str(), cursor, most)?;
    let mut taken = Vec::with_capacity(items.len());
    for served in items {
        match take(served) {
            Ok(item) => taken.push(item),
            Err(reason) => left_out.push(reason),
        }
    }
    Ok(Listed { page: Page { items: taken, next }, left_out })
}

/// The skill of a name `skill://…/SKILL.md`, with all its files.
///
/// # Errors
/// E001 when no skill is served under this very name.
pub fn entry(app: &App, shelf: &Shelf, uri: &str) -> Result<Entry, Failure> {
    let unknown = || Fault::SkillNotFound { skill: uri.to_owned() };
    let target = SkillUri::parse(uri).ok_or_else(unknown)?;
    let served = shelf.find(app, &target.place).map_err(|failure| refused_or(failure, unknown()))?;
    if served.skill_uri() != uri {
        return Err(unknown().into());
    }
    shelf.entry(app, served).map_err(|_| unknown().into())
}

/// A page of what stands directly in a folder, by the bytes of its paths.
///
/// # Errors
/// E022 if no such folder is served, E100 for an unknown cursor.
pub fn directory(app: &App, shelf: &Shelf, uri: &str, cursor: Option<&str>) -> Result<Directory, Failure> {
    let unknown = || Fault::DirectoryNotFound { path: uri.to_owned() };
    let target = SkillUri::parse(uri).ok_or_else(unknown)?;
    let served = shelf.open(app, &target.place).map_err(|failure| refused_or(failure, unknown()))?;
    admit_file(app, &served.skill, &target.path)?;
    let (tree, survey) = shelf.files(app, &served).map_err(|_| unknown())?;
    let children = children(&survey.files, &target.path);
    // A folder in which nothing is served is a folder all the same.
    if children.is_empty() && !tree.is_folder(&target.path).unwrap_or(false) {
        return Err(unknown().into());
    }
    let named = |child: Child| (served.uri(child.path()), child);
    let mut all: Vec<(String, Child)> = children.into_iter().map(named).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    let page = Page::cut(all, |(uri, _)| uri, cursor, SERVED_PAGE_RESOURCES)?;
    Ok(Directory { served, page })
}

/// A refusal by the policy as it is; any other failure as what is not known.
pub fn refused_or(failure: Failure, unknown: Fault) -> Failure {
    if is_refusal(&failure.fault) { failure } else { unknown.into() }
}

impl Child {
    /// Its path in the skill.
    pub fn path(&self) -> &RelPath {
        match self {
            Self::File(path, _) | Self::Folder(path) => path,
        }
    }
}

fn children(files: &[SurveyedFile], folder: &RelPath) -> Vec<Child> {
    let mut found = BTreeMap::new();
    for file in files {
        let Some(below) = file.path.below(folder) else { continue };
        let (name, child) = match below.split_once('/') {
            None => (below, Child::File(file.path.clone(), file.stamp.size)),
            Some((name, _)) => {
                let whole = &file.path.as_str()[..file.path.as_str().len() - below.len() + name.len()];
                (name, Child::Folder(RelPath::from_walk(whole.to_owned())))
            }
        };
        found.insert(name, child);
    }
    found.into_values().collect()
}

/// The names by which a skill can be asked for: `demo`, `global/demo`.
///
/// # Errors
/// Where a store cannot be read.
pub fn names(app: &App, shelf: &Shelf) -> Result<Vec<String>, Failure> {
    let served = shelf.served(app, &mut Vec::new())?;
    Ok(served.into_iter().map(|served| served.place.to_string()).collect())
}

/// The paths of a skill's files; none for a name that no skill has.
///
/// # Errors
/// Where a store cannot be read.
pub fn file_names(app: &App, shelf: &Shelf, name: &str) -> Result<Vec<RelPath>, Failure> {
    let Some(place) = place_of(name) else { return Ok(Vec::new()) };
    let Ok(served) = shelf.open(app, &place) else { return Ok(Vec::new()) };
    let Ok((_, survey)) = shelf.files(app, &served) else { return Ok(Vec::new()) };
    let mut is_open = gate_of_files(app, &served.skill);
    Ok(survey.files.iter().map(|file| file.path.clone()).filter(|path| is_open(path)).collect())
}

/// The place that a name means.
pub fn place_of(name: &str) -> Option<SkillPlace> {
    let uri = SkillUri::parse(&format!("skill://{name}"))?;
    uri.path.is_root().then_some(uri.place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillc_domain::survey::Stamp;

    #[test]
    fn a_folder_has_its_files_and_the_folders_between() {
        let path = |path: &str| RelPath::parse(path).unwrap();
        let file = |at: &str| SurveyedFile { path: path(at), stamp: Stamp { size: 3, ..Stamp::default() } };
        let files = ["SKILL.md", "a/b/c.md", "a/b/d.md", "a/x.md", "ab/y.md"].map(file);
        let listed = |folder: &str| children(&files, &path(folder));
        let child = |at: &str| Child::File(path(at), 3);
        let folder = |at: &str| Child::Folder(path(at));
        assert_eq!(listed(""), [child("SKILL.md"), folder("a"), folder("ab")]);
        assert_eq!(listed("a"), [folder("a/b"), child("a/x.md")]);
        assert_eq!(listed("a/b"), [child("a/b/c.md"), child("a/b/d.md")]);
        assert_eq!(listed("SKILL.md"), []);
        assert_eq!(listed("b"), []);
    }

    #[test]
    fn a_name_means_a_place() {
        assert_eq!(place_of("global/x").unwrap().as_str(), "global/x");
        for name in ["", "x/SKILL.md", "../x", "/x", "global"] {
            assert_eq!(place_of(name), None, "{name}");
        }
    }
}
