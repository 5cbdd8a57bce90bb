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

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0014:C-SLIM
    #[test]
    fn a_session_counts_once_for_each_section_that_it_read() {
        let mut sessions = SectionSessions::default();
        for (session, file, heading) in [
            ("s1", "a.md", "One"),
            ("s2", "a.md", "One"),
            ("s1", "a.md", "One"),
            ("s1", "b.md", "One"),
            ("s3", "a.md", "Two"),
        ] {
            sessions.add(session, file, heading);
        }
        let of = |file: &str, heading: &str| {
            sessions.of(file, heading).map(|s| s.iter().copied().collect::<Vec<_>>())
        };
        assert_eq!(of("a.md", "One"), Some(vec![0, 1]));
        assert_eq!((of("b.md", "One"), of("a.md", "Two")), (Some(vec![0]), Some(vec![2])));
        assert_eq!((of("b.md", "Two"), of("c.md", "One")), (None, None));
    }
}
