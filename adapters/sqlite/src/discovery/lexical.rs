//! Lexical search.

use rusqlite::{Connection, Result, ToSql, params};
use skillc_domain::discovery::words::{SAID_WEIGHTS, TEXT_WEIGHTS};
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
    let query = fts5(words);
    if query.is_empty() || limit == 0 {
        return Ok(Vec::new());
    }
    let mut scores = Vec::new();
    let [name, description, headings, body] = TEXT_WEIGHTS;
    let all = "SELECT rowid, bm25(skill_texts, ?2, ?3, ?4, ?5) FROM skill_texts WHERE skill_texts MATCH ?1";
    add(db, all, params![query, name, description, headings, body], &mut scores)?;
    if weighing == Weighing::Alone {
        let [name, description] = SAID_WEIGHTS;
        let said = "SELECT rowid, bm25(skill_words, ?2, ?3) FROM skill_words WHERE skill_words MATCH ?1";
        add(db, said, params![query, name, description], &mut scores)?;
    }
    let mut ranked = summed(scores);
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    named(db, &ranked, limit, candidates)
}

/// Adds rows with their scores, in the order of rows.
fn add(db: &Connection, sql: &str, asked: &[&dyn ToSql], scores: &mut Vec<(i64, f64)>) -> Result<()> {
    let mut scored = db.prepare_cached(sql)?;
    let mut rows = scored.query(asked)?;
    while let Some(row) = rows.next()? {
        // FTS5 scores are negative: lower is better.
        scores.push((row.get(0)?, -row.get::<_, f64>(1)?));
    }
    Ok(())
}

/// Merges repeated rows by adding their scores. Sorting two ordered runs is a single pass.
fn summed(mut scores: Vec<(i64, f64)>) -> Vec<(i64, f64)> {
    scores.sort_by_key(|(row, _)| *row);
    scores.dedup_by(|next, previous| {
        let is_same = next.0 == previous.0;
        previous.1 += if is_same { next.1 } else { 0.0 };
        is_same
    });
    scores
}

/// The ids of the best rows that count. All rows tied with the last one are considered, so that the result does not depend
/// on the order of insertion.
fn named(
    db: &Connection,
    ranked: &[(i64, f64)],
    limit: usize,
    candidates: Candidates<'_>,
) -> Result<Vec<ScoredSkill>> {
    let mut id_of = db.prepare_cached("SELECT skill_id FROM skill_records WHERE row = ?1")?;
    let mut found: Vec<ScoredSkill> = Vec::new();
    for (row, score) in ranked {
        if found.len() >= limit && found.last().is_some_and(|last| *score < last.score) {
            break;
        }
        let id: String = id_of.query_row([row], |row| row.get(0))?;
        if counts(candidates, &id) {
            found.push(ScoredSkill { id, score: *score });
        }
    }
    Ok(best(found, limit))
}

/// A query for any of the words, each as a quoted phrase without syntax.
fn fts5(words: &[String]) -> String {
    let phrases: Vec<_> =
        words.iter().map(|word| format!("\"{}\"", separate_cjk(word).replace(['"', '\0'], " "))).collect();
    phrases.join(" OR ")
}
