//! Implements the skill index port.

use super::database::Database;
use super::lexical::Weighing;
use super::nearest::{MatrixCache, NearestQuery, nearest, similarities};
use super::scans::SqliteScanCache;
use super::{lexical, schema, write};
use async_trait::async_trait;
use rusqlite::{Connection, Result as SqlResult, Row, params};
use skillc_domain::digest::Digest;
use skillc_fs::Folder;
use skillc_ports::skill_index::{comparable, counts};
use skillc_ports::{
    Candidates, ErrorKind, IndexedSkill, PortError, ScoredSkill, SkillIndex, SkillIndexVersion, SkillIndexes,
    SkillRecord, SkillVector, UnembeddedSkill,
};
use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// A skill index in one SQLite file.
pub struct SkillDiscoveryIndex {
    pub(super) database: Arc<Database>,
    matrix: Mutex<MatrixCache>,
}

impl SkillDiscoveryIndex {
    /// An index in a file, opened and if needed created by the first call.
    pub fn at(path: &Path) -> Self {
        Self::of(Database::at(path))
    }

    /// An empty index in memory.
    pub fn in_memory() -> Self {
        Self::of(Database::in_memory())
    }

    fn of(database: Database) -> Self {
        Self { database: Arc::new(database), matrix: Mutex::default() }
    }

    /// The cache of scans in the same file.
    pub fn scans(&self) -> SqliteScanCache {
        SqliteScanCache::new(self.database.clone())
    }

    pub(super) fn update(&self, put: &[IndexedSkill], removed: &[String]) -> Result<(), PortError> {
        self.database.with("write", |db| write::change(db, put, removed, now_s()))
    }

    pub(super) fn insert_vectors(&self, model: &str, vectors: &[SkillVector]) -> Result<(), PortError> {
        self.database.with("write", |db| write::put_vectors(db, model, vectors))
    }

    /// Finds the nearest vectors, and runs `then` on them in the same snapshot, since another process may remove a
    /// skill that was found.
    pub(super) fn nearest<T>(
        &self,
        query: &NearestQuery<'_>,
        then: impl Fn(&Connection, Vec<ScoredSkill>) -> SqlResult<T>,
    ) -> Result<T, PortError> {
        self.database.with("search", |db| {
            let version = self.database.version_of(db)?;
            let mut matrix = self.matrix.lock().unwrap_or_else(PoisonError::into_inner);
            let db = db.transaction()?;
            let found = nearest(&db, version, &mut matrix, query)?;
            then(&db, found)
        })
    }
}

/// Opens skill indexes in SQLite.
#[derive(Clone, Copy, Debug, Default)]
pub struct SqliteSkillIndexes;

impl SkillIndexes for SqliteSkillIndexes {
    fn open(&self, file: Option<&Path>) -> Arc<dyn SkillIndex> {
        Arc::new(file.map_or_else(SkillDiscoveryIndex::in_memory, SkillDiscoveryIndex::at))
    }

    fn holds_other(&self, file: &Path) -> Result<bool, PortError> {
        let (folder, name) = match Folder::of_file(file) {
            Err(error) if error.kind == ErrorKind::NotFound => return Ok(false),
            opened => opened?,
        };
        let opened = match folder.open_file(name) {
            Err(error) if error.kind == ErrorKind::NotFound => return Ok(false),
            opened => opened?,
        };
        let mut head = Vec::with_capacity(schema::HEAD_BYTES);
        let read = opened.take(schema::HEAD_BYTES as u64).read_to_end(&mut head);
        read.map_err(|error| PortError::io(format!("read '{}'", file.display()), error))?;
        Ok(!schema::is_ours(&head))
    }
}

#[async_trait]
impl SkillIndex for SkillDiscoveryIndex {
    async fn version(&self) -> Result<Option<SkillIndexVersion>, PortError> {
        self.database.version().map(Some)
    }

    async fn records(&self) -> Result<Vec<SkillRecord>, PortError> {
        self.database.with("read", |db| {
            let mut all =
                db.prepare_cached("SELECT skill_id, path, digest FROM skill_records ORDER BY skill_id")?;
            all.query_map([], record)?.collect()
        })
    }

    async fn change(&self, put: &[IndexedSkill], removed: &[String]) -> Result<(), PortError> {
        if put.is_empty() && removed.is_empty() {
            return Ok(());
        }
        self.update(put, removed)
    }

    async fn lexical(
        &self,
        words: &[String],
        limit: usize,
        candidates: Candidates<'_>,
    ) -> Result<Vec<ScoredSkill>, PortError> {
        self.database.with("search", |db| {
            lexical::search(&*db.transaction()?, words, Weighing::Alone, limit, candidates)
        })
    }

    async fn lexical_beside_meaning(
        &self,
        words: &[String],
        limit: usize,
        candidates: Candidates<'_>,
    ) -> Result<Vec<ScoredSkill>, PortError> {
        self.database.with("search", |db| {
            lexical::search(&*db.transaction()?, words, Weighing::BesideMeaning, limit, candidates)
        })
    }

    async fn without_vector(
        &self,
        model: &str,
        limit: usize,
        candidates: Candidates<'_>,
    ) -> Result<Vec<UnembeddedSkill>, PortError> {
        self.database.with("read", |db| without_vector(&*db.transaction()?, model, limit, candidates))
    }

    async fn put_vectors(&self, model: &str, vectors: &[SkillVector]) -> Result<(), PortError> {
        vectors.iter().try_for_each(|vector| comparable(&vector.vector))?;
        if vectors.is_empty() {
            return Ok(());
        }
        self.insert_vectors(model, vectors)
    }

    async fn semantic(
        &self,
        model: &str,
        vector: &[f32],
        limit: usize,
        candidates: Candidates<'_>,
    ) -> Result<Vec<ScoredSkill>, PortError> {
        comparable(vector)?;
        if limit == 0 {
            return Ok(Vec::new());
        }
        let query = NearestQuery { model: Some(model), vector, limit, candidates };
        self.nearest(&query, |_, found| Ok(found))
    }

    async fn similarities(
        &self,
        model: &str,
        vector: &[f32],
        ids: &HashSet<&str>,
    ) -> Result<Vec<ScoredSkill>, PortError> {
        comparable(vector)?;
        self.database.with("search", |db| {
            let version = self.database.version_of(db)?;
            let matrix = self.matrix.lock().unwrap_or_else(PoisonError::into_inner);
            similarities(&*db.transaction()?, version, &matrix, (model, vector), ids)
        })
    }
}

fn record(row: &Row<'_>) -> SqlResult<SkillRecord> {
    let path: String = row.get(1)?;
    Ok(SkillRecord { id: row.get(0)?, path: PathBuf::from(path), digest: Some(Digest(row.get(2)?)) })
}

fn without_vector(
    db: &Connection,
    model: &str,
    limit: usize,
    candidates: Candidates<'_>,
) -> SqlResult<Vec<UnembeddedSkill>> {
    let mut lacking = db.prepare_cached(
        "SELECT r.skill_id, m.name, m.description, r.meaning FROM skill_records AS r
         JOIN skill_metadata AS m ON m.skill_id = r.skill_id
         LEFT JOIN skill_vectors AS v ON v.skill_id = r.skill_id
         WHERE v.row IS NULL OR v.model <> ?1 OR v.meaning <> r.meaning ORDER BY r.skill_id",
    )?;
    let mut rows = lacking.query(params![model])?;
    let mut found = Vec::new();
    while found.len() < limit
        && let Some(row) = rows.next()?
    {
        if counts(candidates, row.get_ref(0)?.as_str()?) {
            found.push(UnembeddedSkill {
                id: row.get(0)?,
                name: row.get(1)?,
                description: row.get(2)?,
                meaning: Digest(row.get(3)?),
            });
        }
    }
    Ok(found)
}

/// Seconds since 1970 UTC. The program only writes this value.
fn now_s() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
