//! Claude Code: every field is optional, and only a reserved name keeps a skill out.
//!
//! Versions in brackets are those in the changelog of anthropics/claude-code.

use crate::verdict::profile::{Compatibility, Profile, SkillMdFacts, Verdict};
use crate::verdict::reading::{Case, Field, quoted};
use crate::verdict::restrictions::flag;
use crate::view::FrontMatterState;

/// Claude Code.
pub static PROFILE: Profile = Profile {
    id: "claude-code",
    label: "Claude Code",
    source: "https://code.claude.com/docs/en/skills",
    fields: &[
        "when_to_use",
        "argument-hint",
        "arguments",
        "disable-model-invocation",
        "user-invocable",
        "disallowed-tools",
        "model",
        "effort",
        "context",
        "background",
        "agent",
        "hooks",
        "paths",
        "shell",
        "display-name",
        "display_name",
        "displayName",
        "default-enabled",
        "default_enabled",
        "defaultEnabled",
        "fallback",
    ],
    judge,
};

/// [2.1.186]: unreadable front matter loads as a body with empty metadata.
const CHANGELOG: &str = "anthropics/claude-code CHANGELOG.md 2.1.240";
/// The release that refuses reserved names.
const RESERVED: &str = "https://github.com/anthropics/claude-code/releases/tag/v2.1.282";
/// Prefix of names reserved for Anthropic's skills [2.1.282].
const RESERVED_PREFIX: &str = "anthropic-skills:";
/// `skillListingMaxDescChars`: maximum length of description and when_to_use together, in characters.
const LISTING_CHARS_MAX: usize = 1536;

fn judge(facts: &SkillMdFacts<'_>) -> Verdict {
    let mut case = Case::new(PROFILE.source);
    match facts.front {
        // Nothing is lost: the folder's name and the first paragraph are used instead.
        FrontMatterState::None => {}
        FrontMatterState::Unclosed | FrontMatterState::Invalid(_) => {
            let (message, at) = facts.unread().unwrap_or_default();
            case.add_from(
                CHANGELOG,
                Compatibility::Degraded,
                at,
                format!("{message}; all of its fields are lost"),
            );
        }
        FrontMatterState::Fields(_) => judge_fields(facts, &mut case),
    }
    if matches!(facts.field("description"), Field::Missing | Field::Blank(_)) && facts.body.trim().is_empty()
    {
        case.add(Compatibility::Degraded, None, "description and first paragraph are missing");
    }
    case.close(Compatibility::Loads)
}

fn judge_fields(facts: &SkillMdFacts<'_>, case: &mut Case) {
    if let Field::Text(name, at) = facts.field("name")
        && name.starts_with(RESERVED_PREFIX)
    {
        let message = format!("name {} has the reserved prefix '{RESERVED_PREFIX}'", quoted(name));
        case.add_from(RESERVED, Compatibility::Dropped, at, message);
    }
    case.one_of_two(&PROFILE, facts);
    judge_listing(facts, case);
    judge_texts(facts, case);
    judge_switches(facts, case);
    judge_choices(facts, case);
}

fn judge_listing(facts: &SkillMdFacts<'_>, case: &mut Case) {
    let Field::Text(description, at) = facts.field("description") else { return };
    let added = match facts.field("when_to_use") {
        Field::Text(text, _) => text.chars().count(),
        Field::Missing | Field::Blank(_) | Field::Other(..) => 0,
    };
    let chars = description.chars().count() + added;
    if chars > LISTING_CHARS_MAX {
        let what = if added > 0 { "description and when_to_use have" } else { "description has" };
        let message = format!("{what} {chars} characters, and the listing shows {LISTING_CHARS_MAX}");
        case.add(Compatibility::Degraded, at, message);
    }
}

/// Fields that must be text. In fields that are not listed here, a list is as good as text.
fn judge_texts(facts: &SkillMdFacts<'_>, case: &mut Case) {
    for key in ["name", "description", "when_to_use", "argument-hint", "model", "agent"] {
        if let Field::Other(kind, at) = facts.field(key) {
            case.add(Compatibility::Degraded, at, format!("{key} is {kind}, not text"));
        }
    }
    for key in ["allowed-tools", "disallowed-tools", "arguments", "paths"] {
        if let Field::Other("a mapping", at) = facts.field(key) {
            case.add(Compatibility::Degraded, at, format!("{key} is a mapping, neither text nor a list"));
        }
    }
}

fn judge_switches(facts: &SkillMdFacts<'_>, case: &mut Case) {
    let switches = ["disable-model-invocation", "user-invocable", "background", "default-enabled"];
    for key in switches {
        let field = facts.field(key);
        if let Field::Text(_, at) | Field::Other(_, at) = &field
            && flag(&field).is_none()
        {
            case.add_from(CHANGELOG, Compatibility::Degraded, at.clone(), format!("{key} is not a boolean"));
        }
    }
    let user = facts.field("user-invocable");
    if flag(&facts.field("disable-model-invocation")) == Some(true)
        && flag(&user) == Some(false)
        && let Field::Text(_, at) = user
    {
        case.add(Compatibility::Dropped, at, "neither the model nor the user can invoke it");
    }
}

fn judge_choices(facts: &SkillMdFacts<'_>, case: &mut Case) {
    for (key, choices) in [
        ("effort", &["low", "medium", "high", "xhigh", "max"][..]),
        ("context", &["fork"]),
        ("shell", &["bash", "powershell"]),
    ] {
        match facts.field(key) {
            Field::Missing | Field::Blank(_) => {}
            Field::Text(text, _) if choices.contains(&text) => {}
            Field::Text(text, at) => {
                let message = format!("{key} {} is not one of {}", quoted(text), choices.join(", "));
                case.add(Compatibility::Degraded, at, message);
            }
            Field::Other(kind, at) => {
                case.add(Compatibility::Degraded, at, format!("{key} is {kind}, not text"))
            }
        }
    }
    if let Field::Text(_, at) = facts.field("agent")
        && !matches!(facts.field("context"), Field::Text("fork", _))
    {
        case.add(Compatibility::Degraded, at, "agent has no effect without context: fork");
    }
}
