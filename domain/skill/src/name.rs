//! Names of skills. A name is one plain path segment, never a path.

use crate::fault::Fault;
use crate::limits::{PATH_SEGMENT_BYTES_MAX, SKILL_NAME_CHARS_MAX};
use std::fmt;

/// A name that is safe to append to a store's path: one segment, not hidden, no separator, no control character.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkillName(String);

impl SkillName {
    /// Parses a name for looking up an existing folder.
    ///
    /// # Errors
    /// E051 if the name could lead out of the folder that it is appended to.
    pub fn parse(raw: &str) -> Result<Self, Fault> {
        match flaw_of_segment(raw) {
            None => Ok(Self(raw.to_owned())),
            Some(message) => Err(Fault::InvalidName { name: raw.to_owned(), message: message.to_owned() }),
        }
    }

    /// Parses a name for a new skill: converts it to lower case, then applies SKL102, SKL103 and SKL112.
    ///
    /// # Errors
    /// E051 with the rule that the name violates.
    pub fn for_new(raw: &str) -> Result<Self, Fault> {
        let name = Self::parse(raw)?.0.to_lowercase();
        match flaw_of_new(&name) {
            None => Ok(Self(name)),
            Some(message) => Err(Fault::InvalidName { name: raw.to_owned(), message }),
        }
    }

    /// The name without its type, for paths and messages.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SkillName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn flaw_of_segment(raw: &str) -> Option<&'static str> {
    if raw.is_empty() {
        Some("it is empty")
    } else if raw.contains(['/', '\\']) {
        Some("it is a path; a name must be a plain folder name")
    } else if raw.starts_with('.') {
        Some("it begins with a dot")
    } else if raw.contains(':') {
        Some("it contains a colon")
    } else if raw.chars().any(char::is_control) {
        Some("it contains a control character")
    } else if raw.len() > PATH_SEGMENT_BYTES_MAX {
        Some("it is longer than 255 bytes")
    } else {
        None
    }
}

fn flaw_of_new(name: &str) -> Option<String> {
    let chars = name.chars().count();
    if chars > SKILL_NAME_CHARS_MAX {
        return Some(format!("it has {chars} characters, at most {SKILL_NAME_CHARS_MAX} are allowed"));
    }
    let bad = name.chars().find(|c| !matches!(c, 'a'..='z' | '0'..='9' | '-'));
    if let Some(c) = bad {
        return Some(format!("'{}' is not a lowercase letter, digit or hyphen", c.escape_debug()));
    }
    if name.starts_with('-') || name.ends_with('-') {
        return Some("it begins or ends with a hyphen".to_owned());
    }
    name.contains("--").then(|| "it has two hyphens in a row".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names are never paths.
    #[test]
    fn a_name_that_is_a_path_is_refused() {
        for raw in ["", ".", "..", "../x", "/abs", "a/b", "a\\b", "C:x", ".hidden", "a\0b", "a\nb"] {
            assert!(matches!(SkillName::parse(raw), Err(Fault::InvalidName { .. })), "{raw:?}");
        }
        assert_eq!(SkillName::parse("My Skill").unwrap().as_str(), "My Skill");
    }

    /// RFC-0006:C-INIT
    #[test]
    fn a_new_name_is_lowercased_and_held_to_the_format() {
        assert_eq!(SkillName::for_new("My-Skill2").unwrap().as_str(), "my-skill2");
        for raw in ["my_skill", "naïve", "a b", "x-", "-x", "a--b", &"a".repeat(65)] {
            assert!(SkillName::for_new(raw).is_err(), "{raw}");
        }
        assert!(SkillName::for_new(&"a".repeat(64)).is_ok());
    }

    #[test]
    fn a_name_has_at_most_the_bytes_of_a_path_segment() {
        assert!(SkillName::parse(&"a".repeat(255)).is_ok());
        assert!(SkillName::parse(&"a".repeat(256)).is_err());
    }

    /// RFC-0006:C-INIT
    #[test]
    fn a_refused_name_is_told_what_is_wrong_with_it() {
        for (raw, part) in [
            ("", "empty"),
            ("a/b", "a path"),
            (".a", "begins with a dot"),
            ("a:b", "a colon"),
            ("a\nb", "a control character"),
            (&"a".repeat(256), "longer than 255 bytes"),
            (&"a".repeat(65), "has 65 characters"),
            ("a_b", "'_' is not"),
            ("-a", "begins or ends with a hyphen"),
            ("a-", "begins or ends with a hyphen"),
            ("a--b", "two hyphens"),
        ] {
            let message = SkillName::for_new(raw).unwrap_err().to_string();
            assert!(message.contains(part), "{raw}: {message}");
        }
        assert_eq!(SkillName::parse("a b").unwrap().to_string(), "a b");
    }
}
