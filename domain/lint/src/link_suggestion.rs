//! Suggests the file that a broken link was meant to lead to.

use crate::folded_names::{FoldedNames, SAME_NAME_MAX};
use crate::link::{LinkTarget, target};
use crate::view::SkillContext;
use skillc_domain::path::RelPath;
use skillc_domain::suggest;
use skillc_domain::text::case_fold::fold;
use std::collections::HashMap;

/// An index of a skill's files by case-folded name.
pub struct LinkSuggester<'a> {
    context: &'a SkillContext,
    files: FoldedNames<'a>,
    /// Files by the folder that directly contains them.
    beside: HashMap<&'a str, Vec<&'a RelPath>>,
}

/// A file that a broken link may have been meant to lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The file.
    pub path: RelPath,
    /// How it relates to what was written.
    pub kind: SuggestionKind,
}

/// How a suggested file relates to what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuggestionKind {
    /// The path is complete or starts at another folder.
    Path,
    /// The path differs in case.
    OtherCase,
    /// The path has a typo.
    Slip,
    /// Only the name matches, so it may well be another file.
    SameName,
}

impl<'a> LinkSuggester<'a> {
    /// Builds the index, in linear time; once for all links of a skill.
    pub fn of(context: &'a SkillContext) -> Self {
        let files = FoldedNames::of(context.survey.files.iter().map(|file| &file.path));
        let mut beside: HashMap<&str, Vec<&RelPath>> = HashMap::new();
        for file in &context.survey.files {
            beside.entry(file.path.folder()).or_default().push(&file.path);
        }
        Self { context, files, beside }
    }

    /// The file that a link in the file at `from` was probably meant to lead to: with the path taken from the skill's
    /// root, with `/` instead of `\`, with `.md` appended, in another case, or with a typo in its name.
    pub fn suggest(&self, written: &str, from: &RelPath) -> Option<Suggestion> {
        let root = RelPath::default();
        let slashed = written.replace('\\', "/");
        let readings = [(written, &root), (slashed.as_str(), from), (slashed.as_str(), &root)];
        let paths = readings.map(|(written, from)| path_of(written, from));
        let with_md =
            [from, &root].map(|from| path_of(&format!("{}.md", slashed.trim_end_matches('/')), from));
        let there = |path: &&RelPath| self.context.has_file(path) && *path != from;
        if let Some(path) = paths.iter().chain(&with_md).flatten().find(there) {
            return Some(Suggestion { path: path.clone(), kind: SuggestionKind::Path });
        }
        let name = paths.iter().rev().flatten().next()?.name();
        let same_name = self.files.get(name);
        if same_name.is_empty() {
            return self.slip(paths.iter().flatten());
        }
        let folded = paths.each_ref().map(|path| path.as_ref().map(|path| fold(path.as_str())));
        let same_path = |file: &&&RelPath| folded.iter().flatten().any(|path| *path == fold(file.as_str()));
        // If many files have the name, each broken link would search all of them, so only a few are compared.
        let other_case = same_name.iter().take(SAME_NAME_MAX).find(same_path);
        let only = || same_name.first().filter(|only| same_name.len() == 1 && *only != &from);
        let suggestion = |path: &&RelPath, kind| Suggestion { path: (*path).clone(), kind };
        let other_case = other_case.map(|path| suggestion(path, SuggestionKind::OtherCase));
        other_case.or_else(|| only().map(|path| suggestion(path, SuggestionKind::SameName)))
    }

    /// The file in the same folder, or the folder itself, whose name differs by a typo.
    fn slip<'p>(&self, mut paths: impl Iterator<Item = &'p RelPath>) -> Option<Suggestion> {
        paths.find_map(|path| {
            let folder = path.folder();
            let beside = self.beside.get(folder).map(Vec::as_slice).unwrap_or_default();
            let extension = path.extension();
            let beside = beside.iter().filter(|file| file.extension() == extension).take(SAME_NAME_MAX);
            let meant = suggest::slip(path.name(), beside.map(|file| file.name()))?;
            // `unpack.py` is the opposite of `pack.py`.
            if path.name().strip_prefix("un") == Some(meant) || meant.strip_prefix("un") == Some(path.name())
            {
                return None;
            }
            let path = if folder.is_empty() { meant.to_owned() } else { format!("{folder}/{meant}") };
            Some(Suggestion { path: RelPath::parse(&path).ok()?, kind: SuggestionKind::Slip })
        })
    }
}

/// The path in the skill that a link's path leads to; `..` at the root stays at the root.
fn path_of(written: &str, from: &RelPath) -> Option<RelPath> {
    match target(written, from) {
        LinkTarget::Inside(path, _) => Some(path),
        LinkTarget::Escapes(path) => RelPath::parse(path.trim_start_matches("../")).ok(),
        LinkTarget::External | LinkTarget::Anchor(_) => None,
    }
}

/// The target for a link from one file to another.
pub fn link_between(from: &RelPath, to: &RelPath) -> String {
    let folders: Vec<&str> = from.as_str().split('/').collect();
    let folders = &folders[..folders.len() - 1];
    let segments: Vec<&str> = to.as_str().split('/').collect();
    let shared = folders.iter().zip(&segments[..segments.len() - 1]).take_while(|(a, b)| a == b).count();
    let up = "../".repeat(folders.len() - shared);
    encoded(&(up + &segments[shared..].join("/")))
}

/// A path as a link target for Markdown and HTML: special characters are percent-encoded.
pub fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        if c.is_ascii_control() || " \"#%&'()*:<>?[\\]`{|}".contains(c) {
            out.push_str(&format!("%{:02X}", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillc_domain::survey::{Stamp, Survey, SurveyedFile};

    fn context(paths: &[&str]) -> SkillContext {
        let file =
            |path: &&str| SurveyedFile { path: RelPath::parse(path).unwrap(), stamp: Stamp::default() };
        let survey = Survey { files: paths.iter().map(file).collect(), ..Survey::default() };
        SkillContext {
            folder: "demo".into(),
            parent: "skills".into(),
            survey,
            folders: Vec::new(),
            file_names: Default::default(),
            outside: Default::default(),
            settings: Default::default(),
        }
    }

    #[test]
    fn the_file_that_was_meant_is_found() {
        let context =
            context(&["SKILL.md", "assets/x.md", "references/Guide.md", "references/other/x.md", "y.md"]);
        let names = LinkSuggester::of(&context);
        for (written, from, expected) in [
            ("references/guide.md", "SKILL.md", Some("references/Guide.md")),
            ("references/Guide.md", "references/other/x.md", Some("references/Guide.md")),
            ("references\\Guide.md", "SKILL.md", Some("references/Guide.md")),
            ("references/Guide", "SKILL.md", Some("references/Guide.md")),
            ("references/Giude.md", "SKILL.md", Some("references/Guide.md")),
            ("docs\\Guide.md", "SKILL.md", Some("references/Guide.md")),
            ("docs/GUIDE.md", "SKILL.md", Some("references/Guide.md")),
            ("../references/Guide.md", "SKILL.md", Some("references/Guide.md")),
            ("docs/x.md", "SKILL.md", None),
            ("docs/y.md", "y.md", None),
            ("none.md", "SKILL.md", None),
        ] {
            let from = RelPath::parse(from).unwrap();
            let found = names.suggest(written, &from).map(|suggestion| suggestion.path);
            assert_eq!(found.as_ref().map(RelPath::as_str), expected, "{written}");
        }
    }

    #[test]
    fn a_link_goes_from_file_to_file() {
        for (from, to, link) in [
            ("SKILL.md", "a/b.md", "a/b.md"),
            ("a/b.md", "a/c d.md", "c%20d.md"),
            ("a/b.md", "c.md", "../c.md"),
            ("a/b/c.md", "a/d/é(1).md", "../d/é%281%29.md"),
        ] {
            let (from, to) = (RelPath::parse(from).unwrap(), RelPath::parse(to).unwrap());
            assert_eq!(link_between(&from, &to), link);
            assert_eq!(target(&link_between(&from, &to), &from), LinkTarget::Inside(to, None));
        }
    }
}
