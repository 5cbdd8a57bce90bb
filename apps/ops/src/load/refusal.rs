//! Why a skill is not loaded, in the words of the table.

use skillc_domain::discovery::policy::TOOL;
use skillc_domain::discovery::settings::PermissionRule;
use skillc_domain::fault::Fault;
use std::path::Path;

/// E073 where all skills are switched off.
pub fn off(given: &str) -> Fault {
    Fault::SkillDisabled { skill: given.to_owned(), setting: "skills.enabled = false".to_owned() }
}

/// E073 for one that is switched off by its name.
pub fn disabled(name: &str) -> Fault {
    Fault::SkillDisabled { skill: name.to_owned(), setting: "skills.disabled".to_owned() }
}

/// E072.
pub fn denied(name: &str, rule: &PermissionRule) -> Fault {
    Fault::SkillDenied { skill: name.to_owned(), rule: format!("permissions.deny {}", shown(rule)) }
}

/// E074.
pub fn consent(name: &str, rule: &PermissionRule) -> Fault {
    Fault::ConsentNeeded { skill: name.to_owned(), rule: format!("permissions.confirm {}", shown(rule)) }
}

/// E076.
pub fn unreadable(path: &Path, message: impl Into<String>) -> Fault {
    Fault::SkillUnreadable { path: path.to_string_lossy().into_owned(), message: message.into() }
}

/// A rule by the pattern that it holds names against.
fn shown(rule: &PermissionRule) -> String {
    let pattern = rule.skill_name.as_deref().unwrap_or("*");
    format!("'{}:{pattern}'", rule.tool.as_deref().unwrap_or(TOOL))
}
