//! VS Code and GitHub Copilot: the requirements of their documentation.
//!
//! Copilot in VS Code, Copilot CLI and the cloud agent read the same folders with different loaders, and builds of VS
//! Code differ in what they tolerate. The verdict holds for all: a skill that loads according to it loads in each.

use crate::verdict::name::{Letters, flaws, mismatch};
use crate::verdict::profile::{Compatibility, Profile, SkillMdFacts, Verdict};
use crate::verdict::reading::{Case, Field, too_long};
use crate::verdict::restrictions::{self, flag};

/// VS Code and GitHub Copilot.
pub static PROFILE: Profile = Profile {
    id: "vscode",
    label: "VS Code / Copilot",
    source: "microsoft/vscode-docs docs/agent-customization/agent-skills.md (2026-05-28)",
    fields: &["argument-hint", "user-invocable", "disable-model-invocation", "context"],
    judge,
};

/// Truncates descriptions and removes tags from them.
const SERVICE: &str = "microsoft/vscode src/vs/workbench/contrib/chat/common/promptSyntax/service/promptsServiceImpl.ts 00eacc90";
/// Finds front matter at the first character only, and accepts only `true` and `false` as booleans.
const PARSER: &str =
    "microsoft/vscode src/vs/workbench/contrib/chat/common/promptSyntax/promptFileParser.ts d634789a";
/// Accepts a hint only as text (Copilot CLI 1.0.65).
const HINT: &str = "https://github.com/github/copilot-cli/issues/3929";
/// Maximum length of a description in characters (documentation).
const DESCRIPTION_CHARS_MAX: usize = 1024;

fn judge(facts: &SkillMdFacts<'_>) -> Verdict {
    let mut case = Case::new(PROFILE.source);
    if facts.has_bom() {
        case.add_from(
            PARSER,
            Compatibility::Dropped,
            facts.bom(),
            "the byte order mark hides the front matter",
        );
    } else if let Some((message, at)) = facts.unread() {
        case.add(Compatibility::Dropped, at, message);
    } else {
        case.one_of_two(&PROFILE, facts);
        judge_name(facts, &mut case);
        judge_description(facts, &mut case);
        judge_switches(facts, &mut case);
        restrictions::judge(&PROFILE, facts, &mut case);
    }
    case.close(Compatibility::Loads)
}

fn judge_name(facts: &SkillMdFacts<'_>, case: &mut Case) {
    let Some((name, at)) = case.required(Compatibility::Dropped, facts, "name") else { return };
    for flaw in flaws(name, Letters::Ascii).into_iter().chain(mismatch(name, facts.folder)) {
        case.add(Compatibility::Dropped, at.clone(), flaw);
    }
}

fn judge_description(facts: &SkillMdFacts<'_>, case: &mut Case) {
    let Some((description, at)) = case.required(Compatibility::Dropped, facts, "description") else { return };
    let cleaned = without_tags(description);
    if cleaned.len() < description.len() {
        case.add_from(
            SERVICE,
            Compatibility::Degraded,
            at.clone(),
            "text between < and > in description is removed",
        );
    }
    if let Some(flaw) = too_long("description", &cleaned, DESCRIPTION_CHARS_MAX) {
        case.add_from(SERVICE, Compatibility::Degraded, at, format!("{flaw}, and is truncated there"));
    }
}

fn judge_switches(facts: &SkillMdFacts<'_>, case: &mut Case) {
    if let Field::Other(kind, at) = facts.field("argument-hint") {
        case.add_from(HINT, Compatibility::Dropped, at, format!("argument-hint is {kind}, not text"));
    }
    for key in ["disable-model-invocation", "user-invocable"] {
        match facts.field(key) {
            Field::Missing | Field::Blank(_) | Field::Text("true" | "false", _) => {}
            Field::Text(_, at) | Field::Other(_, at) => {
                let message = format!("{key} is neither true nor false, and is ignored");
                case.add_from(PARSER, Compatibility::Degraded, at, message);
            }
        }
    }
    let hidden = facts.field("disable-model-invocation");
    if flag(&hidden) == Some(true)
        && let Field::Text("false", at) = facts.field("user-invocable")
    {
        case.add(Compatibility::Dropped, at, "neither the model nor the user can invoke it");
    }
}

/// A text without its `<…>` tags; an empty `<>` stays.
fn without_tags(text: &str) -> String {
    let (mut cleaned, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(open) = rest.find('<') {
        let Some(close) = rest[open + 1..].find('>') else { break };
        let end = if close == 0 { open + 1 } else { open + 1 + close + 1 };
        cleaned.push_str(if close == 0 { &rest[..end] } else { &rest[..open] });
        rest = &rest[end..];
    }
    cleaned + rest
}

#[cfg(test)]
mod tests {
    use super::without_tags;

    #[test]
    fn tags_are_what_stands_between_angle_brackets() {
        for (text, cleaned) in [
            ("a <b>c</b> d", "a c d"),
            ("1 < 2 > 0", "1  0"),
            ("a <> b", "a <> b"),
            ("<<x>", ""),
            ("<é>ü", "ü"),
            ("a < b", "a < b"),
        ] {
            assert_eq!(without_tags(text), cleaned, "{text}");
        }
    }
}
