//! Loads a skill into a context (RFC-0010:C-LOAD): selects it, asks for consent, and reads its text.

mod choose;
mod consent;
mod read;

pub use choose::{SkillSelector, at_path, choose, name_of, not_in_catalog};
pub use consent::{allowing, permitted};
pub use read::{SkillText, files_of, text_of};

use crate::app::App;
use skillc_domain::discovery::load::SkillRef;
use skillc_domain::discovery::skill::CatalogSkill;

/// Whether the session already has this version of a skill. Records that it has it from now on. `false` if the
/// session is unknown or cannot be recorded.
pub fn is_held(app: &App, skill: &CatalogSkill, reference: &SkillRef) -> bool {
    let Some(session) = &app.call.session else { return false };
    let path = skill.path.to_string_lossy();
    match app.ports.sessions.remember(session, &path, &reference.version, app.ports.clock.now()) {
        Ok(is_new) => !is_new,
        Err(error) => {
            app.call.detail(|| format!("session: {error}"));
            false
        }
    }
}
