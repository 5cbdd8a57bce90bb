//! Proposals to move sections that were never read into files of their own.

use super::edit_proposal::{ProposalHead, edit_proposal};
use super::proposal::{FileEdit, SlimProposal};
use super::texts::SkillTexts;
use crate::app::App;
use crate::skill::Skill;
use skillc_domain::path::RelPath;
use skillc_domain::slim::{ReadMarkdown, SlimmedFile, move_unread_sections};

/// One proposal per file with sections that no recorded read reached.
pub fn proposals(app: &App, skill: &Skill, texts: &SkillTexts) -> Vec<SlimProposal> {
    let slimmed = texts.read.iter().filter_map(|read| {
        let slimmed =
            move_unread_sections(&read.file, &read.text, &read.headings, &read.reads, &texts.files)?;
        let names: Vec<&str> = slimmed.moved.iter().map(|moved| moved.heading.as_str()).collect();
        let head = ProposalHead {
            id: format!("move:{}/{}", skill.name, read.file),
            kind: "move",
            reason: format!("no read of lines of {} found {}", read.file, names.join(", ")),
            tokens: slimmed.tokens,
            times: read.reads.whole,
        };
        edit_proposal(app, skill, texts, head, edits(read, slimmed)?)
    });
    slimmed.collect()
}

/// The file without the sections, and a new file for each of them.
pub fn edits(read: &ReadMarkdown, slimmed: SlimmedFile) -> Option<Vec<FileEdit>> {
    let path = RelPath::parse(&read.file).ok()?;
    let mut edits = vec![FileEdit { path, old: Some(read.text.clone()), new: slimmed.text }];
    for moved in slimmed.moved {
        edits.push(FileEdit { path: RelPath::parse(&moved.file).ok()?, old: None, new: moved.text });
    }
    Some(edits)
}
