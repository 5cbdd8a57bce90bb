//! Skills that ship with the program.

use crate::app::App;
use skillc_domain::discovery::extract::extract_builtin_skill_text;
use skillc_domain::discovery::skill::{CatalogSkill, Location, SkillKind, SkillScope};
use skillc_domain::frontmatter::body;
use skillc_domain::places::SKILL_FILE;
use std::path::PathBuf;

/// The built-in skills, with paths that name no file.
pub fn skills(app: &App) -> impl Iterator<Item = CatalogSkill> {
    app.call.environment.builtin_skills.iter().map(|skill| {
        let dir = PathBuf::from(format!("builtin:{}", skill.name));
        let path = dir.join(SKILL_FILE);
        let (name, description) = extract_builtin_skill_text(skill.name, body(skill.text));
        CatalogSkill {
            id: app.ports.files.digest(path.as_os_str().as_encoded_bytes()).hash16(),
            name,
            description,
            locations: vec![Location {
                path: path.clone(),
                scope: SkillScope::User,
                root: "builtin".to_owned(),
                is_stub: false,
            }],
            path,
            dir,
            scope: SkillScope::User,
            kind: SkillKind::Builtin,
            mtime_ms: 0,
            digest: app.ports.files.digest(skill.text.as_bytes()),
            flaws: Vec::new(),
        }
    })
}
