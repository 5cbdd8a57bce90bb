//! The sessions that read each section by its lines.

use std::collections::{BTreeSet, HashMap};

/// Numbers of sessions.
pub type Sessions = BTreeSet<u32>;

/// The sessions that read each section of a skill's files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SectionSessions {
    /// The number assigned to each session.
    numbers: HashMap<String, u32>,
    /// By file, then by heading.
    sections: HashMap<String, HashMap<String, Sessions>>,
}

impl SectionSessions {
    /// Records that a session read lines of a section.
    pub fn add(&mut self, session: &str, file: &str, heading: &str) {
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        let number = match self.numbers.get(session) {
            Some(number) => *number,
            None => *self.numbers.entry(session.to_owned()).or_insert(next),
        };
        let sections = self.sections.entry(file.to_owned()).or_default();
        sections.entry(heading.to_owned()).or_default().insert(number);
    }

    /// The sessions that read a section.
    pub fn of(&self, file: &str, heading: &str) -> Option<&Sessions> {
        self.sections.get(file)?.get(heading)
    }
}
