//! Counts how far sessions got with a skill: offered, chosen, read, done.

use super::HistoryKind;
use super::imported::{HistoryDetails, imported};
use crate::event::AccessEvent;
use crate::places::SKILL_FILE;
use crate::usage::UsageFilter;
use std::collections::BTreeMap;

/// The numbers of one agent's sessions that reached each stage with a skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillFunnel {
    /// The agent's id.
    pub agent: String,
    /// Name of the skill.
    pub skill: String,
    /// Its canonical path; empty if unknown.
    pub skill_path: String,
    /// Sessions in which it was offered.
    pub offered: u64,
    /// Sessions in which it was loaded, or its SKILL.md read.
    pub chosen: u64,
    /// Sessions in which another file of it was read, run or searched.
    pub read: u64,
    /// Sessions in which it was chosen or read, and none of its calls failed.
    pub done: u64,
}

/// The stages that one session reached with a skill.
#[derive(Clone, Copy, Default)]
struct SessionStages {
    is_offered: bool,
    is_chosen: bool,
    is_read: bool,
    has_failure: bool,
}

impl SessionStages {
    fn add(&mut self, kind: HistoryKind, event: &AccessEvent) {
        let is_good = event.error.is_none();
        let is_skill_file = event.target.as_deref() == Some(SKILL_FILE);
        match kind {
            HistoryKind::Offered => self.is_offered = true,
            HistoryKind::Chosen | HistoryKind::Requested => self.is_chosen |= is_good,
            HistoryKind::Read if is_skill_file => self.is_chosen |= is_good,
            HistoryKind::Read | HistoryKind::Ran | HistoryKind::Searched => self.is_read |= is_good,
            HistoryKind::Failed => {}
        }
        self.has_failure |= !is_good;
    }
}

/// Agent, skill, its path, and the session.
type Key<'a> = (String, &'a str, &'a str, &'a str);

/// Counts sessions. Every store must compute the same. Sorted by agent, skill and path.
pub fn funnels<'a>(
    events: impl IntoIterator<Item = &'a AccessEvent>,
    filter: &UsageFilter,
    details: &dyn Fn(&AccessEvent) -> HistoryDetails,
) -> Vec<SkillFunnel> {
    let mut sessions: BTreeMap<Key<'_>, SessionStages> = BTreeMap::new();
    for (kind, event, HistoryDetails { agent, .. }) in imported(events, filter, details) {
        let key = (agent, event.skill.as_str(), event.skill_path.as_str(), event.run_id.as_str());
        sessions.entry(key).or_default().add(kind, event);
    }
    let mut funnels: BTreeMap<(String, &str, &str), SkillFunnel> = BTreeMap::new();
    for ((agent, skill, path, _), stages) in sessions {
        let funnel = funnels.entry((agent, skill, path)).or_default();
        let is_used = stages.is_chosen || stages.is_read;
        funnel.offered += u64::from(stages.is_offered);
        funnel.chosen += u64::from(stages.is_chosen);
        funnel.read += u64::from(stages.is_read);
        funnel.done += u64::from(is_used && !stages.has_failure);
    }
    let named = |((agent, skill, path), funnel): ((String, &str, &str), SkillFunnel)| SkillFunnel {
        agent,
        skill: skill.to_owned(),
        skill_path: path.to_owned(),
        ..funnel
    };
    // A name that could not be loaded may not be a skill at all.
    let has_any = |funnel: &SkillFunnel| funnel.offered + funnel.chosen + funnel.read > 0;
    funnels.into_iter().map(named).filter(has_any).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::EventTime;
    use crate::time::Timestamp;

    fn event(session: &str, kind: HistoryKind, target: &str, is_failed: bool) -> AccessEvent {
        AccessEvent {
            timestamp: EventTime::At(Timestamp::of(0)),
            run_id: session.to_owned(),
            command: kind.word().to_owned(),
            skill: "s".to_owned(),
            skill_path: "/s".to_owned(),
            target: Some(target.to_owned()),
            error: is_failed.then(|| "failed".to_owned()),
            ..AccessEvent::default()
        }
    }

    /// RFC-0014:C-STATS
    #[test]
    fn a_session_is_done_if_it_used_the_skill_and_nothing_failed_in_it() {
        use HistoryKind::{Chosen, Offered, Read};
        let events = [
            event("good", Offered, "", false),
            event("good", Read, SKILL_FILE, false),
            event("good", Read, "a.md", false),
            event("failed first", Chosen, "", false),
            event("failed first", Read, "a.md", true),
            event("failed first", Read, "b.md", false),
            event("only offered", Offered, "", false),
            event("never loaded", Chosen, "", true),
        ];
        let details =
            |_: &AccessEvent| HistoryDetails { agent: "codex".to_owned(), ..HistoryDetails::default() };
        let counted = funnels(&events, &UsageFilter::default(), &details);
        let expected = SkillFunnel {
            agent: "codex".to_owned(),
            skill: "s".to_owned(),
            skill_path: "/s".to_owned(),
            offered: 2,
            chosen: 2,
            read: 2,
            done: 1,
        };
        assert_eq!(counted, [expected]);
    }

    /// RFC-0014:C-STATS
    #[test]
    fn a_file_is_read_only_if_it_is_another_one_than_skill_md_and_the_call_succeeded() {
        use HistoryKind::{Chosen, Failed, Ran, Read, Requested, Searched};
        let stages = |kind, target: &str, is_failed| {
            let details =
                |_: &AccessEvent| HistoryDetails { agent: "codex".into(), ..HistoryDetails::default() };
            let funnels = funnels(&[event("s", kind, target, is_failed)], &UsageFilter::default(), &details);
            funnels.first().map(|funnel| [funnel.offered, funnel.chosen, funnel.read, funnel.done])
        };
        for (kind, target, expected) in [
            (Chosen, "", [0, 1, 0, 1]),
            (Requested, "", [0, 1, 0, 1]),
            (Read, SKILL_FILE, [0, 1, 0, 1]),
            (Read, "a.md", [0, 0, 1, 1]),
            (Ran, SKILL_FILE, [0, 0, 1, 1]),
            (Searched, "", [0, 0, 1, 1]),
        ] {
            assert_eq!(stages(kind, target, false), Some(expected), "{kind:?} {target}");
            assert_eq!(stages(kind, target, true), None, "{kind:?} {target}");
        }
        assert_eq!(stages(Failed, "", true), None, "which may be no skill at all");
    }

    /// RFC-0014:C-STATS
    #[test]
    fn later_calls_do_not_take_back_what_a_session_reached() {
        use HistoryKind::{Chosen, Offered, Read};
        let events = [
            event("s", Offered, "", false),
            event("s", Chosen, "", false),
            event("s", Chosen, "", true),
            event("s", Read, SKILL_FILE, true),
            event("s", Read, "a.md", false),
            event("s", Read, "a.md", true),
            event("s", Read, "a.md", false),
        ];
        let details = |_: &AccessEvent| HistoryDetails { agent: "codex".into(), ..HistoryDetails::default() };
        let funnel = &funnels(&events, &UsageFilter::default(), &details)[0];
        assert_eq!([funnel.offered, funnel.chosen, funnel.read, funnel.done], [1, 1, 1, 0]);
    }
}
