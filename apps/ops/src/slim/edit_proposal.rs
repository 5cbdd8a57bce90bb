//! A proposal to edit files that were read.

use super::proposal::{FileEdit, SlimChange, SlimProposal, diff, obstacle};
use super::replay::{Replay, replay};
use super::texts::SkillTexts;
use crate::app::App;
use crate::skill::Skill;

/// The parts of an edit proposal, except its edits.
pub struct ProposalHead {
    /// The id by which it is applied: kind, skill and file.
    pub id: String,
    /// `move`, `join` or `split`.
    pub kind: &'static str,
    /// The reason for it.
    pub reason: String,
    /// Number of tokens that it saves each time.
    pub tokens: u64,
    /// Number of recorded reads or sessions that would have saved them.
    pub times: u64,
}

/// A proposal to edit files that were read; `None` if a recorded read would then fail.
pub fn edit_proposal(
    app: &App,
    skill: &Skill,
    texts: &SkillTexts,
    head: ProposalHead,
    edits: Vec<FileEdit>,
) -> Option<SlimProposal> {
    let Replay { replayed, missed } = replay(app, texts, &edits);
    (missed == 0).then(|| SlimProposal {
        id: head.id,
        kind: head.kind,
        skill: skill.name.clone(),
        skill_path: skill.path.clone(),
        reason: head.reason,
        tokens: head.tokens,
        times: head.times,
        replayed,
        missed,
        diff: diff(skill, &edits),
        obstacle: obstacle(app, skill),
        change: SlimChange::Edit(edits),
    })
}
