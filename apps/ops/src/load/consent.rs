//! Decides whether a skill may be loaded, by the policy and by asking at the terminal.

use crate::app::App;
use crate::policy::{is_final, refusal_of_name};
use crate::run::Run;
use crate::settings_file::{Whose, change};
use glob::Pattern;
use skillc_domain::discovery::policy::TOOL;
use skillc_domain::discovery::settings::PermissionRule;
use skillc_domain::discovery::skill::CatalogSkill;
use skillc_domain::fault::Fault;
use skillc_ports::{Consent, SettingsChange};

/// Permits loading a skill, or returns the reason why not. Its folder's name may be denied or disabled as well;
/// consent applies to its own name. Permanent consent becomes a rule in the user's own file.
///
/// # Errors
/// E072, E073, E074.
pub fn permitted(run: &mut Run<'_>, skill: &CatalogSkill) -> Result<(), Fault> {
    let app = run.app;
    let name = skill.name.as_str();
    if let Some(refusal) = refusal_of_name(app, &skill.name_of_place()).filter(is_final) {
        return Err(refusal);
    }
    let needed = match refusal_of_name(app, name) {
        None => return Ok(()),
        Some(refusal) if is_final(&refusal) => return Err(refusal),
        Some(needed) => needed,
    };
    match ask(app, name) {
        Consent::Denied => Err(needed),
        Consent::Once => Ok(()),
        Consent::Always => {
            if let Err(failure) = change(app, Whose::User, &allowing(name)) {
                run.part_failed(failure);
            }
            Ok(())
        }
    }
}

/// Asks for consent. An agent is never asked, since the consent is about the agent itself.
fn ask(app: &App, name: &str) -> Consent {
    match app.call.is_agent() {
        true => Consent::Denied,
        false => app.call.consent.ask(&format!("Load the skill '{name}'?")),
    }
}

/// The rule that permits loading the skill with this name.
pub fn allowing(name: &str) -> SettingsChange {
    let skill_name = Some(Pattern::escape(name));
    SettingsChange::Allow(PermissionRule { tool: Some(TOOL.to_owned()), skill_name })
}
