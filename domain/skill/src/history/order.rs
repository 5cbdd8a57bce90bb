//! Counts the order in which the files of a skill are read.

use super::HistoryKind;
use super::imported::{HistoryDetails, imported};
use crate::event::AccessEvent;
use crate::places::SKILL_FILE;
use crate::usage::UsageFilter;
use std::collections::BTreeMap;

/// How often one file of a skill was read after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadingStep {
    /// Name of the skill.
    pub skill: String,
    /// Its canonical path; empty if unknown.
    pub skill_path: String,
    /// The file read before; `None` at the start of a session.
    pub from: Option<String>,
    /// The file read next.
    pub to: String,
    /// Number of occurrences.
    pub count: u64,
}

/// The file that an event read. Loading a skill reads its SKILL.md.
fn file_of(kind: HistoryKind, event: &AccessEvent) -> Option<&str> {
    match kind {
        _ if event.is_supplement || event.error.is_some() => None,
        HistoryKind::Chosen | HistoryKind::Requested => Some(SKILL_FILE),
        HistoryKind::Read => event.file.as_deref(),
        HistoryKind::Offered | HistoryKind::Ran | HistoryKind::Searched | HistoryKind::Failed => None,
    }
}

/// Skill, its path, the file read before, and the file read next.
type Step<'a> = (&'a str, &'a str, Option<&'a str>, &'a str);

/// Counts steps. Every store must compute the same. Reads are ordered by time, then by log position; reading another
/// part of the same file is not a step. Sorted by skill and path, then by frequency, highest first.
pub fn reading_steps<'a>(
    events: impl IntoIterator<Item = &'a AccessEvent>,
    filter: &UsageFilter,
    details: &dyn Fn(&AccessEvent) -> HistoryDetails,
) -> Vec<ReadingStep> {
    let mut reads: Vec<_> = imported(events, filter, details)
        .filter_map(|(kind, event, HistoryDetails { agent, .. })| {
            let session = (event.skill.as_str(), event.skill_path.as_str(), agent, event.run_id.as_str());
            Some((session, event.timestamp.known(), file_of(kind, event)?))
        })
        .collect();
    reads.sort_by(|one, other| (&one.0, one.1).cmp(&(&other.0, other.1)));
    let mut counts: BTreeMap<Step<'_>, u64> = BTreeMap::new();
    for (at, (session, _, to)) in reads.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| &reads[at]).filter(|before| before.0 == *session);
        let from = before.map(|before| before.2);
        if from != Some(*to) {
            *counts.entry((session.0, session.1, from, to)).or_default() += 1;
        }
    }
    let step = |((skill, path, from, to), count): (Step<'_>, u64)| ReadingStep {
        skill: skill.to_owned(),
        skill_path: path.to_owned(),
        from: from.map(str::to_owned),
        to: to.to_owned(),
        count,
    };
    let mut steps: Vec<ReadingStep> = counts.into_iter().map(step).collect();
    sort_steps(&mut steps);
    steps
}

/// Sorts by skill and path, then by frequency, highest first.
pub fn sort_steps(steps: &mut [ReadingStep]) {
    steps.sort_by(|one, other| {
        let key = (&one.skill, &one.skill_path, other.count, &one.from, &one.to);
        key.cmp(&(&other.skill, &other.skill_path, one.count, &other.from, &other.to))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::EventTime;
    use crate::time::Timestamp;

    fn event(session: &str, at_s: i64, command: &str, file: &str) -> AccessEvent {
        AccessEvent {
            timestamp: EventTime::At(Timestamp::of(at_s * 1_000_000_000)),
            run_id: session.to_owned(),
            command: command.to_owned(),
            skill: "s".to_owned(),
            file: Some(file.to_owned()),
            ..AccessEvent::default()
        }
    }

    fn steps(events: &[AccessEvent]) -> Vec<String> {
        let details = |_: &AccessEvent| HistoryDetails { agent: "codex".into(), ..HistoryDetails::default() };
        let shown = |step: ReadingStep| {
            format!("{}: {} to {} {}", step.skill, step.from.unwrap_or_default(), step.to, step.count)
        };
        reading_steps(events, &UsageFilter::default(), &details).into_iter().map(shown).collect()
    }

    /// RFC-0014:C-STATS
    #[test]
    fn steps_lead_from_one_file_to_the_next_one_of_the_session_in_order_of_time() {
        let events = [
            event("s1", 3, "read", "b.md"),
            event("s1", 1, "chosen", ""),
            event("s1", 2, "read", "a.md"),
            event("s1", 2, "read", "a.md"),
            event("s2", 1, "requested", ""),
            event("s2", 2, "read", "a.md"),
            event("s3", 4, "read", "b.md"),
        ];
        let expected = ["s:  to SKILL.md 2", "s: SKILL.md to a.md 2", "s:  to b.md 1", "s: a.md to b.md 1"];
        assert_eq!(steps(&events), expected);
    }

    /// RFC-0014:C-STATS
    #[test]
    fn what_reads_no_file_is_no_step() {
        let mut supplement = event("s1", 2, "read", "further.md");
        supplement.is_supplement = true;
        let failed = AccessEvent { error: Some("failed".into()), ..event("s1", 3, "read", "failed.md") };
        let nameless = AccessEvent { file: None, ..event("s1", 4, "read", "") };
        let others = ["offered", "ran", "searched", "failed"].map(|kind| event("s1", 5, kind, "x.md"));
        let mut events = vec![event("s1", 1, "read", "a.md"), supplement, failed, nameless];
        events.extend(others);
        events.push(event("s1", 6, "read", "a.md"));
        assert_eq!(steps(&events), ["s:  to a.md 1"]);
    }

    #[test]
    fn steps_are_sorted_by_skill_and_then_the_most_frequent_first() {
        let step = |skill: &str, to: &str, count| {
            let (skill, to) = (skill.to_owned(), to.to_owned());
            ReadingStep { skill, skill_path: String::new(), from: None, to, count }
        };
        let mut steps = [step("b", "x", 9), step("a", "z", 1), step("a", "y", 1), step("a", "x", 2)];
        sort_steps(&mut steps);
        let order: Vec<_> = steps.iter().map(|step| format!("{}{}", step.skill, step.to)).collect();
        assert_eq!(order, ["ax", "ay", "az", "bx"]);
    }
}
