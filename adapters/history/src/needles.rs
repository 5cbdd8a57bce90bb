//! Searches raw lines for what may concern a skill, so that most lines are never parsed.

use aho_corasick::AhoCorasick;
use std::sync::LazyLock;

/// Whatever concerns a skill has this word in a tool's name, a file's name, a folder or a tag.
static SKILL: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::builder().ascii_case_insensitive(true).build(["skill"]).ok());

/// Whether a line may concern a skill.
pub fn may_concern_skill(line: &[u8]) -> bool {
    SKILL.as_ref().is_none_or(|needle| needle.is_match(line))
}

/// Whether a working directory may be in a skill, so that relative paths on any line may concern it.
pub fn is_in_skill(cwd: &str) -> bool {
    may_concern_skill(cwd.as_bytes())
}

/// Whether a line holds these bytes.
pub fn holds(line: &[u8], needle: &str) -> bool {
    memchr::memmem::find(line, needle.as_bytes()).is_some()
}
