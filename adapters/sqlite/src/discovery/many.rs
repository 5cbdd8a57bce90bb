//! Searching many vectors: by a matrix in memory, which stands in a file beside the database between processes.

use super::matrix::{Matrix, checksum};
use super::semantic::floats;
use super::write::bytes;
use crate::connection::with_suffix;
use rusqlite::{Connection, OptionalExtension, Result, params};
use skillc_domain::discovery::words::score_of_distance;
use skillc_fs::Folder;
use skillc_ports::skill_index::{Candidates, ScoredSkill, best, counts};
use std::path::Path;

/// Vectors from which a matrix is faster: vec0 takes 3 ms for 10,000 and 31 ms for 100,000.
pub const MANY_FROM: i64 = 20_000;
/// Vectors that changed after the matrix was made and are compared one by one; with more it is made anew.
const LATE_MAX: i64 = 2_000;
/// Vectors beyond those asked for whose order is made exact: eight bits put near ties in another order.
pub const RESCORED: usize = 100;
/// The file of the matrix: `discovery.db.vec`.
const SUFFIX: &str = ".vec";

/// A matrix with the change of vectors up to which it goes.
pub struct Loaded {
    matrix: Matrix,
    generation: i64,
    /// Of the database, which may be begun anew.
    token: Vec<u8>,
}

/// The nearest of a model's vectors that count.
pub fn nearest(
    db: &mut Connection,
    path: Option<&Path>,
    loaded: &mut Option<Loaded>,
    model: &str,
    vector: &[f32],
    limit: usize,
    among: Candidates<'_>,
) -> Result<Vec<ScoredSkill>> {
    if loaded.as_ref().is_none_or(|loaded| !is_of(db, loaded) || !is_fresh_enough(db, loaded.generation)) {
        *loaded = Some(load(db, path)?);
    }
    let Some(Loaded { matrix, generation, .. }) = loaded else { return Ok(Vec::new()) };
    let query = bytes(vector);
    let late = late(db, *generation, model, &query, among)?;
    let mut asked = limit.saturating_add(RESCORED);
    loop {
        let rows = matrix.nearest(vector, asked);
        let mut found = exact(db, &rows, *generation, model, &query, among)?;
        // Where nearly all that are near do not count, more are looked at.
        if found.len() >= limit || rows.len() == matrix.len() {
            found.extend(late);
            return Ok(best(found, limit));
        }
        asked = asked.saturating_mul(8);
    }
}

fn is_of(db: &Connection, loaded: &Loaded) -> bool {
    token(db).is_ok_and(|token| token == loaded.token)
}

fn token(db: &Connection) -> Result<Vec<u8>> {
    db.query_row("SELECT token FROM matrix", [], |row| row.get(0))
}

fn is_fresh_enough(db: &Connection, generation: i64) -> bool {
    let late = "SELECT count(*) FROM (SELECT 1 FROM skill_vectors WHERE generation > ?1 LIMIT ?2)";
    db.query_row(late, params![generation, LATE_MAX + 1], |row| row.get::<_, i64>(0))
        .is_ok_and(|late| late <= LATE_MAX)
}

/// Vectors that the matrix does not have.
fn late(
    db: &Connection,
    generation: i64,
    model: &str,
    query: &[u8],
    among: Candidates<'_>,
) -> Result<Vec<ScoredSkill>> {
    let mut all =
        db.prepare_cached("SELECT skill_id FROM skill_vectors WHERE generation > ?1 AND model = ?2")?;
    let ids: Vec<String> =
        all.query_map(params![generation, model], |row| row.get(0))?.collect::<Result<_>>()?;
    ids.into_iter().filter(|id| counts(among, id)).filter_map(|id| score(db, id, query).transpose()).collect()
}

/// The exact scores of rows of the matrix that still stand for the vector of then.
fn exact(
    db: &Connection,
    rows: &[i64],
    generation: i64,
    model: &str,
    query: &[u8],
    among: Candidates<'_>,
) -> Result<Vec<ScoredSkill>> {
    let mut id_of = db.prepare_cached(
        "SELECT skill_id FROM skill_vectors WHERE row = ?1 AND generation <= ?2 AND model = ?3",
    )?;
    let mut found = Vec::new();
    for row in rows {
        let id: Option<String> =
            id_of.query_row(params![row, generation, model], |row| row.get(0)).optional()?;
        if let Some(id) = id.filter(|id| counts(among, id)) {
            found.extend(score(db, id, query)?);
        }
    }
    Ok(found)
}

fn score(db: &Connection, id: String, query: &[u8]) -> Result<Option<ScoredSkill>> {
    let distance = "SELECT vec_distance_L2(embedding, ?2) FROM skill_embeddings WHERE skill_id = ?1";
    let distance = db.prepare_cached(distance)?.query_row(params![id, query], |row| row.get(0)).optional()?;
    Ok(distance.map(|distance| ScoredSkill { id, score: score_of_distance(distance) }))
}

/// The matrix of the file, if it is the one that the database knows and lacks little; else a new one.
fn load(db: &mut Connection, path: Option<&Path>) -> Result<Loaded> {
    let (built_at, sum): (i64, Option<i64>) =
        db.query_row("SELECT built_at, checksum FROM matrix", [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if let (Some(path), Some(sum)) = (path, sum)
        && is_fresh_enough(db, built_at)
        && let Some(bytes) = read(path)
        && checksum(&bytes) == sum
        && let Some(matrix) = Matrix::from_bytes(&bytes)
    {
        return Ok(Loaded { matrix, generation: built_at, token: token(db)? });
    }
    make(db, path)
}

/// Makes the matrix of one moment, and leaves it in the file for others. Where that cannot be written, it is in memory only.
fn make(db: &mut Connection, path: Option<&Path>) -> Result<Loaded> {
    let transaction = db.transaction()?;
    let generation = transaction.query_row("SELECT generation FROM matrix", [], |row| row.get(0))?;
    let mut matrix = Matrix::default();
    {
        let mut all = transaction.prepare(
            "SELECT v.row, e.embedding FROM skill_vectors AS v
             JOIN skill_embeddings AS e ON e.skill_id = v.skill_id ORDER BY v.row",
        )?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            matrix.push(row.get(0)?, &floats(row.get_ref(1)?.as_blob()?));
        }
    }
    transaction.commit()?;
    if let Some(path) = path {
        let bytes = matrix.bytes();
        // A file of other bytes than the database says is made anew by whoever reads it next.
        if put(path, &bytes).is_some() {
            let told = "UPDATE matrix SET built_at = ?1, checksum = ?2";
            let _ = db.execute(told, params![generation, checksum(&bytes)]);
        }
    }
    Ok(Loaded { matrix, generation, token: token(db)? })
}

/// Bytes of the file of a matrix that are read: those of five million vectors.
const BYTES_MAX: u64 = 2 << 30;

fn read(database: &Path) -> Option<Vec<u8>> {
    let (folder, name) = Folder::of_file(database).ok()?;
    folder.read(with_suffix(&name, SUFFIX), BYTES_MAX).ok()
}

fn put(database: &Path, bytes: &[u8]) -> Option<()> {
    let (folder, name) = Folder::of_file(database).ok()?;
    folder.write_atomic(with_suffix(&name, SUFFIX), bytes).ok()
}
