//! Cursor: the requirements of its documentation and, where that is silent, the advice of the guide for clients.
//!
//! Its loader is not public. According to the guide (P2), a skill without a description or with invalid YAML is
//! skipped, and one whose name is too long or differs from its folder's is loaded with a warning.

use crate::verdict::name::{Letters, flaws, mismatch};
use crate::verdict::profile::{Compatibility, Profile, SkillMdFacts, Verdict};
use crate::verdict::reading::{Case, Field};
use crate::verdict::restrictions;

/// Cursor.
pub static PROFILE: Profile = Profile {
    id: "cursor",
    label: "Cursor",
    source: "https://cursor.com/docs/skills",
    fields: &["disable-model-invocation", "paths"],
    judge,
};

const GUIDE: &str = "agentskills/agentskills docs/client-implementation/adding-skills-support.mdx 69ef37e";

fn judge(facts: &SkillMdFacts<'_>) -> Verdict {
    let mut case = Case::new(PROFILE.source);
    if let Some((message, at)) = facts.unread() {
        case.add_from(GUIDE, Compatibility::Dropped, at, message);
        return case.close(Compatibility::Loads);
    }
    case.one_of_two(&PROFILE, facts);
    if let Some((name, at)) = case.required(Compatibility::Dropped, facts, "name") {
        for flaw in flaws(name, Letters::Ascii).into_iter().chain(mismatch(name, facts.folder)) {
            case.add(Compatibility::Degraded, at.clone(), flaw);
        }
    }
    case.required(Compatibility::Dropped, facts, "description");
    match facts.field("disable-model-invocation") {
        Field::Missing | Field::Blank(_) | Field::Text("true" | "false", _) => {}
        Field::Text(_, at) | Field::Other(_, at) => {
            case.add(Compatibility::Degraded, at, "disable-model-invocation is neither true nor false");
        }
    }
    restrictions::judge(&PROFILE, facts, &mut case);
    case.close(Compatibility::Loads)
}
