//! SKL408: bundled folders of installed packages or compiled modules.

use crate::installed::{cache_folder, package_folder};
use crate::one_line::one_line;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{IssueLocation, Report, SkillView};
use skillc_domain::path::RelPath;
use std::collections::BTreeMap;

pub static RULE: Rule = Rule {
    id: "SKL408",
    name: "installed-files",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("github/gitignore, Python.gitignore and Node.gitignore"),
    why: "Installed packages and compiled modules belong to one machine: they do not run elsewhere, cost every \
          download, and hide the skill's own files from reviewers. Their files are checked with `--distrust` only.",
    fix: "Remove the folder, name it in .gitignore, and say which packages to install.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[
        ("SKILL.md", crate::skill_md!("Run `pip install -r requirements.txt`, then `run.py`.\n")),
        ("requirements.txt", "requests==2.32.3\n"),
        ("run.py", "import requests\n"),
    ])],
    bad: &[Example::new(&[
        ("SKILL.md", crate::skill_md!("Run `node run.js`.\n")),
        ("run.js", "require('left');\n"),
        ("node_modules/left/index.js", "module.exports = 1;\n"),
        ("node_modules/left/README.md", "See [the guide](guide.md) in `/Users/annalee/left/`.\n"),
    ])],
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>, report: &mut Report<'_>) {
    let packages = counted(view, package_folder);
    for (folder, (first, count)) in &packages {
        let message = format!("'{}' holds {} that a package manager installs", one_line(folder), files(*count));
        report.elsewhere(first, IssueLocation::File, message);
    }
    let own_cache = |path| cache_folder(path).filter(|_| package_folder(path).is_none());
    let caches = counted(view, own_cache);
    if let Some((folder, (first, _))) = caches.first_key_value() {
        let count = caches.values().map(|(_, count)| count).sum();
        let message = format!("'{}' holds {} that Python compiles by itself", one_line(folder), files(count));
        report.elsewhere(first, IssueLocation::File, message).tier(Tier::Style);
    }
}

/// The first file of each folder, and its number of files.
fn counted<'a>(
    view: &SkillView<'a>,
    folder_of: impl Fn(&'a RelPath) -> Option<&'a str>,
) -> BTreeMap<&'a str, (&'a RelPath, usize)> {
    let mut folders = BTreeMap::new();
    for path in view.files.iter().map(|file| &file.path) {
        if let Some(folder) = folder_of(path) {
            folders.entry(folder).or_insert((path, 0)).1 += 1;
        }
    }
    folders
}

fn files(count: usize) -> String {
    if count == 1 { "a file".to_owned() } else { format!("{count} files") }
}
