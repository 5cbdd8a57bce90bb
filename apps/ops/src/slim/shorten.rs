//! Proposals to shorten descriptions that a client truncates.

use super::proposal::{FileEdit, SlimChange, SlimEvidence, SlimProposal, diff, obstacle, present};
use super::recorded::RecordedReads;
use super::replay::{Replay, replay};
use super::texts::SkillTexts;
use crate::app::App;
use crate::failure::Failure;
use crate::local_logs::{HISTORY, unreadable};
use crate::skill::Skill;
use crate::source::skill_file;
use serde_json::Value;
use skillc_domain::frontmatter::Node;
use skillc_domain::history::HistoryKind;
use skillc_domain::limits::TEXT_BYTES_MAX;
use skillc_domain::slim::{CHARS_PER_TOKEN, shortened, tokens_of};
use skillc_domain::time::Timestamp;
use skillc_domain::usage::{SkillFilter, UsageFilter};
use std::collections::BTreeSet;
use std::path::Path;

/// Length in characters of a list's line without name and description: `- `, `: ` and the line break.
const LINE_CHARS: usize = 5;
/// Minimum difference in tokens between a line and the description, since the estimate is rounded.
const CUT_TOKENS_MIN: u64 = 3;

/// A SKILL.md, and its description.
struct Described {
    text: String,
    description: String,
    /// Byte range of the description in the text.
    span: std::ops::Range<usize>,
    /// When the file was last changed.
    modified: i64,
}

/// One proposal per skill whose description was shorter in lists than in SKILL.md.
///
/// # Errors
/// E032 for a damaged log.
pub async fn proposals(app: &App, evidence: &SlimEvidence) -> Result<Vec<SlimProposal>, Failure> {
    let is_offer = |kind| kind == HistoryKind::Offered;
    let offered: BTreeSet<&str> = evidence
        .tallies
        .iter()
        .filter(|tally| is_offer(tally.kind) && !tally.skill_path.is_empty())
        .map(|tally| tally.skill_path.as_str())
        .collect();
    let (mut found, no_reads) = (Vec::new(), RecordedReads::default());
    for skill in offered.into_iter().filter_map(|path| present(app, Path::new(path))) {
        if let Some(described) = described(app, &skill) {
            let texts = SkillTexts::of(app, &skill, evidence.reads_of(&skill).unwrap_or(&no_reads))?;
            let proposal = proposal(app, skill, &texts, described).await?;
            found.extend(proposal.filter(|proposal| proposal.missed == 0));
        }
    }
    Ok(found)
}

fn described(app: &App, skill: &Skill) -> Option<Described> {
    let content = app.ports.files.open(&skill.path).ok()?.read(&skill_file(), TEXT_BYTES_MAX).ok()?;
    let text = String::from_utf8(content.bytes).ok()?;
    let front = app.ports.reader.front_matter(&text).ok()??;
    let node = front.get("description")?;
    let (description, span) = (node.text()?.trim().to_owned(), node.span.clone());
    Some(Described { text, description, span, modified: content.stamp.mtime_ns })
}

async fn proposal(
    app: &App,
    skill: Skill,
    texts: &SkillTexts,
    described: Described,
) -> Result<Option<SlimProposal>, Failure> {
    let path = app.call.places.history_log();
    // Older lists had another description.
    let filter = UsageFilter {
        skill: SkillFilter::Path(skill.path_text()),
        since: Some(Timestamp::of(described.modified)),
        ..UsageFilter::default()
    };
    let tallies = app.ports.logs.at(&path).history(&filter).await;
    let tallies = tallies.map_err(|error| unreadable(HISTORY, &path, error))?;
    // A client truncates more if more skills are offered; the longest line that an agent was given counts.
    let given = tallies.iter().filter(|tally| tally.kind == HistoryKind::Offered);
    let given = given.max_by_key(|tally| tally.listing_tokens.checked_div(tally.events).unwrap_or_default());
    let Some(given) = given else { return Ok(None) };
    let line_tokens = given.listing_tokens.checked_div(given.events).unwrap_or_default();
    let overhead = skill.name.chars().count() + LINE_CHARS;
    let whole_tokens = (overhead + described.description.chars().count()).div_ceil(CHARS_PER_TOKEN) as u64;
    if line_tokens + CUT_TOKENS_MIN > whole_tokens {
        return Ok(None);
    }
    let shown_chars = (line_tokens as usize * CHARS_PER_TOKEN).saturating_sub(overhead);
    let shorter = shortened(&described.description, shown_chars);
    let edits: Vec<FileEdit> =
        shorter.and_then(|shorter| edit(app, &described, shorter)).into_iter().collect();
    let saved = shorter.map_or(0, |shorter| {
        let shorter_tokens = (overhead + shorter.chars().count()).div_ceil(CHARS_PER_TOKEN) as u64;
        line_tokens.saturating_sub(shorter_tokens)
    });
    let Replay { replayed, missed } = replay(app, texts, &edits);
    let no_text = edits
        .is_empty()
        .then(|| "no sentence of the description ends early enough; write a shorter one".to_owned());
    let shown = tokens_of(&described.description).saturating_sub(whole_tokens.saturating_sub(line_tokens));
    Ok(Some(SlimProposal {
        id: format!("shorten:{}", skill.name),
        kind: "shorten",
        reason: format!(
            "lists show about {shown} of the {} tokens of its description",
            tokens_of(&described.description)
        ),
        tokens: saved,
        times: given.sessions,
        replayed,
        missed,
        diff: diff(&skill, &edits),
        obstacle: no_text.or_else(|| obstacle(app, &skill)),
        change: if edits.is_empty() { SlimChange::Nothing } else { SlimChange::Edit(edits) },
        skill: skill.name,
        skill_path: skill.path,
    }))
}

/// The SKILL.md with another description; `None` if the old one cannot be replaced.
fn edit(app: &App, described: &Described, description: &str) -> Option<FileEdit> {
    let Described { text, span, .. } = described;
    // A JSON string is also a YAML string.
    let value = Value::from(description).to_string();
    let end = if text[span.clone()].ends_with('\n') { "\n" } else { "" };
    let new = [&text[..span.start], &value, end, &text[span.end..]].concat();
    let (before, after) =
        (app.ports.reader.front_matter(text).ok()??, app.ports.reader.front_matter(&new).ok()??);
    let is_whole = after.get("description").and_then(Node::text) == Some(description)
        && before.fields.len() == after.fields.len();
    is_whole.then(|| FileEdit { path: skill_file(), old: Some(text.clone()), new })
}
