//! Searching vectors.

use super::write::bytes;
use rusqlite::{Connection, Result, params};
use skillc_domain::discovery::words::score_of_distance;
use skillc_ports::skill_index::{Candidates, ScoredSkill, best, counts};

/// Neighbours that vec0 gives at most.
const NEIGHBOURS_MAX: i64 = 4096;

/// The nearest of a model's vectors that count, or of all models', by vec0.
///
/// vec0 knows neither models nor what counts: as many more neighbours are asked for as it takes.
pub fn nearest(
    db: &Connection,
    model: Option<&str>,
    vector: &[f32],
    limit: usize,
    among: Candidates<'_>,
) -> Result<Vec<ScoredSkill>> {
    let all: i64 = db.query_row("SELECT count(*) FROM skill_vectors", [], |row| row.get(0))?;
    let query = bytes(vector);
    let first = i64::try_from(limit).unwrap_or(NEIGHBOURS_MAX).saturating_mul(4).min(NEIGHBOURS_MAX);
    for asked in [first, NEIGHBOURS_MAX] {
        let found = among_neighbours(db, model, &query, asked, among)?;
        if found.len() >= limit || asked >= all {
            return Ok(best(found, limit));
        }
    }
    every(db, model, &query, among).map(|found| best(found, limit))
}

fn among_neighbours(
    db: &Connection,
    model: Option<&str>,
    query: &[u8],
    asked: i64,
    among: Candidates<'_>,
) -> Result<Vec<ScoredSkill>> {
    let mut nearest = db.prepare_cached(
        "SELECT e.skill_id, e.distance FROM
             (SELECT skill_id, distance FROM skill_embeddings WHERE embedding MATCH ?1 AND k = ?2) AS e
         JOIN skill_vectors AS v ON v.skill_id = e.skill_id WHERE ?3 IS NULL OR v.model = ?3",
    )?;
    collect(nearest.query(params![query, asked, model])?, among)
}

/// Every vector of the model that counts: where nearly all that are near do not.
fn every(
    db: &Connection,
    model: Option<&str>,
    query: &[u8],
    among: Candidates<'_>,
) -> Result<Vec<ScoredSkill>> {
    let mut all = db.prepare_cached(
        "SELECT v.skill_id, vec_distance_L2(e.embedding, ?1) FROM skill_vectors AS v
         JOIN skill_embeddings AS e ON e.skill_id = v.skill_id WHERE ?2 IS NULL OR v.model = ?2",
    )?;
    collect(all.query(params![query, model])?, among)
}

fn collect(mut rows: rusqlite::Rows<'_>, among: Candidates<'_>) -> Result<Vec<ScoredSkill>> {
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let id = row.get_ref(0)?.as_str()?;
        if counts(among, id) {
            found.push(ScoredSkill { id: id.to_owned(), score: score_of_distance(row.get(1)?) });
        }
    }
    Ok(found)
}

/// A vector as vec0 gives it.
pub fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|component| f32::from_ne_bytes(*component)).collect()
}
