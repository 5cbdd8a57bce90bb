//! Summarizes the counts of histories: how each agent uses skills, and which skills are offered but never used.

use super::{HistoryKind, HistoryTally};
use std::collections::{BTreeMap, BTreeSet};

/// What one agent did with skills, from offer to outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentFunnel {
    /// The agent's id.
    pub agent: String,
    /// Number of different skills.
    pub skills: u64,
    /// Number of events of each kind that occurred.
    pub kinds: BTreeMap<HistoryKind, u64>,
}

/// A skill that an agent was offered but never used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusedOffer {
    /// The agent's id.
    pub agent: String,
    /// Name of the skill.
    pub skill: String,
    /// Its canonical path; empty if unknown.
    pub skill_path: String,
    /// Sessions in which it was offered.
    pub sessions: u64,
    /// Estimated tokens per session that its entry took, on average.
    pub tokens_per_session: u64,
}

/// A funnel with the names and paths of its skills.
type FunnelSkills<'a> = (AgentFunnel, BTreeSet<(&'a str, &'a str)>);

/// One funnel per agent, sorted by id.
pub fn by_agent(tallies: &[HistoryTally]) -> Vec<AgentFunnel> {
    let mut funnels: BTreeMap<&str, FunnelSkills<'_>> = BTreeMap::new();
    for tally in tallies {
        let (funnel, skills) = funnels.entry(&tally.agent).or_default();
        *funnel.kinds.entry(tally.kind).or_default() += tally.events;
        // A name that could not be loaded may not be a skill at all.
        if tally.kind != HistoryKind::Failed {
            skills.insert((&tally.skill, &tally.skill_path));
        }
    }
    let named = |(agent, (funnel, skills)): (&str, FunnelSkills<'_>)| AgentFunnel {
        agent: agent.to_owned(),
        skills: skills.len() as u64,
        ..funnel
    };
    funnels.into_iter().map(named).collect()
}

/// The skills that an agent was offered but never used, most expensive first.
pub fn never_used(tallies: &[HistoryTally]) -> Vec<UnusedOffer> {
    let is_use = |kind| !matches!(kind, HistoryKind::Offered | HistoryKind::Failed);
    // A list names a skill without its path, so a skill of the same name counts as used too.
    let used: BTreeSet<(&str, &str)> = tallies
        .iter()
        .filter(|tally| is_use(tally.kind))
        .map(|tally| (tally.agent.as_str(), tally.skill.as_str()))
        .collect();
    let is_unused = |tally: &&HistoryTally| {
        tally.kind == HistoryKind::Offered && !used.contains(&(tally.agent.as_str(), tally.skill.as_str()))
    };
    let mut unused: Vec<UnusedOffer> = tallies
        .iter()
        .filter(is_unused)
        .map(|tally| UnusedOffer {
            agent: tally.agent.clone(),
            skill: tally.skill.clone(),
            skill_path: tally.skill_path.clone(),
            sessions: tally.sessions,
            tokens_per_session: tally.listing_tokens.checked_div(tally.sessions).unwrap_or_default(),
        })
        .collect();
    let cost = |offer: &UnusedOffer| offer.sessions.saturating_mul(offer.tokens_per_session);
    unused.sort_by(|one, other| {
        let names = (&one.agent, &one.skill, &one.skill_path);
        cost(other).cmp(&cost(one)).then_with(|| names.cmp(&(&other.agent, &other.skill, &other.skill_path)))
    });
    unused
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(skill: &str, kind: HistoryKind, events: u64, sessions: u64, tokens: u64) -> HistoryTally {
        HistoryTally {
            agent: "codex".to_owned(),
            skill: skill.to_owned(),
            skill_path: format!("/s/{skill}"),
            kind,
            events,
            sessions,
            listing_tokens: tokens,
        }
    }

    /// RFC-0014:C-STATS
    #[test]
    fn a_skill_offered_but_never_used_costs_its_tokens_in_each_session() {
        let tallies = [
            tally("cheap", HistoryKind::Offered, 4, 4, 20),
            tally("dear", HistoryKind::Offered, 8, 4, 400),
            tally("read", HistoryKind::Offered, 4, 4, 100),
            tally("read", HistoryKind::Read, 1, 1, 0),
            tally("failed", HistoryKind::Offered, 1, 1, 7),
            tally("failed", HistoryKind::Failed, 1, 1, 0),
        ];
        let found: Vec<_> = never_used(&tallies)
            .into_iter()
            .map(|offer| (offer.skill, offer.sessions, offer.tokens_per_session))
            .collect();
        let expected = [("dear", 4, 100), ("cheap", 4, 5), ("failed", 1, 7)];
        assert_eq!(found, expected.map(|(name, sessions, tokens)| (name.to_owned(), sessions, tokens)));
    }

    /// RFC-0014:C-STATS
    #[test]
    fn a_funnel_counts_each_kind_and_each_skill_once() {
        let tallies = [
            tally("a", HistoryKind::Offered, 4, 4, 20),
            tally("a", HistoryKind::Chosen, 2, 2, 0),
            tally("b", HistoryKind::Offered, 4, 4, 20),
            tally("nope", HistoryKind::Failed, 1, 1, 0),
        ];
        let [funnel] = by_agent(&tallies).try_into().unwrap();
        assert_eq!((funnel.agent.as_str(), funnel.skills), ("codex", 2));
        let kinds: Vec<_> = funnel.kinds.into_iter().collect();
        assert_eq!(kinds, [(HistoryKind::Offered, 8), (HistoryKind::Chosen, 2), (HistoryKind::Failed, 1)]);
    }
}
