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
