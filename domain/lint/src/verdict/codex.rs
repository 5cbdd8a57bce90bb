//! Codex: strict serde_yaml into a struct of `name`, `description` and `metadata`.
//!
//! The struct accepts any scalar as text and ignores all other fields, so types and unknown fields do no harm. A
//! list, a repeated `name`, or invalid YAML makes it drop the skill. Newer builds quote such lines and try again; the
//! verdict is the one that holds for all builds.

use crate::verdict::profile::{Compatibility, Profile, SkillMdFacts, Verdict};
use crate::verdict::reading::{Case, Field, repeated_keys, too_long};
use crate::verdict::restrictions;
use skillc_domain::frontmatter::Value;

/// Codex.
pub static PROFILE: Profile = Profile {
    id: "codex",
    label: "Codex",
    source: "openai/codex codex-rs/core-skills/src/loader.rs c9d127cf",
    fields: &[],
    judge,
};

/// Fields of the struct; repeating one is an error.
const FIELDS: [&str; 3] = ["name", "description", "metadata"];
/// `MAX_NAME_LEN`, in characters after collapsing white space.
const NAME_CHARS_MAX: usize = 64;
/// `MAX_DESCRIPTION_LEN`, in characters after collapsing white space.
const DESCRIPTION_CHARS_MAX: usize = 1024;
/// `MAX_SHORT_DESCRIPTION_LEN`.
const SHORT_DESCRIPTION_CHARS_MAX: usize = DESCRIPTION_CHARS_MAX;

fn judge(facts: &SkillMdFacts<'_>) -> Verdict {
    let mut case = Case::new(PROFILE.source);
    if facts.has_bom() {
        case.add(Compatibility::Dropped, facts.bom(), "the byte order mark hides the front matter");
    } else if let Some((message, at)) = facts.unread() {
        case.add(Compatibility::Dropped, at, message);
    } else {
        judge_fields(facts, &mut case);
    }
    case.close(Compatibility::Loads)
}

fn judge_fields(facts: &SkillMdFacts<'_>, case: &mut Case) {
    for (key, at) in facts.repeated_keys().into_iter().filter(|(key, _)| FIELDS.contains(key)) {
        case.add(Compatibility::Dropped, at, format!("field '{key}' is defined twice"));
    }
    judge_name(facts, case);
    if let Some((description, at)) = case.required(Compatibility::Dropped, facts, "description")
        && let Some(flaw) = too_long("description", &one_line(description), DESCRIPTION_CHARS_MAX)
    {
        case.add(Compatibility::Dropped, at, flaw);
    }
    judge_metadata(facts, case);
    restrictions::judge(&PROFILE, facts, case);
}

/// Judges the name. The folder's name replaces a missing or blank one.
fn judge_name(facts: &SkillMdFacts<'_>, case: &mut Case) {
    let (name, at) = match facts.field("name") {
        Field::Text(name, at) => (name, Some(at)),
        Field::Missing | Field::Blank(_) => (facts.folder, None),
        Field::Other(kind, at) => {
            return case.add(Compatibility::Dropped, at, format!("name is {kind}, not text"));
        }
    };
    if let Some(flaw) = too_long("name", &one_line(name), NAME_CHARS_MAX) {
        case.add(Compatibility::Dropped, at, flaw);
    }
}

fn judge_metadata(facts: &SkillMdFacts<'_>, case: &mut Case) {
    let Some(metadata) = facts.fields().and_then(|front| front.get("metadata")) else { return };
    let at = metadata.span.clone();
    match &metadata.value {
        // An empty block is an empty struct to serde_yaml; an explicit `~` or `null` is not.
        Value::Null if at.is_empty() => {}
        Value::Null => case.add(Compatibility::Dropped, at, "metadata is null, not a mapping"),
        Value::Scalar { .. } => case.add(Compatibility::Dropped, at, "metadata is text, not a mapping"),
        Value::List(_) => case.add(Compatibility::Dropped, at, "metadata is a list, not a mapping"),
        Value::Map(entries) => {
            for (key, at) in repeated_keys(entries).into_iter().filter(|(key, _)| *key == "short-description")
            {
                case.add(Compatibility::Dropped, at, format!("metadata '{key}' is defined twice"));
            }
            let short = entries.iter().find(|(key, _)| key.text() == Some("short-description"));
            if let Some((_, short)) = short {
                judge_short_description(&short.value, short.span.clone(), case);
            }
        }
    }
}

fn judge_short_description(value: &Value, at: std::ops::Range<usize>, case: &mut Case) {
    const WHAT: &str = "metadata 'short-description'";
    match value {
        Value::Null => {}
        Value::List(_) => case.add(Compatibility::Dropped, at, format!("{WHAT} is a list, not text")),
        Value::Map(_) => case.add(Compatibility::Dropped, at, format!("{WHAT} is a mapping, not text")),
        Value::Scalar { text, .. } => {
            if let Some(flaw) = too_long(WHAT, &one_line(text), SHORT_DESCRIPTION_CHARS_MAX) {
                case.add(Compatibility::Dropped, at, flaw);
            }
        }
    }
}

/// A text as Codex stores it, with runs of white space collapsed to one space.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
