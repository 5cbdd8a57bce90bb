//! Skills whose folder is the root of a project: only what `SKILL.md` leads to belongs to the skill.

use crate::mentions::{MentionIndex, TEXT_BYTES_MAX};
use crate::reachability::{destination, files_at};
use crate::view::{LintFile, SkillContext, SkillView};
use skillc_domain::path::RelPath;
use std::collections::BTreeSet;

/// Files that only the root of a project has.
const OF_PROJECTS: &[&str] = &["PKG-INFO", "mkdocs.yml"];
/// Manifests of a project, which scripts of a skill may have as well.
const MANIFESTS: &[&str] =
    &["Cargo.toml", "go.mod", "package.json", "pyproject.toml", "setup.cfg", "setup.py"];
/// Folders of a project that scripts of a skill rarely have.
const FOLDERS: &[&str] = &["docs", "lib", "packages", "src", "test", "tests"];
/// Number of modules next to `__init__.py` from which a folder is a library.
const MODULES_MIN: usize = 3;

/// Whether a skill's folder is the root of a project or of a library, and not in a folder of skills.
pub fn is_project_root(context: &SkillContext) -> bool {
    let has = |names: &[&str], is_there: &dyn Fn(&RelPath) -> bool| {
        names.iter().any(|name| RelPath::parse(name).is_ok_and(|path| is_there(&path)))
    };
    let has_file = |path: &RelPath| context.has_file(path);
    !context.parent.to_ascii_lowercase().contains("skill")
        && (has(OF_PROJECTS, &has_file)
            || has(MANIFESTS, &has_file) && has(FOLDERS, &|path| context.has_folder(path))
            || has(&["__init__.py"], &has_file) && modules(context) >= MODULES_MIN)
}

fn modules(context: &SkillContext) -> usize {
    let files = context.survey.files.iter().map(|file| &file.path);
    files.filter(|path| path.folder().is_empty() && path.extension() == Some("py")).count()
}

/// The files that `SKILL.md` leads to, including itself: by links and mentions in texts that it leads to, and in scripts
/// that these name. Files that are not followed lead to nothing.
pub fn led_to<'a>(view: &SkillView<'a>, is_followed: impl Fn(&RelPath) -> bool) -> BTreeSet<&'a RelPath> {
    let mut mentions = MentionIndex::of(&view.context.folder, view.files.iter().map(|file| &file.path));
    let mut open: Vec<&LintFile> = view.files.iter().filter(|file| file.is_skill_md()).collect();
    let mut led: BTreeSet<&RelPath> = open.iter().map(|file| &file.path).collect();
    while let Some(file) = open.pop() {
        let text = file.text.as_deref().filter(|text| text.len() <= TEXT_BYTES_MAX).unwrap_or_default();
        let links = file.markup.iter().flat_map(|markup| &markup.links);
        let targets = links.filter_map(|link| destination(view.context, &link.target, &file.path));
        let linked = targets.flat_map(|path| {
            let own = view.file(&path);
            files_at(view, &path).into_iter().chain(own)
        });
        let all: Vec<&RelPath> =
            linked.map(|file| &file.path).chain(mentions.in_text(&file.path, text)).collect();
        let new = all.into_iter().filter(|path| led.insert(path)).filter_map(|path| view.file(path));
        // The modules of a library name each other; those that a script names are enough.
        open.extend(
            new.filter(|new| (file.markup.is_some() || new.markup.is_some()) && is_followed(&new.path)),
        );
    }
    led
}
