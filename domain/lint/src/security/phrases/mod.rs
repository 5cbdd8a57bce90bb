//! Phrases that turn an agent against its user, and whether an occurrence is effective or only mentioned.

pub mod form;
pub mod hidden;
pub mod lists;
pub mod patterns;
pub mod table;
pub mod tables;

use crate::Report;
use crate::rule::Rule;
use crate::security::context_window::floor;
use crate::security::sentence::{cut, paragraph};
use crate::security::wording::{Word, words};
use crate::view::{FileView, LintFile, PatternHit};
use form::{PhraseForm, is_meant};
use skillc_domain::frontmatter::FrontMatterSpan;
use skillc_domain::limits::FRONT_MATTER_BYTES_MAX;
use std::ops::Range;
use table::{PhraseRow, Table};

/// Number of bytes on each side of an anchor that are searched for its phrase.
const PHRASE_BYTES: usize = 240;

/// The effective phrase of a table to which an anchor belongs: its byte range and its row.
pub fn find_phrase(
    file: &LintFile,
    hit: &PatternHit,
    table: &'static Table,
) -> Option<(Range<usize>, &'static PhraseRow)> {
    let text = file.text.as_deref()?;
    let anchor = text.get(hit.span.clone())?.to_ascii_lowercase();
    let mut rows = table.rows_of_anchor(&anchor).peekable();
    rows.peek()?;
    let words = words_around(text, &hit.span);
    let over = words.partition_point(|word| word.span.end <= hit.span.start)
        ..words.partition_point(|word| word.span.start < hit.span.end);
    rows.find_map(|at| {
        let row = &table.rows()[at];
        let spans = table.phrases(at).iter().filter_map(|phrase| phrase.find_over(&words, &over));
        let mut spans = spans.map(|found| words[found.start].span.start..words[found.end - 1].span.end);
        spans.find(|span| is_meant(file, span, row.form)).map(|span| (span, row))
    })
}

fn words_around(text: &str, span: &Range<usize>) -> Vec<Word> {
    let paragraph = paragraph(text, span);
    let start = floor(text, span.start.saturating_sub(PHRASE_BYTES)).max(paragraph.start);
    words(text, start..floor(text, span.end + PHRASE_BYTES).min(paragraph.end))
}

/// The meaning of a match: its byte range, and its effect for messages.
pub type Meaning = Option<(Range<usize>, &'static str)>;

/// Reports the matches of a rule that are effective and in a place that the rule covers.
pub fn report_hits(
    (view, report): (&FileView<'_>, &mut Report<'_>),
    rule: &Rule,
    meaning: fn(&LintFile, &PatternHit) -> Meaning,
    is_place: fn(&LintFile, &Range<usize>) -> bool,
) {
    let mut reported_end = 0;
    for hit in view.file.hits_of(rule.id).filter(|hit| is_place(view.file, &hit.span)) {
        // Several anchors of one phrase, and phrases with common words, are reported once. A phrase contains its
        // anchor.
        if hit.span.end <= reported_end {
            continue;
        }
        let Some((span, does)) = meaning(view.file, hit) else { continue };
        if span.start >= reported_end && is_place(view.file, &span) {
            reported_end = span.end;
            report.at(span.clone(), format!("'{}' {does}", cut(view.file.slice(&span))));
        }
    }
}

/// The meaning of an anchor of a table.
pub fn by_table(file: &LintFile, hit: &PatternHit, table: &'static Table) -> Meaning {
    find_phrase(file, hit, table).map(|(span, row)| (span, row.effect))
}

/// The meaning of a match that needs no table.
pub fn by_itself(file: &LintFile, hit: &PatternHit, form: PhraseForm, does: &'static str) -> Meaning {
    is_meant(file, &hit.span, form).then(|| (hit.span.clone(), does))
}

/// Whether a span is outside of descriptions.
pub fn is_elsewhere(file: &LintFile, span: &Range<usize>) -> bool {
    !is_in_description(file, span)
}

/// Keys whose values are always in an agent's context.
const DESCRIBING: [&str; 2] = ["description", "when_to_use"];

/// Whether a span is in `description` or `when_to_use`, which are always in an agent's context and have a rule of
/// their own.
pub fn is_in_description(file: &LintFile, span: &Range<usize>) -> bool {
    if !file.is_skill_md() {
        return false;
    }
    match file.fields() {
        Some(fields) => {
            DESCRIBING.iter().filter_map(|key| fields.get(key)).any(|value| value.span.contains(&span.start))
        }
        None => is_below_key(file, span),
    }
}

/// The same for front matter that is not valid YAML, which some clients read line by line.
fn is_below_key(file: &LintFile, span: &Range<usize>) -> bool {
    let Some(FrontMatterSpan::Block { yaml: (start, end), .. }) =
        file.markup.as_ref().map(|markup| &markup.front_matter)
    else {
        return false;
    };
    // No client accepts a larger one, and its lines may be long.
    if !(*start..*end).contains(&span.start) || end - start > FRONT_MATTER_BYTES_MAX {
        return false;
    }
    let above = file.text.as_deref().and_then(|text| text.get(*start..span.start)).unwrap_or_default();
    let is_key = |line: &&str| line.starts_with(|c: char| c.is_alphabetic()) && line.contains(':');
    let key = above.lines().rev().find(is_key).and_then(|line| line.split(':').next());
    key.is_some_and(|key| DESCRIBING.contains(&key.trim()))
}
