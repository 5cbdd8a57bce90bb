//! Lexical search.

use rusqlite::{Connection, Result, ToSql, params};
use skillc_domain::discovery::words::{SAID_WEIGHTS, TEXT_WEIGHTS, WORD_SCORE_MAX, word_weight};
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

/// The skills that contain any of the words, best first. Must run in a transaction, since row numbers can change.
///
/// Name and description are also in a table of their own: FTS5 weights a hit by the length of the whole row, and in a
/// purely lexical search a word of the description must not count less because the text is long.
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
        let word = phrase(word);
        scores.add(db, all, params![word, name, description, headings, body], at)?;
        if weighing == Weighing::Alone {
            scores.add(db, said, params![word, said_name, said_description], at)?;
        }
    }
    named(db, &scores.ranked(words.len()), limit, candidates)
}

/// Scores of single words, which add up to the score of a row.
#[derive(Default)]
struct WordScores {
    /// Skills of the index.
    skills: u32,
    /// Rows that hold a word, with its score there and the word as a bit.
    held: Vec<(i64, f64, u64)>,
    /// The sum of the highest scores that the words could have.
    highest: f64,
}

/// A row with its share of the highest score, and whether it holds every word.
type RankedRow = (i64, f64, bool);

impl WordScores {
    /// Adds the rows that hold a word, in the order of rows. FTS5 gives the best the lowest number, and a word that most rows
    /// hold next to no weight: in a store of a few skills each word would be one, so its weight is replaced by ours.
    fn add(&mut self, db: &Connection, sql: &str, asked: &[&dyn ToSql], at: usize) -> Result<()> {
        let from = self.held.len();
        let mut scored = db.prepare_cached(sql)?;
        let mut rows = scored.query(asked)?;
        while let Some(row) = rows.next()? {
            self.held.push((row.get(0)?, -row.get::<_, f64>(1)?, 1 << at.min(63)));
        }
        let holding = u32::try_from(self.held.len() - from).unwrap_or(u32::MAX);
        let (weight, own) = (word_weight(self.skills, holding), weight_of_fts5(self.skills, holding));
        for (_, score, _) in &mut self.held[from..] {
            *score = weight * (*score / own).clamp(0.0, WORD_SCORE_MAX);
        }
        self.highest += weight * WORD_SCORE_MAX;
        Ok(())
    }

    /// Each row once, best first. Sorting what comes in ordered parts is one pass over all.
    fn ranked(mut self, words: usize) -> Vec<RankedRow> {
        self.held.sort_by_key(|(row, ..)| *row);
        self.held.dedup_by(|next, merged| {
            let is_same = next.0 == merged.0;
            if is_same {
                *merged = (merged.0, merged.1 + next.1, merged.2 | next.2);
            }
            is_same
        });
        let every = u64::MAX >> (64 - words.clamp(1, 64));
        let row = |(row, score, held): &(i64, f64, u64)| (*row, score / self.highest, *held == every);
        let mut ranked: Vec<RankedRow> = self.held.iter().map(row).collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        ranked
    }
}

/// The weight that the BM25 of FTS5 gives to a phrase, which stands in so many of its rows.
fn weight_of_fts5(rows: u32, holding: u32) -> f64 {
    let (rows, holding) = (f64::from(rows), f64::from(holding));
    let weight = ((rows - holding + 0.5) / (holding + 0.5)).ln();
    if weight <= 0.0 { 1e-6 } else { weight }
}

/// The ids of the best rows that count. All rows tied with the last one are considered, so that the result does not depend
/// on the order of insertion.
fn named(
    db: &Connection,
    ranked: &[RankedRow],
    limit: usize,
    candidates: Candidates<'_>,
) -> Result<Vec<ScoredSkill>> {
    let mut id_of = db.prepare_cached("SELECT skill_id FROM skill_records WHERE row = ?1")?;
    let mut found: Vec<ScoredSkill> = Vec::new();
    for (row, score, has_every_word) in ranked {
        if found.len() >= limit && found.last().is_some_and(|last| *score < last.score) {
            break;
        }
        let id: String = id_of.query_row([row], |row| row.get(0))?;
        if counts(candidates, &id) {
            found.push(ScoredSkill { id, score: *score, has_every_word: *has_every_word });
        }
    }
    Ok(best(found, limit))
}

/// A word as a quoted phrase: nothing in it is syntax.
fn phrase(word: &str) -> String {
    format!("\"{}\"", separate_cjk(word).replace(['"', '\0'], " "))
}
