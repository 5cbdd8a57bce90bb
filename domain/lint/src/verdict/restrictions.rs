//! Fields that restrict when a skill runs or with what permissions. A client that does not support one runs the skill
//! without the restriction.

use crate::verdict::profile::{Compatibility, Profile, SkillMdFacts};
use crate::verdict::reading::{Case, Field};

/// Adds a reason for each restriction that a client does not support.
pub fn judge(profile: &Profile, facts: &SkillMdFacts<'_>, case: &mut Case) {
    for (key, is_set) in RESTRICTIONS {
        if profile.fields.contains(key) {
            continue;
        }
        let (Field::Text(_, at) | Field::Other(_, at)) = facts.field(key) else { continue };
        if is_set(&facts.field(key)) {
            let message = format!("{key} is ignored; the skill is offered without it");
            case.add(Compatibility::Degraded, at, message);
        }
    }
}

/// Whether a value is a restriction.
type Restricts = fn(&Field<'_>) -> bool;

const RESTRICTIONS: &[(&str, Restricts)] = &[
    ("disable-model-invocation", |field| flag(field) == Some(true)),
    ("user-invocable", |field| flag(field) == Some(false)),
    ("context", |field| matches!(field, Field::Text("fork", _))),
    ("paths", |_| true),
    ("disallowed-tools", |_| true),
    ("hooks", |_| true),
];

/// Parses a boolean in any spelling that a client accepts (Claude Code 2.1.218).
pub fn flag(field: &Field<'_>) -> Option<bool> {
    let Field::Text(text, _) = field else { return None };
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}
