//! Replays the recorded reads of a skill against its files after a proposal's edits.

use super::proposal::FileEdit;
use super::texts::{SkillTexts, headings};
use crate::app::App;
use skillc_domain::path::RelPath;
use skillc_domain::slim::FileReads;
use std::collections::BTreeSet;

/// The result of a replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// Number of reads that were replayed.
    pub replayed: u64,
    /// Number of reads that would no longer find the text that they had found.
    pub missed: u64,
}

/// A section's heading, and its own text up to the next heading.
type OwnText = (String, String);

/// Replays the reads of each edited file. A read finds a section in the file, or in one that the file links to.
pub fn replay(app: &App, texts: &SkillTexts, edits: &[FileEdit]) -> Replay {
    let mut sum = Replay::default();
    for edit in edits {
        let Some(read) = texts.file(edit.path.as_str()) else { continue };
        let before = own_texts(app, &edit.path, &read.text);
        let after = reachable(app, edit, edits);
        let lost: BTreeSet<&str> = before
            .iter()
            .filter(|section| !after.contains(*section))
            .map(|(name, _)| name.as_str())
            .collect();
        sum.replayed += read.reads.count();
        sum.missed += missed(&read.reads, &lost);
    }
    sum
}

/// The reads that reached a lost section, or may have reached it.
fn missed(reads: &FileReads, lost: &BTreeSet<&str>) -> u64 {
    if lost.is_empty() {
        return 0;
    }
    let named: u64 = lost.iter().filter_map(|heading| reads.sections.get(*heading)).sum();
    let vague = reads.of_older_lines.values().sum::<u64>() + reads.of_unknown_lines;
    reads.whole + named + vague
}

/// The sections of an edited file, and of the edited files that it links to.
fn reachable(app: &App, edit: &FileEdit, edits: &[FileEdit]) -> BTreeSet<OwnText> {
    let is_linked = |other: &&FileEdit| {
        let path = other.path.as_str();
        let name = path.rsplit('/').next().unwrap_or(path);
        other.path == edit.path || [path, name].iter().any(|link| edit.new.contains(&format!("]({link})")))
    };
    edits.iter().filter(is_linked).flat_map(|edit| own_texts(app, &edit.path, &edit.new)).collect()
}

/// The sections of a text, without the lines of their headings.
fn own_texts(app: &App, path: &RelPath, text: &str) -> Vec<OwnText> {
    let headings = headings(app, path, text);
    let ends = headings.iter().skip(1).map(|next| next.offset).chain([text.len()]);
    let own = headings.iter().zip(ends).map(|(heading, end)| {
        let section = text[heading.offset..end].split_once('\n').map_or("", |(_, body)| body);
        // A heading may be underlined, and has another form where it was moved to.
        let body = section.trim_start_matches(['=', '-', ' ', '\t', '\r', '\n']);
        (heading.text.clone(), body.trim_end().to_owned())
    });
    own.collect()
}
