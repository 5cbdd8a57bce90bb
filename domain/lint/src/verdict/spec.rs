//! The specification's verdict: valid or invalid.
//!
//! Follows the text of the specification. Where that is silent, the reference validator `skills-ref` decides: a field
//! beyond the six is an error, letters of every script are allowed, and a byte order mark hides the front matter.
//! Where the validator is stricter only because of the YAML dialect that it reads (no flow style, no `---` inside a
//! value), the text decides; RFC-0008 lists each difference.

use crate::verdict::name::{Letters, flaws, hyphen_flaw, mismatch};
use crate::verdict::profile::{Compatibility, Profile, SkillMdFacts, Verdict};
use crate::verdict::reading::{Case, Field, place, repeated_anywhere, too_long};
use skillc_domain::frontmatter::Value;

/// The fields of the specification.
pub const FIELDS: [&str; 6] =
    ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];

/// Maximum length of a description in characters (specification, `description` field).
pub const DESCRIPTION_CHARS_MAX: usize = 1024;

/// Maximum length of `compatibility` in characters (specification, `compatibility` field).
const COMPATIBILITY_CHARS_MAX: usize = 500;

/// The requirement that keys of a mapping are unique.
const YAML: &str = "https://yaml.org/spec/1.2.2/#3211-nodes";

const VALIDATOR: &str = "agentskills/agentskills skills-ref/src/skills_ref/validator.py (skills-ref 0.1.1)";

/// The Agent Skills specification.
pub static PROFILE: Profile = Profile {
    id: "spec",
    label: "Agent Skills specification",
    source: "https://agentskills.io/specification",
    fields: &[],
    judge,
};

fn judge(facts: &SkillMdFacts<'_>) -> Verdict {
    let mut case = Case::new(PROFILE.source);
    if facts.has_bom() {
        let message = "the file begins with a byte order mark, not with ---";
        case.add_from(VALIDATOR, Compatibility::Invalid, facts.bom(), message);
    }
    match facts.unread() {
        Some((message, at)) => case.add(Compatibility::Invalid, at, message),
        None => judge_fields(facts, &mut case),
    }
    case.close(Compatibility::Valid)
}

fn judge_fields(facts: &SkillMdFacts<'_>, case: &mut Case) {
    if let Some((key, at)) = facts.fields().and_then(|front| repeated_anywhere(&front.fields)) {
        case.add_from(YAML, Compatibility::Invalid, at, format!("field '{key}' is defined twice"));
    }
    judge_keys(facts, case);
    judge_name(facts, case);
    judge_description(facts, case);
    judge_compatibility(facts, case);
    for key in ["license", "allowed-tools"] {
        if let Field::Other(kind, at) = facts.field(key) {
            case.add(Compatibility::Invalid, at, format!("{key} is {kind}, not text"));
        }
    }
    judge_metadata(facts, case);
}

fn judge_keys(facts: &SkillMdFacts<'_>, case: &mut Case) {
    for (key, _) in facts.fields().into_iter().flat_map(|front| &front.fields) {
        match key.text() {
            Some(name) if FIELDS.contains(&name) => {}
            Some(name) => {
                let message = format!("field '{name}' is not in the specification");
                case.add_from(VALIDATOR, Compatibility::Invalid, key.span.clone(), message);
            }
            None => case.add(Compatibility::Invalid, key.span.clone(), "a field name is not text"),
        }
    }
}

fn judge_name(facts: &SkillMdFacts<'_>, case: &mut Case) {
    let Some((name, at)) = case.required(Compatibility::Invalid, facts, "name") else { return };
    let flaws = flaws(name, Letters::Any).into_iter();
    for flaw in flaws.chain(hyphen_flaw(name)).chain(mismatch(name, facts.folder)) {
        case.add(Compatibility::Invalid, at.clone(), flaw);
    }
}

fn judge_description(facts: &SkillMdFacts<'_>, case: &mut Case) {
    let Some((description, at)) = case.required(Compatibility::Invalid, facts, "description") else { return };
    if let Some(flaw) = too_long("description", description, DESCRIPTION_CHARS_MAX) {
        case.add(Compatibility::Invalid, at, flaw);
    }
}

fn judge_compatibility(facts: &SkillMdFacts<'_>, case: &mut Case) {
    match facts.field("compatibility") {
        Field::Missing => {}
        Field::Blank(at) => case.add(Compatibility::Invalid, at, "compatibility is empty"),
        Field::Other(kind, at) => {
            case.add(Compatibility::Invalid, at, format!("compatibility is {kind}, not text"))
        }
        Field::Text(text, at) => {
            if let Some(flaw) = too_long("compatibility", text, COMPATIBILITY_CHARS_MAX) {
                case.add(Compatibility::Invalid, at, flaw);
            }
        }
    }
}

/// Judges `metadata`. A number or boolean is accepted as text, since the validator reads every scalar as text.
fn judge_metadata(facts: &SkillMdFacts<'_>, case: &mut Case) {
    let Some(metadata) = facts.fields().and_then(|front| front.get("metadata")) else { return };
    let entries = match &metadata.value {
        Value::Map(entries) => entries,
        Value::Null => return,
        Value::List(_) => {
            return case.add(
                Compatibility::Invalid,
                metadata.span.clone(),
                "metadata is a list, not a mapping",
            );
        }
        Value::Scalar { .. } => {
            return case.add(
                Compatibility::Invalid,
                metadata.span.clone(),
                "metadata is text, not a mapping",
            );
        }
    };
    for (key, value) in entries {
        let kind = match value.value {
            Value::Null | Value::Scalar { .. } => continue,
            Value::List(_) => "a list",
            Value::Map(_) => "a mapping",
        };
        let message = format!("metadata '{}' is {kind}, not text", key.text().unwrap_or_default());
        case.add(Compatibility::Invalid, place(key, value).clone(), message);
    }
}
