//! Decides which files of a skill are packed.

use crate::failure::Failure;
use crate::run::Run;
use crate::source::survey;
use glob::Pattern;
use schemars::JsonSchema;
use serde::Serialize;
use skillc_domain::fault::Fault;
use skillc_domain::path::RelPath;
use skillc_domain::survey::SurveyedFile;
use skillc_lint::pack::{Omission, left_out};
use skillc_ports::SkillTree;
use std::collections::BTreeMap;

/// A file or folder of the skill that is not packed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeftOutPath {
    /// Relative to the skill; a folder ends with `/`.
    pub path: String,
    /// Why it is not packed.
    pub reason: String,
    /// Number of files in it; not counted for hidden ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<usize>,
}

/// The files of a skill, divided into packed and omitted ones.
pub(super) struct Division {
    pub(super) packed: Vec<SurveyedFile>,
    pub(super) left_out: Vec<LeftOutPath>,
}

/// Divides the files of a skill.
///
/// # Errors
/// E012 if a link leads out of the skill, E016 if it has too many files.
pub(super) fn divide(
    run: &mut Run<'_>,
    tree: &dyn SkillTree,
    excluded: &[Pattern],
) -> Result<Division, Failure> {
    let survey = survey(tree)?;
    if let Some(link) = survey.escaping.first() {
        return Err(Fault::PathEscapes { path: link.to_string() }.into());
    }
    survey.warnings.into_iter().for_each(|warning| run.warn(warning));
    let mut counts: BTreeMap<(String, Omission), usize> = BTreeMap::new();
    let mut packed = Vec::with_capacity(survey.files.len());
    for file in survey.files {
        match topmost(file.path.as_str(), excluded) {
            Some(reason) => *counts.entry(reason).or_default() += 1,
            None => packed.push(file),
        }
    }
    let listed = |((path, reason), count): ((String, Omission), usize)| LeftOutPath {
        files: path.ends_with('/').then_some(count),
        reason: reason.to_string(),
        path,
    };
    let mut left_out: Vec<LeftOutPath> = counts.into_iter().map(listed).collect();
    for path in tree.hidden()? {
        left_out.extend(hidden(tree, &path, &left_out));
    }
    Ok(Division { packed, left_out })
}

/// The file, or its topmost parent folder, that is omitted, with the reason.
fn topmost(path: &str, excluded: &[Pattern]) -> Option<(String, Omission)> {
    let is_excluded = |path: &str| excluded.iter().any(|pattern| pattern.matches(path));
    for (at, _) in path.match_indices('/') {
        let folder = &path[..at];
        let reason = if is_excluded(folder) {
            Some(Omission::Excluded)
        } else {
            // A folder is omitted for the same reasons as any file in it.
            left_out(&format!("{folder}/_"))
        };
        if let Some(reason) = reason {
            return Some((format!("{folder}/"), reason));
        }
    }
    let reason = if is_excluded(path) { Some(Omission::Excluded) } else { left_out(path) };
    reason.map(|reason| (path.to_owned(), reason))
}

/// A hidden entry, unless a parent folder is already listed.
fn hidden(tree: &dyn SkillTree, path: &RelPath, listed: &[LeftOutPath]) -> Option<LeftOutPath> {
    if listed.iter().any(|above| above.path.ends_with('/') && path.as_str().starts_with(&above.path)) {
        return None;
    }
    let end = if tree.is_folder(path).unwrap_or_default() { "/" } else { "" };
    let reason = left_out(path.as_str()).unwrap_or(Omission::Hidden).to_string();
    Some(LeftOutPath { path: format!("{path}{end}"), reason, files: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0015:C-PACK
    #[test]
    fn a_folder_that_is_left_out_is_listed_once() {
        let excluded = [Pattern::new("fixtures/big").unwrap(), Pattern::new("*.mp4").unwrap()];
        let left_out = |path: &str| topmost(path, &excluded).map(|(path, _)| path);
        for (path, expected) in [
            ("SKILL.md", None),
            ("a/__pycache__/b/c.pyc", Some("a/__pycache__/")),
            ("evals/x/y.json", Some("evals/")),
            ("fixtures/big/a/b", Some("fixtures/big/")),
            ("fixtures/small", None),
            ("assets/film.mp4", Some("assets/film.mp4")),
        ] {
            assert_eq!(left_out(path).as_deref(), expected, "{path}");
        }
    }
}
