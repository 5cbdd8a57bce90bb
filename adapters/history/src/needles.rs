//! Searches raw lines for text that may concern a skill, so that most lines are never parsed.

use memchr::memmem::{Finder, find};
use std::sync::LazyLock;

/// Every record about a skill contains "skill" in the name of a tool, file, folder or tag. The end of that word is
/// searched for in two spellings, which is several times faster than ignoring the case of each letter.
static SKILL_ENDS: LazyLock<[Finder<'static>; 2]> =
    LazyLock::new(|| [Finder::new("kill"), Finder::new("KILL")]);

/// Whether a line may concern a skill.
pub fn may_concern_skill(line: &[u8]) -> bool {
    let has_start = |at: usize| at > 0 && line[at - 1].eq_ignore_ascii_case(&b's');
    SKILL_ENDS.iter().any(|end| end.find_iter(line).any(has_start))
}

/// Whether a working directory may be in a skill, so that relative paths on any line may concern it.
pub fn is_in_skill(cwd: &str) -> bool {
    may_concern_skill(cwd.as_bytes())
}

/// Whether a line contains these bytes.
pub fn holds(line: &[u8], needle: &str) -> bool {
    find(line, needle.as_bytes()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_concerns_a_skill_in_any_usual_case() {
        for line in ["skill", "a Skill.", "/x/SKILL.md", "xskills", "kill a skill"] {
            assert!(may_concern_skill(line.as_bytes()), "{line}");
        }
        for line in ["", "kill", "to kill", "KILL", "skil", "s kill"] {
            assert!(!may_concern_skill(line.as_bytes()), "{line}");
        }
    }
}
