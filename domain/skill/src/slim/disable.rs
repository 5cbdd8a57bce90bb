//! Skills that agents were offered but never used.

use crate::history::{HistoryKind, HistoryTally};
use std::collections::{BTreeMap, BTreeSet};

/// Minimum number of sessions with an offer before anything is proposed: a new skill needs time.
const SESSIONS_MIN: u64 = 10;

/// A skill that was offered but that no agent used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdleSkill {
    /// Name of the skill.
    pub skill: String,
    /// Canonical path of the skill.
    pub skill_path: String,
    /// Sessions in which it was offered.
    pub sessions: u64,
    /// Estimated tokens that its entry took in all of them.
    pub tokens: u64,
}

/// The skills with a known path that were offered in enough sessions and that no agent used, most expensive first.
pub fn idle_skills(tallies: &[HistoryTally]) -> Vec<IdleSkill> {
    let is_use = |kind| !matches!(kind, HistoryKind::Offered | HistoryKind::Failed);
    // A list may name a skill without its path, so a skill of the same name counts as used too.
    let used: BTreeSet<&str> =
        tallies.iter().filter(|tally| is_use(tally.kind)).map(|tally| tally.skill.as_str()).collect();
    let mut sums: BTreeMap<(&str, &str), (u64, u64)> = BTreeMap::new();
    for tally in tallies {
        let is_meant = tally.kind == HistoryKind::Offered && !tally.skill_path.is_empty();
        if is_meant && !used.contains(tally.skill.as_str()) {
            let sum = sums.entry((&tally.skill, &tally.skill_path)).or_default();
            *sum = (sum.0 + tally.sessions, sum.1 + tally.listing_tokens);
        }
    }
    let unused = |((skill, path), (sessions, tokens)): ((&str, &str), (u64, u64))| IdleSkill {
        skill: skill.to_owned(),
        skill_path: path.to_owned(),
        sessions,
        tokens,
    };
    let mut unused: Vec<IdleSkill> =
        sums.into_iter().map(unused).filter(|skill| skill.sessions >= SESSIONS_MIN).collect();
    unused.sort_by_key(|skill| std::cmp::Reverse(skill.tokens));
    unused
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0014:C-SLIM
    #[test]
    fn a_skill_is_unused_only_if_no_agent_used_it_in_many_sessions() {
        let tally = |agent: &str, skill: &str, kind, sessions| HistoryTally {
            agent: agent.to_owned(),
            skill: skill.to_owned(),
            skill_path: if skill == "unknown" { String::new() } else { format!("/s/{skill}") },
            kind,
            events: sessions,
            sessions,
            listing_tokens: if kind == HistoryKind::Offered { sessions * 20 } else { 0 },
        };
        let tallies = [
            tally("claude-code", "idle", HistoryKind::Offered, 30),
            tally("codex", "idle", HistoryKind::Offered, 5),
            tally("claude-code", "used", HistoryKind::Offered, 30),
            tally("codex", "used", HistoryKind::Read, 1),
            tally("codex", "new", HistoryKind::Offered, 3),
            tally("codex", "unknown", HistoryKind::Offered, 90),
        ];
        let found: Vec<_> = idle_skills(&tallies)
            .into_iter()
            .map(|skill| (skill.skill, skill.sessions, skill.tokens))
            .collect();
        assert_eq!(found, [("idle".to_owned(), 35, 700)]);
    }
}
