//! The files that are reachable from `SKILL.md` by links.

use crate::link::{LinkTarget, target};
use crate::view::{LintFile, SkillContext, SkillView};
use skillc_domain::format::is_markdown;
use skillc_domain::path::RelPath;
use std::collections::BTreeSet;

/// The Markdown files that are reachable from `SKILL.md`, including itself. A link to a folder leads to the Markdown
/// files directly in it. A path that does not exist relative to the linking file is resolved from the skill's root,
/// as agents do.
pub fn reached<'a>(view: &SkillView<'a>) -> BTreeSet<&'a RelPath> {
    let (mut reached, mut followed) = (BTreeSet::new(), BTreeSet::new());
    let mut open: Vec<&LintFile> = view.files.iter().filter(|file| file.is_skill_md()).collect();
    reached.extend(open.iter().map(|file| &file.path));
    while let Some(file) = open.pop() {
        let links = file.markup.iter().flat_map(|markup| &markup.links);
        for path in links.filter_map(|link| destination(view.context, &link.target, &file.path)) {
            if followed.insert(path.clone()) {
                open.extend(files_at(view, &path).into_iter().filter(|found| reached.insert(&found.path)));
            }
        }
    }
    reached
}

/// The file or folder that a link in the file at `from` leads to.
pub fn destination(context: &SkillContext, written: &str, from: &RelPath) -> Option<RelPath> {
    let inside = |from: &RelPath| match target(written, from) {
        LinkTarget::Inside(path, _) => Some(path),
        LinkTarget::Anchor(_) | LinkTarget::Escapes(_) | LinkTarget::External => None,
    };
    let is_there = |path: &RelPath| context.has_file(path) || context.has_folder(path);
    inside(from).filter(is_there).or_else(|| inside(&RelPath::default()).filter(is_there))
}

/// The Markdown file at a path, or those directly in the folder there.
pub fn files_at<'a>(view: &SkillView<'a>, path: &RelPath) -> Vec<&'a LintFile> {
    if let Some(file) = view.file(path) {
        return if is_markdown(path) { vec![file] } else { Vec::new() };
    }
    // In path order, the files of a folder are adjacent.
    let files = view.files;
    let start = if path.is_root() {
        0
    } else {
        files.partition_point(|file| file.path.as_str() < format!("{path}/").as_str())
    };
    let within = files[start..].iter().take_while(|file| file.path.below(path).is_some());
    within
        .filter(|file| {
            is_markdown(&file.path) && file.path.below(path).is_some_and(|rest| !rest.contains('/'))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillc_domain::markup::{Link, LinkKind, Markup};
    use skillc_domain::rule_settings::LintSettings;
    use skillc_domain::survey::{Stamp, Survey, SurveyedFile};

    fn file(path: &str, links: &[&str]) -> LintFile {
        let link = |target: &&str| Link {
            kind: LinkKind::Inline,
            target: (*target).to_owned(),
            text: String::new(),
            title: String::new(),
            span: 0..0,
            target_span: None,
        };
        let markup = is_markdown(&RelPath::parse(path).unwrap())
            .then(|| Markup { links: links.iter().map(link).collect(), ..Markup::default() });
        LintFile { path: RelPath::parse(path).unwrap(), markup, ..LintFile::default() }
    }

    /// RFC-0008:C-REGISTRY
    #[test]
    fn links_are_followed_through_files_and_folders() {
        let mut files = vec![
            file("SKILL.md", &["a.md#x", "docs/", "none.md", "run.py"]),
            file("a.md", &["./b.md", "SKILL.md"]),
            file("b.md", &["references/r.md"]),
            file("docs/d.md", &["references/s.md", "{baseDir}/t.md"]),
            file("docs/deep/e.md", &[]),
            file("docs-2.md", &[]),
            file("references/r.md", &[]),
            file("references/s.md", &[]),
            file("run.py", &["lost.md"]),
            file("t.md", &[]),
            file("lost.md", &["a.md"]),
        ];
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let surveyed = |file: &LintFile| SurveyedFile { path: file.path.clone(), stamp: Stamp::default() };
        let survey = Survey { files: files.iter().map(surveyed).collect(), ..Survey::default() };
        let folders = ["docs", "docs/deep", "references"].map(|path| RelPath::parse(path).unwrap()).to_vec();
        let context = SkillContext {
            folder: "demo".into(),
            parent: "skills".into(),
            survey,
            folders,
            file_names: Default::default(),
            outside: Default::default(),
            settings: LintSettings::default(),
        };
        let found: Vec<_> = reached(&SkillView { context: &context, files: &files })
            .into_iter()
            .map(RelPath::as_str)
            .collect();
        assert_eq!(
            found,
            ["SKILL.md", "a.md", "b.md", "docs/d.md", "references/r.md", "references/s.md", "t.md"]
        );
    }
}
