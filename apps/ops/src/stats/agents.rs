//! Figures from agents' own histories, as lists and as text.

use crate::render::{View, line, plain, table_of_lines};
use schemars::JsonSchema;
use serde::Serialize;
use skillc_domain::agents::agent;
use skillc_domain::history::{HistoryKind, HistoryTally, by_agent, never_used};
use std::collections::BTreeMap;

/// What one agent did with skills.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AgentCount {
    /// The agent's id.
    pub agent: String,
    /// Number of different skills.
    pub skills: u64,
    /// Events by kind: offered, chosen, requested, read, ran, searched, failed.
    pub events: BTreeMap<String, u64>,
}

/// A skill that an agent was offered but never used.
#[derive(Debug, Serialize, JsonSchema)]
pub struct UnusedSkill {
    /// The agent's id.
    pub agent: String,
    /// Name of the skill.
    pub skill: String,
    /// Its canonical path; null if the history names none.
    pub skill_path: Option<String>,
    /// Sessions in which it was offered.
    pub sessions: u64,
    /// Estimated tokens of its name and description, in each of these sessions.
    pub tokens_per_session: u64,
}

/// The counts of each agent.
pub fn agent_counts(tallies: &[HistoryTally]) -> Vec<AgentCount> {
    let count = |funnel: skillc_domain::history::AgentFunnel| AgentCount {
        agent: funnel.agent,
        skills: funnel.skills,
        events: HistoryKind::ALL
            .iter()
            .map(|kind| (kind.word().to_owned(), funnel.kinds.get(kind).copied().unwrap_or_default()))
            .collect(),
    };
    by_agent(tallies).into_iter().map(count).collect()
}

/// The skills that were offered but never used.
pub fn unused_skills(tallies: &[HistoryTally]) -> Vec<UnusedSkill> {
    let skill = |offer: skillc_domain::history::UnusedOffer| UnusedSkill {
        agent: offer.agent,
        skill: offer.skill,
        skill_path: Some(offer.skill_path).filter(|path| !path.is_empty()),
        sessions: offer.sessions,
        tokens_per_session: offer.tokens_per_session,
    };
    never_used(tallies).into_iter().map(skill).collect()
}

/// The product name of an agent, or its id if it is unknown.
pub fn agent_title(id: &str) -> String {
    agent(id).map_or_else(|| plain(id), |agent| agent.name.to_owned())
}

/// Number of digits that fit a column of the table.
const DIGITS: usize = 5;

/// The text of a table without events.
pub const NO_HISTORY: &str = "No history is imported yet; 'skc history import' imports it";

/// A table of agents.
pub fn render_agents(agents: &[AgentCount], view: &View, out: &mut Vec<u8>) {
    if agents.is_empty() {
        return line(out, NO_HISTORY);
    }
    let words: Vec<&str> = HistoryKind::ALL.iter().map(|kind| kind.word()).collect();
    let width = |word: &str| word.len().max(DIGITS) + 1;
    let columns: String = words.iter().map(|word| format!("{word:>0$}", width(word))).collect();
    line(out, view.faint(format!("{:<16}{:>7}{columns}", "", "skills").trim_end()));
    for one in agents {
        let counts: String = words
            .iter()
            .map(|word| format!("{:>1$}", one.events.get(*word).copied().unwrap_or_default(), width(word)))
            .collect();
        let name: String = agent_title(&one.agent).chars().take(15).collect();
        line(out, format!("{}{:>7}{counts}", view.strong(format!("{name:<16}")), one.skills));
    }
}

/// A table of skills, most expensive first. An empty one means something only if events were imported.
pub fn render_unused(unused: &[UnusedSkill], has_events: bool, view: &View, out: &mut Vec<u8>) {
    let row = |one: &UnusedSkill| {
        let agent = agent_title(&one.agent).to_owned();
        let (sessions, tokens) = (one.sessions.to_string(), format!("~{}", one.tokens_per_session));
        vec![sessions, tokens, agent, view.strong(plain(&one.skill))]
    };
    if !unused.is_empty() {
        let rows: Vec<_> = unused.iter().map(row).collect();
        let heads = ["Sessions", "Tokens in each", "Agent", "Offered and never used"];
        line(out, table_of_lines(view, &heads, &rows));
    }
    if unused.is_empty() {
        line(out, if has_events { "Every skill that was offered was used" } else { NO_HISTORY });
    }
}
