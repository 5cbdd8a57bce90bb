//! The skills of a plugin.

use crate::app::App;
use crate::catalog::refused;
use crate::failure::Failure;
use crate::lint::chosen::below;
use crate::resolve::resolve_to_name;
use crate::stores::folders_of;
use skillc_domain::frontmatter::Node;
use skillc_domain::listing::Scope;
use skillc_domain::places::SKILL_FILE;
use skillc_lint::plugin::{PluginSkill, SkillFolder};
use skillc_lint::verdict::find;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folder in which most clients look.
const SKILLS: &str = "skills";

/// The skills below `skills` and those of the project's stores, by path and without duplicates.
pub(super) fn skills(
    app: &App,
    root: &Path,
    is_project: bool,
) -> Result<Vec<(SkillFolder, PluginSkill)>, Failure> {
    // Keyed by canonical folder. If two paths lead to one, the first counts, which is the one through `skills`.
    let mut paths: BTreeMap<PathBuf, String> = BTreeMap::new();
    let mut add = |path: &Path| {
        let Some(relative) = relative(root, path) else { return };
        let real = app.ports.stores.real_path(path);
        if real.starts_with(root) {
            paths.entry(real).or_insert(relative);
        }
    };
    let folder = root.join(SKILLS);
    let real = app.ports.stores.real_path(&folder);
    if real.starts_with(root) {
        for skill in below(app, &real) {
            let inner = skill.path.strip_prefix(&real).unwrap_or(&skill.path);
            add(&folder.join(inner));
        }
    }
    if is_project {
        for folder in folders_of(app, Scope::Project)? {
            // Hidden skills are not shown to agents.
            if resolve_to_name(app, &folder.to_string_lossy()).is_ok() {
                add(&folder);
            }
        }
    }
    let folder = |(real, path): (PathBuf, String)| {
        let skill = skill(app, &real, path.clone())?;
        Some((SkillFolder { path, real: relative(root, &real)? }, skill))
    };
    let mut skills: Vec<_> = paths.into_iter().filter_map(folder).collect();
    skills.sort_by(|(a, _), (b, _)| a.path.cmp(&b.path));
    Ok(skills)
}

/// A path relative to the plugin, with `/`.
fn relative(root: &Path, path: &Path) -> Option<String> {
    let parts = path.strip_prefix(root).ok()?.components();
    let parts: Vec<String> =
        parts.map(|part| part.as_os_str().to_str().map(str::to_owned)).collect::<Option<_>>()?;
    Some(parts.join("/"))
}

fn skill(app: &App, folder: &Path, path: String) -> Option<PluginSkill> {
    let text = refused::text(app, &folder.join(SKILL_FILE))?;
    let front = app.ports.reader.front_matter(&text).ok().flatten().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default().to_owned();
    let flaws = match find("spec") {
        Some(profile) => refused::verdict(app, profile, &name, &text).reasons,
        None => Vec::new(),
    };
    let written = front.get("name").and_then(Node::text).map_or(name, str::to_owned);
    Some(PluginSkill { path, name: written, flaws: flaws.into_iter().map(|reason| reason.message).collect() })
}
