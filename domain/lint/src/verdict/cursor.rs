//! Cursor: what its documentation demands, and where that is silent, what the guide for clients advises.
//!
//! Its loader is not public. The guide (P2): a skill without description, or whose YAML cannot be read, is skipped; one
//! whose name is not its folder's, or too long, is loaded with a warning.

use super::name::{Letters, flaws, mismatch};
use super::reading::{Case, Field};
use super::{Profile, SkillMdFacts, Standing, Verdict, restrictions};

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
        case.add_from(GUIDE, Standing::Dropped, at, message);
        return case.close(Standing::Loads);
    }
    case.one_of_two(&PROFILE, facts);
    if let Some((name, at)) = case.required(Standing::Dropped, facts, "name") {
        for flaw in flaws(name, Letters::Ascii).into_iter().chain(mismatch(name, facts.folder)) {
            case.add(Standing::Degraded, at.clone(), flaw);
        }
    }
    case.required(Standing::Dropped, facts, "description");
    match facts.field("disable-model-invocation") {
        Field::Missing | Field::Blank(_) | Field::Text("true" | "false", _) => {}
        Field::Text(_, at) | Field::Other(_, at) => {
            case.add(Standing::Degraded, at, "disable-model-invocation is neither true nor false");
        }
    }
    restrictions::judge(&PROFILE, facts, &mut case);
    case.close(Standing::Loads)
}
