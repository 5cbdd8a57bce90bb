//! The URI of a file of a skill.

use super::served_skills::ServedSkills;
use crate::app::App;
use crate::skill::Skill;
use skillc_domain::path::RelPath;

/// The URI of a file as a resource; `None` for a skill or file that is not served.
pub fn uri_of(app: &App, skill: &Skill, path: &RelPath) -> Option<String> {
    let skills = ServedSkills::default();
    let list = skills.read(app).ok()?;
    let served = list.skills.values().find(|served| served.skill.path == skill.path)?;
    let (_, survey) = skills.files(app, served).ok()?;
    survey.get(path).map(|_| served.uri(path))
}
