//! Skills that ship with the program.

use crate::app::App;
use crate::shipped::folder_of;
use skillc_domain::discovery::extract::extract_builtin_skill_text;
use skillc_domain::discovery::skill::{CatalogSkill, Location, SkillKind, SkillScope};
use skillc_domain::frontmatter::body;
use skillc_domain::places::SKILL_FILE;

/// The built-in skills, with the paths to which they are written on first use.
pub fn skills(app: &App) -> impl Iterator<Item = CatalogSkill> {
    app.call.environment.builtin_skills.iter().map(|skill| {
        let dir = folder_of(app, skill);
        let path = dir.join(SKILL_FILE);
        let front_matter = app.ports.reader.front_matter(skill.text).ok().flatten().unwrap_or_default();
        let content = front_matter.required("description").unwrap_or_else(|_| body(skill.text));
        let (name, description) = extract_builtin_skill_text(skill.name, content);
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
