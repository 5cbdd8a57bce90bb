//! Counts of imported events by agent, skill and kind.

use super::HistoryKind;
use super::imported::{HistoryDetails, counted};
use crate::event::AccessEvent;
use crate::usage::UsageFilter;
use std::collections::{BTreeMap, BTreeSet};

/// Numbers of events of one agent, skill and kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryTally {
    /// The agent's id.
    pub agent: String,
    /// Name of the skill.
    pub skill: String,
    /// Its canonical path; empty if unknown.
    pub skill_path: String,
    /// What happened to the skill.
    pub kind: HistoryKind,
    /// Number of events.
    pub events: u64,
    /// Number of different sessions.
    pub sessions: u64,
    /// Estimated tokens of the skill's entries in lists; only for `Offered`.
    pub listing_tokens: u64,
}

/// Agent, skill, its path, and the kind.
type Key<'a> = (String, &'a str, &'a str, HistoryKind);
/// Number of events, their sessions, and tokens of lists.
type Sums<'a> = (u64, BTreeSet<&'a str>, u64);

/// Counts the imported events. Every store must compute the same.
pub fn history_tallies<'a>(
    events: impl IntoIterator<Item = &'a AccessEvent>,
    filter: &UsageFilter,
    details: &dyn Fn(&AccessEvent) -> HistoryDetails,
) -> Vec<HistoryTally> {
    let mut counts: BTreeMap<Key<'_>, Sums<'_>> = BTreeMap::new();
    for (kind, event, HistoryDetails { agent, listing_tokens, .. }) in counted(events, filter, details) {
        let sum = counts.entry((agent, &event.skill, &event.skill_path, kind)).or_default();
        sum.0 += 1;
        sum.1.insert(&event.run_id);
        sum.2 += listing_tokens;
    }
    let tally =
        |((agent, skill, skill_path, kind), (events, sessions, listing_tokens)): (Key<'_>, Sums<'_>)| {
            HistoryTally {
                agent,
                skill: skill.to_owned(),
                skill_path: skill_path.to_owned(),
                kind,
                events,
                sessions: sessions.len() as u64,
                listing_tokens,
            }
        };
    counts.into_iter().map(tally).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::EventTime;
    use crate::time::Timestamp;

    /// RFC-0014:C-STATS
    #[test]
    fn events_sessions_and_tokens_are_counted_by_agent_skill_and_kind() {
        let event = |session: &str, command: &str, skill: &str| AccessEvent {
            timestamp: EventTime::At(Timestamp::of(0)),
            run_id: session.to_owned(),
            command: command.to_owned(),
            skill: skill.to_owned(),
            ..AccessEvent::default()
        };
        let events = [
            event("s1", "offered", "a"),
            event("s1", "offered", "a"),
            event("s2", "offered", "a"),
            event("s1", "read", "a"),
            event("s1", "read", "b"),
        ];
        let details = |event: &AccessEvent| HistoryDetails {
            agent: "codex".to_owned(),
            listing_tokens: if event.command == "offered" { 7 } else { 0 },
            ..HistoryDetails::default()
        };
        let tallies = history_tallies(&events, &UsageFilter::default(), &details);
        let told: Vec<_> = tallies
            .iter()
            .map(|t| (&*t.agent, &*t.skill, t.kind.word(), t.events, t.sessions, t.listing_tokens))
            .collect();
        let expected = [
            ("codex", "a", "offered", 3, 2, 21),
            ("codex", "a", "read", 1, 1, 0),
            ("codex", "b", "read", 1, 1, 0),
        ];
        assert_eq!(told, expected);
    }
}
