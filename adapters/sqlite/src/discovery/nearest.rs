//! Finds the nearest vectors: with vec0 for the first search in a state of the index, and with a matrix in memory
//! from the second on. Vectors that are stored as codes are always searched in memory.
//!
//! vec0 reads all vectors from the file for each search (adr/0026). A process that searches twice is likely to search
//! again, so the second search loads them into memory (adr/0030).

use super::coded::CodedVector;
use super::matrix::{Matrix, similarity, similarity_of_codes};
use super::write::bytes;
use rusqlite::{Connection, OptionalExtension, Result, Row, params};
use skillc_domain::discovery::words::score_of_distance;
use skillc_domain::model::VectorForm;
use skillc_ports::skill_index::{Candidates, ScoredSkill, SkillIndexVersion, best, counts};
use std::collections::HashSet;

/// The largest `k` that vec0 accepts.
const NEIGHBORS_MAX: i64 = 4096;
/// Maximum number of vectors that a process holds in memory: 192 MB, or 40 MB of codes. Searches among more use vec0,
/// which takes 31 ms for 100,000, or read the codes each time.
const CACHED_VECTORS_MAX: i64 = 100_000;

/// A semantic search.
pub struct NearestQuery<'a> {
    /// Considers only vectors of this model; `None` for all models whose vectors are in vec0.
    pub model: Option<&'a str>,
    /// The embedding to compare with, of length one.
    pub vector: &'a [f32],
    /// Maximum number of results; at least 1.
    pub limit: usize,
    /// The skills to consider.
    pub candidates: Candidates<'a>,
}

/// The vectors of one model in one state of the index, cached by the second search; codes by the first.
#[derive(Default)]
pub struct MatrixCache {
    state: Option<(SkillIndexVersion, Option<String>)>,
    matrix: Option<Matrix>,
}

impl MatrixCache {
    /// The matrix for a search in this state of the index; `None` for the first search in vec0, and if there are too
    /// many vectors.
    fn get(
        &mut self,
        db: &Connection,
        version: SkillIndexVersion,
        model: Option<&str>,
    ) -> Result<Option<&Matrix>> {
        let is_same = self.state.as_ref().is_some_and(|(v, m)| *v == version && m.as_deref() == model);
        if !is_same {
            *self = Self { state: Some((version, model.map(str::to_owned))), matrix: None };
            if form(model) == VectorForm::Floats {
                return Ok(None);
            }
        }
        if self.matrix.is_none() && indexed_count(db)? <= CACHED_VECTORS_MAX {
            self.matrix = Some(read(db, model)?);
        }
        Ok(self.matrix.as_ref())
    }

    /// The matrix, if an earlier search has read it in this state of the index.
    fn loaded(&self, version: SkillIndexVersion, model: &str) -> Option<&Matrix> {
        let (of, by) = self.state.as_ref()?;
        self.matrix.as_ref().filter(|_| *of == version && by.as_deref() == Some(model))
    }
}

/// The skills with the nearest vectors, best first, then by id.
pub fn nearest(
    db: &Connection,
    version: SkillIndexVersion,
    cache: &mut MatrixCache,
    query: &NearestQuery<'_>,
) -> Result<Vec<ScoredSkill>> {
    if let Some(matrix) = cache.get(db, version, query.model)? {
        return Ok(matrix.nearest(query.vector, query.limit, query.candidates));
    }
    let found = match form(query.model) {
        VectorForm::Floats => by_vec0(db, query)?,
        VectorForm::FiveBits => None,
    };
    match found {
        Some(found) => Ok(found),
        None => Ok(read(db, query.model)?.nearest(query.vector, query.limit, query.candidates)),
    }
}

/// The similarity of some skills' vectors of a model, in no particular order.
pub fn similarities(
    db: &Connection,
    version: SkillIndexVersion,
    cache: &MatrixCache,
    (model, vector): (&str, &[f32]),
    ids: &HashSet<&str>,
) -> Result<Vec<ScoredSkill>> {
    let scored = |id: &str, score| ScoredSkill::new(id.to_owned(), score);
    if let Some(matrix) = cache.loaded(version, model) {
        return Ok(ids.iter().filter_map(|id| Some(scored(id, matrix.similarity(id, vector)?))).collect());
    }
    let form = VectorForm::of_model(model);
    let mut read = db.prepare_cached(match form {
        VectorForm::Floats => {
            "SELECT e.embedding FROM skill_vectors AS v JOIN skill_embeddings AS e ON e.skill_id = v.skill_id
             WHERE v.skill_id = ?1 AND v.model = ?2"
        }
        VectorForm::FiveBits => "SELECT codes FROM skill_vectors WHERE skill_id = ?1 AND model = ?2",
    })?;
    let similarity = |row: &Row<'_>| match form {
        VectorForm::Floats => Ok(similarity(&floats(row.get_ref(0)?.as_blob()?), vector)),
        VectorForm::FiveBits => {
            let own: CodedVector = row.get(0)?;
            Ok(similarity_of_codes(own.scale, &own.codes, vector))
        }
    };
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        found.extend(read.query_row(params![id, model], similarity).optional()?.map(|own| scored(id, own)));
    }
    Ok(found)
}

fn form(model: Option<&str>) -> VectorForm {
    model.map_or(VectorForm::Floats, VectorForm::of_model)
}

/// The number of skills that have a vector.
pub fn indexed_count(db: &Connection) -> Result<i64> {
    db.query_row("SELECT count(*) FROM skill_vectors", [], |row| row.get(0))
}

/// Searches with vec0; `None` if too many of the neighbors are not candidates, since vec0 knows neither models nor
/// candidates.
fn by_vec0(db: &Connection, query: &NearestQuery<'_>) -> Result<Option<Vec<ScoredSkill>>> {
    let all = indexed_count(db)?;
    let first = i64::try_from(query.limit).unwrap_or(NEIGHBORS_MAX).saturating_mul(4).min(NEIGHBORS_MAX);
    for k in [first, NEIGHBORS_MAX] {
        let found = neighbors(db, query, k)?;
        if found.len() >= query.limit || k >= all {
            return Ok(Some(best(found, query.limit)));
        }
    }
    Ok(None)
}

fn neighbors(db: &Connection, query: &NearestQuery<'_>, k: i64) -> Result<Vec<ScoredSkill>> {
    let mut nearest = db.prepare_cached(
        "SELECT e.skill_id, e.distance FROM
             (SELECT skill_id, distance FROM skill_embeddings WHERE embedding MATCH ?1 AND k = ?2) AS e
         JOIN skill_vectors AS v ON v.skill_id = e.skill_id WHERE ?3 IS NULL OR v.model = ?3",
    )?;
    let mut rows = nearest.query(params![bytes(query.vector), k, query.model])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let id = row.get_ref(0)?.as_str()?;
        if counts(query.candidates, id) {
            let score = score_of_distance(row.get(1)?);
            found.push(ScoredSkill::new(id.to_owned(), score));
        }
    }
    Ok(found)
}

/// Reads the vectors of a model, or all that are in vec0.
fn read(db: &Connection, model: Option<&str>) -> Result<Matrix> {
    let mut matrix = Matrix::default();
    match form(model) {
        VectorForm::Floats => read_floats(db, model, &mut matrix)?,
        VectorForm::FiveBits => read_codes(db, model, &mut matrix)?,
    }
    matrix.sort_ids();
    Ok(matrix)
}

fn read_codes(db: &Connection, model: Option<&str>, matrix: &mut Matrix) -> Result<()> {
    let mut all = db.prepare_cached("SELECT skill_id, codes FROM skill_vectors WHERE model = ?1")?;
    let mut rows = all.query(params![model])?;
    while let Some(row) = rows.next()? {
        matrix.push_coded(row.get(0)?, &row.get(1)?);
    }
    Ok(())
}

/// Reads vectors from vec0, which comes first in the join, since it is fast in its own order and slow by id.
fn read_floats(db: &Connection, model: Option<&str>, matrix: &mut Matrix) -> Result<()> {
    let mut all = db.prepare_cached(
        "SELECT e.skill_id, e.embedding FROM skill_embeddings AS e CROSS JOIN skill_vectors AS v
         WHERE v.skill_id = e.skill_id AND (?1 IS NULL OR v.model = ?1)",
    )?;
    let mut rows = all.query(params![model])?;
    while let Some(row) = rows.next()? {
        matrix.push(row.get(0)?, &floats(row.get_ref(1)?.as_blob()?));
    }
    Ok(())
}

/// A vector as vec0 returns it: `f32` in the machine's byte order.
fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|component| f32::from_ne_bytes(*component)).collect()
}
