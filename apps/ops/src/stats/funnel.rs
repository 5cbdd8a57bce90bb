//! Counts how far sessions got with each skill: offered, chosen, read, done.

use super::agents::{NO_HISTORY, agent_title};
use super::same_label::paths_of_same_labels;
use super::text::{cut_end, left};
use crate::render::{View, line, plain};
use schemars::JsonSchema;
use serde::Serialize;
use skillc_domain::history::SkillFunnel;

/// The numbers of one agent's sessions that reached each stage with a skill.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FunnelCount {
    /// The agent's id.
    pub agent: String,
    /// Name of the skill.
    pub skill: String,
    /// Its canonical path; null if the history names none.
    pub skill_path: Option<String>,
    /// Sessions in which it was offered; 0 for an agent that records no offers.
    pub offered: u64,
    /// Sessions in which it was loaded, or its SKILL.md read.
    pub chosen: u64,
    /// Sessions in which another file of it was read, run or searched.
    pub read: u64,
    /// Sessions in which it was chosen or read, and none of its calls failed.
    pub done: u64,
}

/// The stages of a funnel, in order.
pub const STAGES: [&str; 4] = ["offered", "chosen", "read", "done"];

impl FunnelCount {
    /// The number of sessions at each of `STAGES`.
    pub fn stages(&self) -> [u64; 4] {
        [self.offered, self.chosen, self.read, self.done]
    }
}

/// The funnels in display order, most used first.
pub fn funnel_counts(funnels: Vec<SkillFunnel>) -> Vec<FunnelCount> {
    let count = |funnel: SkillFunnel| FunnelCount {
        agent: funnel.agent,
        skill: funnel.skill,
        skill_path: Some(funnel.skill_path).filter(|path| !path.is_empty()),
        offered: funnel.offered,
        chosen: funnel.chosen,
        read: funnel.read,
        done: funnel.done,
    };
    let mut counts: Vec<FunnelCount> = funnels.into_iter().map(count).collect();
    counts.sort_by(|one, other| {
        let used = |count: &FunnelCount| count.chosen.max(count.read);
        used(other).cmp(&used(one)).then(other.offered.cmp(&one.offered))
    });
    counts
}

/// Width of the name column, and of each number column.
const NAME_COLUMNS: usize = 43;
const COUNT_COLUMNS: usize = 9;

/// A table of sessions.
pub fn render_funnels(funnels: &[FunnelCount], view: &View, out: &mut Vec<u8>) {
    if funnels.is_empty() {
        return line(out, NO_HISTORY);
    }
    let heads: String = STAGES.iter().map(|stage| format!("{stage:>COUNT_COLUMNS$}")).collect();
    line(out, view.faint(format!("{:<NAME_COLUMNS$}{heads}", "sessions")));
    let label = |one: &FunnelCount| format!("{} ({})", plain(&one.skill), agent_title(&one.agent));
    let paths = paths_of_same_labels(view, funnels, label, |one| one.skill_path.as_deref());
    for (one, path) in funnels.iter().zip(paths) {
        let name = cut_end(&label(one), NAME_COLUMNS - 1);
        let counts: String = one.stages().iter().map(|count| format!("{count:>COUNT_COLUMNS$}")).collect();
        line(out, format!("{}{counts}", view.strong(left(&name, NAME_COLUMNS))));
        path.into_iter().for_each(|path| line(out, path));
    }
}
