//! Lexical search with FTS5.

use rusqlite::{Connection, Result, ToSql, params};
use skillc_domain::discovery::words::{
    COMMON_COVERAGE, SAID_WEIGHTS, TEXT_WEIGHTS, WORD_SCORE_MAX, is_common, is_of_other_script, word_weight,
};
use skillc_domain::query::separate_cjk;
use skillc_ports::skill_index::{Candidates, ScoredSkill, best, counts};

/// How a lexical score is used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Weighing {
    /// Alone.
    Alone,
    /// Combined with a semantic score.
    BesideMeaning,
}

/// Finds the skills that contain any of the words, best first. Must run in a transaction, since row numbers can
/// change.
///
/// Name and description are also in a table of their own. FTS5 weights a match by the length of the whole row, and in
/// a purely lexical search a word in the description must not count less because the text is long.
pub fn search(
    db: &Connection,
    words: &[String],
    weighing: Weighing,
    limit: usize,
    candidates: Candidates<'_>,
) -> Result<Vec<ScoredSkill>> {
    if words.is_empty() || limit == 0 {
        return Ok(Vec::new());
    }
    let skills = db.query_row("SELECT count(*) FROM skill_records", [], |row| row.get(0))?;
    let mut scores = WordScores { skills, ..WordScores::default() };
    let [name, description, headings, body] = TEXT_WEIGHTS;
    let all = "SELECT rowid, bm25(skill_texts, ?2, ?3, ?4, ?5) FROM skill_texts WHERE skill_texts MATCH ?1";
    let [said_name, said_description] = SAID_WEIGHTS;
    let said = "SELECT rowid, bm25(skill_words, ?2, ?3) FROM skill_words WHERE skill_words MATCH ?1";
    for (at, word) in words.iter().enumerate() {
        let (asked, word) = (word, phrase(word));
        let texts = rows(db, all, params![word, name, description, headings, body])?;
        let said = match weighing {
            Weighing::Alone => Some(rows(db, said, params![word, said_name, said_description])?),
            Weighing::BesideMeaning => None,
        };
        if texts.is_empty() && is_of_other_script(asked) {
            continue;
        }
        scores.add_word(1 << at.min(63), !is_common(asked), &texts, said.as_deref());
    }
    named(db, &scores.ranked(words.len()), limit, candidates)
}

/// The rows that contain a word, with their FTS5 scores; higher is better.
fn rows(db: &Connection, sql: &str, asked: &[&dyn ToSql]) -> Result<Vec<(i64, f64)>> {
    let mut scored = db.prepare_cached(sql)?;
    let rows = scored.query_map(asked, |row| Ok((row.get(0)?, -row.get::<_, f64>(1)?)))?;
    rows.collect()
}

/// How much a word in the text counts for the coverage of a request; a word in name or description counts 1.
const TEXT_COVERAGE: f64 = 0.5;

/// Scores of single words, which add up to the score of a row.
#[derive(Default)]
struct WordScores {
    /// Number of skills in the index.
    skills: u32,
    /// The rows that contain each word, in row order for each word.
    held: Vec<HeldWord>,
    /// The sum of the highest possible scores of the words.
    highest: f64,
    /// The sum of the weights of the words.
    weight: f64,
    /// The distinctive words, as a bit set.
    telling_words: u64,
    /// Whether names and descriptions were searched too, so that coverage is known.
    has_coverage: bool,
}

/// A word in a row, or the sum of several words.
struct HeldWord {
    row: i64,
    score: f64,
    /// The share of the total weight.
    covered: f64,
    /// A bit per word.
    words: u64,
}

/// A row among the results.
struct RankedRow {
    row: i64,
    /// The share of the highest score.
    share: f64,
    coverage: Option<f64>,
    has_every_word: bool,
}

impl WordScores {
    /// Adds the rows that contain a word in any text and, unless semantic scores are used, in name or description.
    fn add_word(&mut self, word: u64, is_telling: bool, texts: &[(i64, f64)], said: Option<&[(i64, f64)]>) {
        self.telling_words |= if is_telling { word } else { 0 };
        let weight = word_weight(self.skills, count(texts));
        self.weight += weight;
        self.has_coverage = said.is_some();
        self.add(word, texts, weight * TEXT_COVERAGE);
        if let Some(said) = said {
            self.add(word, said, weight * (1.0 - TEXT_COVERAGE));
        }
    }

    /// Adds scored rows. FTS5 gives almost no weight to a word that most rows contain, which in a store of a few
    /// skills would be every word, so its weight is replaced by ours.
    fn add(&mut self, word: u64, rows: &[(i64, f64)], covered: f64) {
        let holding = count(rows);
        let (weight, own) = (word_weight(self.skills, holding), weight_of_fts5(self.skills, holding));
        let score = |score: f64| weight * (score / own).clamp(0.0, WORD_SCORE_MAX);
        let held = |(row, own): &(i64, f64)| HeldWord { row: *row, score: score(*own), covered, words: word };
        self.held.extend(rows.iter().map(held));
        self.highest += weight * WORD_SCORE_MAX;
    }

    fn coverage(&self, held: &HeldWord) -> f64 {
        let is_telling = held.words & self.telling_words != 0;
        held.covered / self.weight * if is_telling { 1.0 } else { COMMON_COVERAGE }
    }

    /// The rows without duplicates, best first. The input consists of ordered parts, so sorting takes one pass.
    fn ranked(mut self, words: usize) -> Vec<RankedRow> {
        self.held.sort_by_key(|held| held.row);
        self.held.dedup_by(|next, merged| {
            let is_same = next.row == merged.row;
            if is_same {
                merged.score += next.score;
                merged.covered += next.covered;
                merged.words |= next.words;
            }
            is_same
        });
        let every = u64::MAX >> (64 - words.clamp(1, 64));
        let row = |held: &HeldWord| RankedRow {
            row: held.row,
            share: held.score / self.highest,
            coverage: self.has_coverage.then(|| self.coverage(held)),
            has_every_word: held.words == every,
        };
        let mut ranked: Vec<RankedRow> = self.held.iter().map(row).collect();
        ranked.sort_by(|a, b| b.share.total_cmp(&a.share));
        ranked
    }
}

fn count(rows: &[(i64, f64)]) -> u32 {
    u32::try_from(rows.len()).unwrap_or(u32::MAX)
}

/// The weight that FTS5's BM25 gives to a phrase in this many rows.
fn weight_of_fts5(rows: u32, holding: u32) -> f64 {
    let (rows, holding) = (f64::from(rows), f64::from(holding));
    let weight = ((rows - holding + 0.5) / (holding + 0.5)).ln();
    if weight <= 0.0 { 1e-6 } else { weight }
}

/// The ids of the best rows among the candidates. All rows tied with the last one are considered, so that the result
/// does not depend on insertion order.
fn named(
    db: &Connection,
    ranked: &[RankedRow],
    limit: usize,
    candidates: Candidates<'_>,
) -> Result<Vec<ScoredSkill>> {
    let mut id_of = db.prepare_cached("SELECT skill_id FROM skill_records WHERE row = ?1")?;
    let mut found: Vec<ScoredSkill> = Vec::new();
    for ranked in ranked {
        if found.len() >= limit && found.last().is_some_and(|last| ranked.share < last.score) {
            break;
        }
        let id: String = id_of.query_row([ranked.row], |row| row.get(0))?;
        if counts(candidates, &id) {
            let RankedRow { share: score, coverage, has_every_word, .. } = *ranked;
            found.push(ScoredSkill { id, score, coverage, has_every_word });
        }
    }
    Ok(best(found, limit))
}

/// A word as a quoted phrase, so that nothing in it is query syntax.
fn phrase(word: &str) -> String {
    format!("\"{}\"", separate_cjk(word).replace(['"', '\0'], " "))
}
