//! Proposals to split files if each session reads only one part of them.

use super::edit_proposal::{ProposalHead, edit_proposal};
use super::move_sections::edits;
use super::proposal::SlimProposal;
use super::recorded::RecordedReads;
use super::texts::SkillTexts;
use crate::app::App;
use crate::skill::Skill;
use skillc_domain::slim::split_file;

/// One proposal per file if every session that read it by lines read only one part.
pub fn proposals(
    app: &App,
    skill: &Skill,
    recorded: &RecordedReads,
    texts: &SkillTexts,
) -> Vec<SlimProposal> {
    let split = texts.read.iter().filter_map(|read| {
        let (file, reads) = (&read.file, &read.reads);
        let split = split_file(file, &read.text, &read.headings, reads, &recorded.sessions, &texts.files)?;
        let names: Vec<&str> = split.moved.iter().map(|part| part.heading.as_str()).collect();
        let head = ProposalHead {
            id: format!("split:{}/{file}", skill.name),
            kind: "split",
            reason: format!(
                "each session that read lines of {file} read one of its parts: {}",
                names.join(", ")
            ),
            tokens: split.tokens,
            times: reads.whole,
        };
        edit_proposal(app, skill, texts, head, edits(read, split)?)
    });
    split.collect()
}
