//! Proposals to move sections that were never read into files of their own.

use super::proposal::{FileEdit, SlimChange, SlimEvidence, SlimProposal, diff, obstacle, present};
use super::recorded::RecordedReads;
use crate::app::App;
use crate::failure::Failure;
use crate::skill::Skill;
use crate::source::survey;
use skillc_domain::frontmatter::Opening;
use skillc_domain::limits::TEXT_BYTES_MAX;
use skillc_domain::path::RelPath;
use skillc_domain::slim::{FileReads, SlimmedFile, move_unread_sections};
use std::collections::BTreeSet;

/// One for each file with sections that no recorded read found.
///
/// # Errors
/// If a skill's folder cannot be read.
pub fn proposals(app: &App, evidence: &SlimEvidence) -> Result<Vec<SlimProposal>, Failure> {
    let mut found = Vec::new();
    for (path, reads) in &evidence.reads {
        if let Some(skill) = present(app, path) {
            found.extend(of_skill(app, &skill, reads)?);
        }
    }
    Ok(found)
}

fn of_skill(app: &App, skill: &Skill, recorded: &RecordedReads) -> Result<Vec<SlimProposal>, Failure> {
    let tree = app.ports.files.open(&skill.path)?;
    let taken: BTreeSet<String> =
        survey(tree.as_ref())?.files.into_iter().map(|file| file.path.to_string()).collect();
    let markdown = recorded.files.iter().filter(|(file, _)| file.to_lowercase().ends_with(".md"));
    let slimmed = markdown.filter_map(|(file, reads)| {
        let path = RelPath::parse(file).ok()?;
        let text = String::from_utf8(tree.read(&path, TEXT_BYTES_MAX).ok()?.bytes).ok()?;
        let document = app.ports.reader.document(&text, Opening::of(&path));
        let slimmed = move_unread_sections(file, &text, &document.headings, reads, &taken)?;
        proposal(app, skill, (path, text), reads, slimmed)
    });
    Ok(slimmed.collect())
}

fn proposal(
    app: &App,
    skill: &Skill,
    (path, text): (RelPath, String),
    reads: &FileReads,
    slimmed: SlimmedFile,
) -> Option<SlimProposal> {
    let missed = missed_reads(app, &path, (&text, &slimmed.text), reads);
    if missed > 0 {
        return None;
    }
    let headings: Vec<&str> = slimmed.moved.iter().map(|moved| moved.heading.as_str()).collect();
    let reason = format!("no read of lines of {path} found {}", headings.join(", "));
    let id = format!("move:{}/{path}", skill.name);
    let mut edits = vec![FileEdit { path, old: Some(text), new: slimmed.text }];
    for moved in slimmed.moved {
        edits.push(FileEdit { path: RelPath::parse(&moved.file).ok()?, old: None, new: moved.text });
    }
    Some(SlimProposal {
        id,
        kind: "move",
        skill: skill.name.clone(),
        skill_path: skill.path.clone(),
        reason,
        tokens: slimmed.tokens,
        times: reads.whole,
        replayed: reads.count(),
        missed,
        diff: diff(skill, &edits),
        obstacle: obstacle(app, skill),
        change: SlimChange::Edit(edits),
    })
}

/// Replays the recorded reads of sections: those that would no longer find the text that they found.
fn missed_reads(app: &App, path: &RelPath, (old, new): (&str, &str), reads: &FileReads) -> u64 {
    let texts = |text: &str| -> Vec<(String, String)> {
        let headings = app.ports.reader.document(text, Opening::of(path)).headings;
        let ends = headings.iter().skip(1).map(|next| next.offset).chain([text.len()]);
        headings
            .iter()
            .zip(ends)
            .map(|(one, end)| (one.text.clone(), text[one.offset..end].to_owned()))
            .collect()
    };
    let (before, after) = (texts(old), texts(new));
    let is_lost = |heading: &str| {
        before.iter().filter(|(name, _)| name == heading).any(|section| !after.contains(section))
    };
    reads.sections.iter().filter(|(heading, _)| is_lost(heading)).map(|(_, count)| count).sum()
}
