//! Proposals to disable skills that were never used.

use super::proposal::{SlimChange, SlimEvidence, SlimProposal, obstacle, present};
use crate::app::App;
use crate::policy::is_disabled;
use skillc_domain::slim::{IdleSkill, idle_skills};
use std::path::Path;

/// One proposal per skill that was offered in many sessions and never used.
pub fn proposals(app: &App, evidence: &SlimEvidence) -> Vec<SlimProposal> {
    idle_skills(&evidence.tallies).into_iter().filter_map(|unused| proposal(app, evidence, unused)).collect()
}

fn proposal(app: &App, evidence: &SlimEvidence, unused: IdleSkill) -> Option<SlimProposal> {
    let skill = present(app, Path::new(&unused.skill_path))?;
    if is_disabled(app, &skill) {
        return None;
    }
    // Any read would fail.
    let has_reads = evidence.reads_of(&skill).is_some_and(|recorded| recorded.count() > 0);
    (!has_reads).then(|| SlimProposal {
        id: format!("disable:{}", skill.name),
        kind: "disable",
        reason: format!("offered in {} sessions and never used", unused.sessions),
        tokens: unused.tokens.checked_div(unused.sessions).unwrap_or_default(),
        times: unused.sessions,
        replayed: 0,
        missed: 0,
        diff: String::new(),
        obstacle: obstacle(app, &skill),
        change: SlimChange::Disable,
        skill: skill.name,
        skill_path: skill.path,
    })
}
