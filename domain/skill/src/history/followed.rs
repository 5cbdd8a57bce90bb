//! Finds out which of a skill's files were opened or run in the sessions that used the skill.

use super::HistoryKind;
use crate::event::AccessEvent;
use crate::places::SKILL_FILE;
use crate::proof::share;
use std::collections::{BTreeMap, BTreeSet};

/// The steps of a skill that histories can show, with the sessions that carried out each of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepTally {
    steps: BTreeMap<String, BTreeSet<String>>,
    sessions: BTreeSet<String>,
}

impl StepTally {
    /// Makes a tally whose steps are these files.
    pub fn of(files: impl IntoIterator<Item = String>) -> Self {
        Self { steps: files.into_iter().map(|file| (file, BTreeSet::new())).collect(), ..Self::default() }
    }

    /// Counts an event of the skill. Failures and offers are not steps.
    pub fn add(&mut self, event: &AccessEvent) {
        let Some(kind) = HistoryKind::from_word(&event.command).filter(|_| event.error.is_none()) else {
            return;
        };
        let file = match kind {
            HistoryKind::Chosen | HistoryKind::Requested => SKILL_FILE,
            HistoryKind::Read | HistoryKind::Ran => event.file.as_deref().unwrap_or_default(),
            HistoryKind::Searched => "",
            HistoryKind::Offered | HistoryKind::Failed => return,
        };
        self.sessions.insert(event.run_id.clone());
        if let Some(step) = self.steps.get_mut(file) {
            step.insert(event.run_id.clone());
        }
    }

    /// Number of sessions that used the skill.
    pub fn sessions(&self) -> usize {
        self.sessions.len()
    }

    /// Each file with the number of sessions that opened or ran it, sorted by path.
    pub fn steps(&self) -> impl Iterator<Item = (&str, usize)> {
        self.steps.iter().map(|(file, sessions)| (file.as_str(), sessions.len()))
    }

    /// The share of steps that a session carried out, on average; `None` without sessions or steps.
    pub fn share(&self) -> Option<f64> {
        let carried_out = self.steps.values().map(BTreeSet::len).sum();
        share(carried_out, self.steps.len() * self.sessions.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(session: &str, command: &str, file: Option<&str>, is_failed: bool) -> AccessEvent {
        AccessEvent {
            run_id: session.to_owned(),
            command: command.to_owned(),
            file: file.map(str::to_owned),
            error: is_failed.then(|| "failed".to_owned()),
            ..AccessEvent::default()
        }
    }

    /// RFC-0016:C-PROVE
    #[test]
    fn a_step_counts_once_in_each_session_that_carried_it_out() {
        let mut tally = StepTally::of(["scripts/run.py".to_owned(), "references/a.md".to_owned()]);
        assert_eq!(tally.share(), None, "no data");
        for event in [
            event("s1", "chosen", None, false),
            event("s1", "ran", Some("scripts/run.py"), false),
            event("s1", "ran", Some("scripts/run.py"), false),
            event("s2", "read", Some("SKILL.md"), false),
            event("s2", "read", Some("references/a.md"), true),
            event("s3", "offered", None, false),
            event("s4", "show", Some("references/a.md"), false),
        ] {
            tally.add(&event);
        }
        assert_eq!(tally.sessions(), 2);
        assert_eq!(tally.steps().collect::<Vec<_>>(), [("references/a.md", 0), ("scripts/run.py", 1)]);
        assert_eq!(tally.share(), Some(0.25));
    }

    /// RFC-0016:C-PROVE
    #[test]
    fn a_loaded_skill_has_its_skill_md_opened_and_a_search_opens_nothing() {
        let counts = |command: &str, file: Option<&str>| {
            let mut tally = StepTally::of(["SKILL.md".to_owned(), String::new()]);
            tally.add(&event("s", command, file, false));
            let steps: Vec<usize> = tally.steps().map(|(_, sessions)| sessions).collect();
            (tally.sessions(), steps[1])
        };
        for (command, expected) in [
            ("chosen", (1, 1)),
            ("requested", (1, 1)),
            ("searched", (1, 0)),
            ("offered", (0, 0)),
            ("failed", (0, 0)),
        ] {
            assert_eq!(counts(command, None), expected, "{command}");
        }
        assert_eq!(counts("read", Some("SKILL.md")), (1, 1));
    }
}
