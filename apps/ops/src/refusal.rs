//! Faults for skills that may not be loaded.

use skillc_domain::discovery::policy::TOOL;
use skillc_domain::discovery::settings::PermissionRule;
use skillc_domain::fault::Fault;
use std::path::Path;

/// E073: all skills are disabled.
pub fn off(given: &str) -> Fault {
    Fault::SkillDisabled { skill: given.to_owned(), setting: "skills.enabled = false".to_owned() }
}

/// E073: the skill is disabled by name.
pub fn disabled(name: &str) -> Fault {
    Fault::SkillDisabled { skill: name.to_owned(), setting: "skills.disabled".to_owned() }
}

/// E072: a rule denies the skill.
pub fn denied(name: &str, rule: &PermissionRule) -> Fault {
    Fault::SkillDenied { skill: name.to_owned(), rule: format!("permissions.deny {}", shown(rule)) }
}

/// E074: the skill needs consent.
pub fn consent(name: &str, rule: &PermissionRule) -> Fault {
    Fault::ConsentNeeded { skill: name.to_owned(), rule: format!("permissions.confirm {}", shown(rule)) }
}

/// E076: the skill cannot be read.
pub fn unreadable(path: &Path, message: impl Into<String>) -> Fault {
    Fault::SkillUnreadable { path: path.to_path_buf(), message: message.into() }
}

/// A rule as its name pattern.
fn shown(rule: &PermissionRule) -> String {
    let pattern = rule.skill_name.as_deref().unwrap_or("*");
    format!("'{}:{pattern}'", rule.tool.as_deref().unwrap_or(TOOL))
}
