//! The table of diagnostics: every error and warning that users can see, each with its code.
//!
//! A row has a variant, its fields, the message, the hint, and the text of `skc explain`. The message states the
//! fact. The hint is an edit or action that its reader can perform now. If a message names commands, it has a second
//! text for agents. A test compares `rfc/0005-diagnostics.md` with this table.

use crate::reader::{Reader, Wording, about_argument};

#[macro_use]
mod row;
mod errors;
mod warnings;

pub use errors::{EVERY_SKILL, FAULTS, Fault, TRASH_IS_EMPTY};
pub use row::Row;
pub use warnings::{WARNINGS, Warning};

impl Fault {
    /// An E100 with this message, and a hint at the help.
    pub fn invalid_option(message: impl Into<Wording>) -> Self {
        Self::refused_option(message, "")
    }

    /// An E100 with this message, and a hint that says what to do.
    pub fn refused_option(message: impl Into<Wording>, advice: impl Into<Wording>) -> Self {
        Self::InvalidOption { message: message.into(), advice: advice.into(), suggestions: String::new() }
    }

    /// An E100 for a cursor that no answer gave.
    pub fn unknown_cursor(message: impl Into<Wording>) -> Self {
        Self::refused_option(message, "leave out the cursor to begin from the start")
    }

    /// An E001 without suggestions.
    pub fn no_such_skill(skill: &str) -> Self {
        Self::SkillNotFound {
            skill: skill.to_owned(),
            single_file: String::new(),
            suggestions: String::new(),
        }
    }

    /// An E100 about one argument, such as `invalid_argument("limit", "must be at least 1, got 0")`.
    pub fn invalid_argument(name: &str, rest: impl AsRef<str>) -> Self {
        Self::invalid_option(about_argument(name, rest.as_ref()))
    }

    /// An E100 for an unknown name or value, with the suggestions of `suggest::list`.
    pub fn unknown_option(message: impl Into<Wording>, suggestions: String) -> Self {
        Self::InvalidOption { message: message.into(), advice: "".into(), suggestions }
    }

    /// Adds the hint of an E100 that suggests no names.
    #[must_use]
    pub fn or_advise(self, advice: impl Into<Wording>) -> Self {
        match self {
            Self::InvalidOption { message, suggestions, .. } => {
                Self::InvalidOption { message, advice: advice.into(), suggestions }
            }
            other => other,
        }
    }

    /// The canonical line, `error[E001]: …` (RFC-0005:C-CODES).
    pub fn line(&self) -> String {
        self.line_to(Reader::Person)
    }

    /// The canonical line, worded for a reader.
    pub fn line_to(&self, to: Reader) -> String {
        format!("error[{}]: {}", self.code(), self.message(to))
    }

    /// The paths of skills that share a name, as data for a caller that must choose one.
    pub fn candidates(&self) -> Vec<&str> {
        match self {
            Self::SkillAmbiguous { candidates, .. } => {
                candidates.lines().map(|line| line.trim_start_matches("  - ")).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Warning {
    /// The canonical line, `warning[W001]: …` (RFC-0005:C-CODES).
    pub fn line(&self) -> String {
        self.line_to(Reader::Person)
    }

    /// The canonical line, worded for a reader.
    pub fn line_to(&self, to: Reader) -> String {
        format!("warning[{}]: {}", self.code(), self.message(to))
    }
}

impl std::error::Error for Fault {}

#[cfg(test)]
mod tests;
