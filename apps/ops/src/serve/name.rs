//! The name under which a file of a skill is served, if it is.

use super::shelf::Shelf;
use crate::app::App;
use crate::resolve::Skill;
use skillc_domain::path::RelPath;

/// The name of a file among the resources; `None` for a skill or a file that is not served.
pub fn uri_of(app: &App, skill: &Skill, path: &RelPath) -> Option<String> {
    let shelf = Shelf::default();
    let all = shelf.served(app, &mut Vec::new()).ok()?;
    let served = all.into_iter().find(|served| served.skill.path == skill.path)?;
    let (_, survey) = shelf.files(app, &served).ok()?;
    survey.get(path).map(|_| served.uri(path))
}
