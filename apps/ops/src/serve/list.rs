//! Lists the served skills and the folders in them, page by page.

use super::page::Page;
use super::served_skill::{ServedSkill, SkillEntry};
use super::served_skills::ServedSkills;
use crate::app::App;
use crate::failure::Failure;
use crate::policy::{admit_file, file_filter, is_refusal};
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::limits::{SERVED_PAGE_RESOURCES, SERVED_PAGE_SKILLS};
use skillc_domain::path::RelPath;
use skillc_domain::skill_uri::{SkillPlace, SkillUri};
use skillc_domain::survey::SurveyedFile;
use std::collections::BTreeMap;

/// A page of skills, and the skills that are not on it.
#[derive(Debug)]
pub struct ListPage<T> {
    /// The items, one per served skill.
    pub page: Page<T>,
    /// Skills that are not served, with reasons. Those with an unusable SKILL.md are reported with the first page.
    pub left_out: Vec<Warning>,
}

/// A page of a folder of a skill.
#[derive(Debug)]
pub struct FolderPage {
    /// The skill.
    pub served: ServedSkill,
    /// The direct children, each with its URI.
    pub page: Page<(String, Child)>,
}

/// A direct child of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Child {
    /// A file and its size in bytes.
    File(RelPath, u64),
    /// A folder that holds at least one file.
    Folder(RelPath),
}

/// A page of the served skills, ordered by name, each with all its files.
///
/// # Errors
/// E100 for an unknown cursor, and if a store cannot be read.
pub fn entries(
    app: &App,
    skills: &ServedSkills,
    cursor: Option<&str>,
) -> Result<ListPage<SkillEntry>, Failure> {
    listed(app, skills, cursor, SERVED_PAGE_SKILLS, |served| skills.entry(app, served))
}

/// A page of the served skills, converted by a function that may omit a skill.
///
/// # Errors
/// As `entries`.
pub fn listed<T>(
    app: &App,
    skills: &ServedSkills,
    cursor: Option<&str>,
    most: usize,
    take: impl Fn(ServedSkill) -> Result<T, Warning>,
) -> Result<ListPage<T>, Failure> {
    let list = skills.list(app)?;
    let mut left_out = if cursor.is_some() { Vec::new() } else { list.unreadable.clone() };
    let served = list.skills.values().cloned().collect();
    let Page { items, next } = Page::cut(served, |served| served.place.as_str(), cursor, most)?;
    let mut taken = Vec::with_capacity(items.len());
    for served in items {
        match take(served) {
            Ok(item) => taken.push(item),
            Err(reason) => left_out.push(reason),
        }
    }
    Ok(ListPage { page: Page { items: taken, next }, left_out })
}

/// The skill with the URI `skill://…/SKILL.md`, with all its files.
///
/// # Errors
/// E001 if no skill is served under exactly this URI.
pub fn entry(app: &App, skills: &ServedSkills, uri: &str) -> Result<SkillEntry, Failure> {
    let unknown = || Fault::SkillNotFound {
        skill: uri.to_owned(),
        single_file: String::new(),
        suggestions: String::new(),
    };
    let target = SkillUri::parse(uri).ok_or_else(unknown)?;
    let served = skills.find(app, &target.place).map_err(|failure| refused_or(failure, unknown()))?;
    if served.skill_uri() != uri {
        return Err(unknown().into());
    }
    skills.entry(app, served).map_err(|_| unknown().into())
}

/// A page of the direct children of a folder, sorted by the bytes of their URIs.
///
/// # Errors
/// E022 if no such folder is served, E100 for an unknown cursor.
pub fn folder(
    app: &App,
    skills: &ServedSkills,
    uri: &str,
    cursor: Option<&str>,
) -> Result<FolderPage, Failure> {
    let unknown = || Fault::DirectoryNotFound {
        path: uri.to_owned(),
        skill: String::new(),
        suggestions: String::new(),
    };
    let target = SkillUri::parse(uri).ok_or_else(unknown)?;
    let served = skills.open(app, &target.place).map_err(|failure| refused_or(failure, unknown()))?;
    admit_file(app, &served.skill, &target.path)?;
    let (tree, survey) = skills.files(app, &served).map_err(|_| unknown())?;
    let children = children(&survey.files, &target.path);
    // An empty folder exists too.
    if children.is_empty() && !tree.is_folder(&target.path).unwrap_or(false) {
        return Err(unknown().into());
    }
    let named = |child: Child| (served.uri(child.path()), child);
    let mut all: Vec<(String, Child)> = children.into_iter().map(named).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    let page = Page::cut(all, |(uri, _)| uri, cursor, SERVED_PAGE_RESOURCES)?;
    Ok(FolderPage { served, page })
}

/// Keeps a refusal by the policy, and replaces any other failure by `unknown`.
pub fn refused_or(failure: Failure, unknown: Fault) -> Failure {
    if is_refusal(&failure.fault) { failure } else { unknown.into() }
}

impl Child {
    /// Relative to the skill.
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

/// The names under which skills are served: `demo`, `global/demo`.
///
/// # Errors
/// If a store cannot be read.
pub fn names(app: &App, skills: &ServedSkills) -> Result<Vec<String>, Failure> {
    Ok(skills.list(app)?.skills.keys().map(ToString::to_string).collect())
}

/// The paths of a skill's readable files; empty for an unknown name.
///
/// # Errors
/// If a store cannot be read.
pub fn file_names(app: &App, skills: &ServedSkills, name: &str) -> Result<Vec<RelPath>, Failure> {
    let Some(place) = SkillPlace::parse(name) else { return Ok(Vec::new()) };
    let Ok(served) = skills.open(app, &place) else { return Ok(Vec::new()) };
    let Ok((_, survey)) = skills.files(app, &served) else { return Ok(Vec::new()) };
    let mut is_admitted = file_filter(app, &served.skill);
    Ok(survey.files.iter().map(|file| file.path.clone()).filter(|path| is_admitted(path)).collect())
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
        assert_eq!(SkillPlace::parse("global/x").unwrap().as_str(), "global/x");
        for name in ["", "x/SKILL.md", "../x", "/x", "global"] {
            assert_eq!(SkillPlace::parse(name), None, "{name}");
        }
    }
}
