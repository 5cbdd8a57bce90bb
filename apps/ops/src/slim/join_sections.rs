//! Proposals to move sections next to each other that are always read together.

use super::edit_proposal::{ProposalHead, edit_proposal};
use super::proposal::{FileEdit, SlimProposal};
use super::recorded::RecordedReads;
use super::texts::SkillTexts;
use crate::app::App;
use crate::skill::Skill;
use skillc_domain::path::RelPath;
use skillc_domain::slim::{JoinedSections, join_sections};

/// One proposal per group of sections that the same sessions read.
pub fn proposals(
    app: &App,
    skill: &Skill,
    recorded: &RecordedReads,
    texts: &SkillTexts,
) -> Vec<SlimProposal> {
    let groups = join_sections(&texts.read, &recorded.sessions);
    groups.into_iter().filter_map(|joined| proposal(app, skill, texts, joined)).collect()
}

fn proposal(app: &App, skill: &Skill, texts: &SkillTexts, joined: JoinedSections) -> Option<SlimProposal> {
    let head = ProposalHead {
        id: format!("join:{}/{}#{}", skill.name, joined.file, joined.headings.first()?),
        kind: "join",
        reason: format!(
            "each of the {} sessions that read one of {} read all of them",
            joined.sessions,
            joined.headings.join(", ")
        ),
        tokens: joined.tokens.checked_div(joined.sessions).unwrap_or_default(),
        times: joined.sessions,
    };
    let edit = |(file, new): (String, String)| {
        let old = Some(texts.file(&file)?.text.clone());
        Some(FileEdit { path: RelPath::parse(&file).ok()?, old, new })
    };
    let edits: Option<Vec<FileEdit>> = joined.texts.into_iter().map(edit).collect();
    edit_proposal(app, skill, texts, head, edits?)
}
