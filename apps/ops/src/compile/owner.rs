//! The skill from which a runtime was built, whose source may no longer exist.

use crate::app::App;
use crate::resolve::resolve_without_policy;
use crate::runtime::manifest;
use crate::skill::Skill;
use skillc_domain::listing::Scope;
use skillc_domain::name::SkillName;
use std::path::{Path, PathBuf};

/// The skill whose deployments a runtime may have, which need not exist any more. A manifest in a clone may name any
/// source, even one whose copies the user deployed, so only sources in the project count for it.
pub fn owner(app: &App, name: &str, scope: Scope, runtime: &Path) -> Option<Skill> {
    let built = built_from(app, name, scope, runtime)?;
    if scope == Scope::Global {
        return Some(built);
    }
    let stored = resolve_without_policy(app, name).ok().filter(|skill| skill.scope == Some(scope));
    stored.or_else(|| Some(built).filter(|skill| app.call.places.is_in_project(&skill.path)))
}

/// The skill that a runtime's manifest names.
pub fn built_from(app: &App, name: &str, scope: Scope, runtime: &Path) -> Option<Skill> {
    let path = PathBuf::from(manifest(app, runtime)?.source);
    let name = SkillName::parse(name).ok()?.as_str().to_owned();
    Some(Skill { given: name.clone(), name, path, scope: Some(scope), origin: None })
}
