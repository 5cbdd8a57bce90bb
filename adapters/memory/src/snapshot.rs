//! A snapshot of an index: rows as plain values, and the search over them.

use crate::words::{Words, phrases, words_of};
use skillc_domain::freshness::{IndexHeader, RecordedFile};
use skillc_domain::limits::SNIPPET_TOKENS;
use skillc_domain::lookup::FoundHeading;
use skillc_domain::path::RelPath;
use skillc_domain::query::{Hit, MatchTier, Query, join_cjk};
use skillc_domain::section::{IndexableText, Section};
use skillc_domain::text::case_fold::fold;
use skillc_ports::{IndexedFile, Publication, PublishedFile};
use std::collections::BTreeMap;

/// `k1` and `b` of FTS5's `bm25`: the weight of repeated occurrences and of a row's length.
const BM25_K1: f64 = 1.2;
const BM25_B: f64 = 0.75;
/// The weight of a word that occurs in more than half of the rows, as in FTS5.
const WEIGHT_MIN: f64 = 1e-6;
/// Words of a snippet before its first match.
const LEAD_WORDS: usize = 8;

/// The indexed files by path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files(BTreeMap<RelPath, FileRows>);

#[derive(Clone, Debug)]
struct FileRows {
    record: RecordedFile,
    sections: Vec<Section>,
    rows: Vec<SectionRow>,
}

#[derive(Clone, Debug)]
struct SectionRow {
    section: String,
    line: Option<u32>,
    /// File, heading and content.
    columns: [Words; 3],
}

/// The state of an index after a commit.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) header: IndexHeader,
    pub(crate) files: Files,
    published: BTreeMap<String, Vec<u8>>,
}

impl Files {
    /// Adds a file or replaces the one at the same path; if the digest is the same, only the stamp changes.
    pub(crate) fn put(&mut self, file: IndexedFile) {
        let path = file.record.path.clone();
        if let Some(known) = self.0.get_mut(&path)
            && known.record.digest == file.record.digest
        {
            known.record = file.record;
            return;
        }
        self.0.insert(path, FileRows::of(file));
    }

    pub(crate) fn remove(&mut self, path: &RelPath) {
        self.0.remove(path);
    }
}

impl FileRows {
    fn of(file: IndexedFile) -> Self {
        let IndexedFile { record, text } = file;
        let sections = text.as_ref().map(|text| text.sections().to_vec()).unwrap_or_default();
        let count = text.iter().flat_map(IndexableText::rows).count();
        let row = |(at, (section, content)): (usize, (&str, &str))| SectionRow {
            section: section.to_owned(),
            // The last rows are those of the headings.
            line: (at + sections.len()).checked_sub(count).map(|at| sections[at].start_line),
            columns: [record.path.as_str(), section, content].map(Words::of),
        };
        let rows = text.iter().flat_map(IndexableText::rows).enumerate().map(row).collect();
        Self { record, sections, rows }
    }
}

impl SectionRow {
    /// The number of times a phrase occurs in the row; it must be within one column.
    fn occurrences(&self, phrase: &[String]) -> usize {
        self.columns.iter().map(|column| column.places(phrase).len()).sum()
    }

    fn tier(&self, query: &Query, phrases: &[Vec<String>]) -> MatchTier {
        let [_, heading, content] = &self.columns;
        let whole: Vec<String> = words_of(&query.words().collect::<Vec<_>>().join(" "));
        if query.is_heading(&self.section) {
            MatchTier::SameHeading
        } else if phrases.iter().all(|phrase| !heading.places(phrase).is_empty()) {
            MatchTier::InHeading
        } else if query.words().nth(1).is_some() && !content.places(&whole).is_empty() {
            MatchTier::Phrase
        } else {
            MatchTier::Anywhere
        }
    }

    fn length(&self) -> usize {
        self.columns.iter().map(|column| column.words.len()).sum()
    }

    fn snippet(&self, phrases: &[Vec<String>]) -> String {
        let [_, _, content] = &self.columns;
        let mut marks: BTreeMap<usize, usize> = BTreeMap::new();
        for phrase in phrases {
            for at in content.places(phrase) {
                let length = marks.entry(at).or_default();
                *length = phrase.len().max(*length);
            }
        }
        join_cjk(&excerpt(content, &marks))
    }
}

/// A part of a text that begins shortly before the first mark. Marks map the number of their first word to their length
/// in words; a mark that begins inside another is left out.
fn excerpt(content: &Words, marks: &BTreeMap<usize, usize>) -> String {
    let Words { text, words } = content;
    let first = marks.keys().next().map_or(0, |at| at.saturating_sub(LEAD_WORDS));
    let last = words.len().min(first + SNIPPET_TOKENS as usize);
    let start = if first == 0 { 0 } else { words[first].1.start };
    let stop = if last == words.len() { text.len() } else { words[last - 1].1.end };
    let mut excerpt = if first == 0 { String::new() } else { "...".to_owned() };
    let mut done = start;
    for (at, length) in marks.range(first..last) {
        let bytes = words[*at].1.start..words[(at + length).min(last) - 1].1.end;
        if bytes.start < done {
            continue;
        }
        excerpt.push_str(&text[done..bytes.start]);
        excerpt.push_str(&format!("[MATCH]{}[/MATCH]", &text[bytes.clone()]));
        done = bytes.end;
    }
    excerpt.push_str(&text[done..stop]);
    if last < words.len() {
        excerpt.push_str("...");
    }
    excerpt
}

impl Snapshot {
    /// Publishes files; those not published again are taken from `before`.
    pub(crate) fn publish(files: Files, publication: &Publication, before: Option<&Snapshot>) -> Self {
        let mut published = before.map(|snapshot| snapshot.published.clone()).unwrap_or_default();
        published.extend(publication.files.iter().map(|file| (file.name.clone(), file.bytes.clone())));
        Self { header: publication.header.clone(), files, published }
    }

    pub(crate) fn records(&self) -> Vec<RecordedFile> {
        self.files.0.values().map(|file| file.record.clone()).collect()
    }

    pub(crate) fn published_files(&self) -> Vec<PublishedFile> {
        let file =
            |(name, bytes): (&String, &Vec<u8>)| PublishedFile { name: name.clone(), bytes: bytes.clone() };
        self.published.iter().map(file).collect()
    }

    /// All headings by file and line.
    pub(crate) fn headings(&self) -> Vec<FoundHeading> {
        let mut found: Vec<_> = self
            .files
            .0
            .iter()
            .flat_map(|(path, file)| file.sections.iter().map(|s| heading(path, s)))
            .collect();
        found.sort();
        found
    }

    pub(crate) fn headings_matching(&self, folded: &str, file: Option<&RelPath>) -> Vec<FoundHeading> {
        let matches = |heading: &FoundHeading| {
            fold(&heading.text) == folded && file.is_none_or(|file| file.as_str() == heading.file)
        };
        self.headings().into_iter().filter(matches).collect()
    }

    /// The rows in which all phrases of a query occur, by score, file and position.
    pub(crate) fn search(&self, query: &Query, limit: u32) -> Vec<Hit> {
        let phrases = phrases(query);
        if phrases.is_empty() {
            return Vec::new();
        }
        let rows: Vec<(&RelPath, &SectionRow)> = self
            .files
            .0
            .iter()
            .flat_map(|(path, file)| file.rows.iter().map(move |row| (path, row)))
            .collect();
        let ranking = Ranking::of(&phrases, &rows);
        let mut hits: Vec<(MatchTier, f64, &RelPath, &SectionRow)> = rows
            .iter()
            .filter(|(_, row)| phrases.iter().all(|phrase| row.occurrences(phrase) > 0))
            .map(|(path, row)| (row.tier(query, &phrases), ranking.score(row), *path, *row))
            .collect();
        let best = hits.iter().map(|(_, score, ..)| *score).fold(0.0, f64::max);
        // The sort is stable, so rows of one file keep their order.
        hits.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| b.1.total_cmp(&a.1)).then_with(|| a.2.cmp(b.2)));
        let hits = hits.into_iter().take(usize::try_from(limit).unwrap_or(usize::MAX));
        hits.map(|(tier, score, path, row)| Hit {
            file: path.as_str().to_owned(),
            section: row.section.clone(),
            snippet: row.snippet(&phrases),
            score: tier.score(score, best),
            line: row.line,
        })
        .collect()
    }
}

fn heading(path: &RelPath, section: &Section) -> FoundHeading {
    FoundHeading {
        file: path.as_str().to_owned(),
        start_line: section.start_line,
        end_line: section.end_line,
        level: section.level,
        text: section.text.clone(),
    }
}

/// BM25 as FTS5 computes it, from the weight of each phrase and the average length of a row.
struct Ranking<'a> {
    weighted: Vec<(&'a [String], f64)>,
    length_average: f64,
}

impl<'a> Ranking<'a> {
    fn of(phrases: &'a [Vec<String>], rows: &[(&RelPath, &SectionRow)]) -> Self {
        let total = rows.len() as f64;
        let weight = |phrase: &'a Vec<String>| {
            let holding = rows.iter().filter(|(_, row)| row.occurrences(phrase) > 0).count() as f64;
            (phrase.as_slice(), ((total - holding + 0.5) / (holding + 0.5)).ln().max(WEIGHT_MIN))
        };
        let length_average = rows.iter().map(|(_, row)| row.length() as f64).sum::<f64>() / total.max(1.0);
        Self { weighted: phrases.iter().map(weight).collect(), length_average }
    }

    fn score(&self, row: &SectionRow) -> f64 {
        let length = BM25_K1 * (1.0 - BM25_B + BM25_B * row.length() as f64 / self.length_average);
        let part = |(phrase, weight): &(&[String], f64)| {
            let often = row.occurrences(phrase) as f64;
            weight * often * (BM25_K1 + 1.0) / (often + length)
        };
        self.weighted.iter().map(part).sum()
    }
}
