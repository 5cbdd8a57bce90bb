//! The index as a port.

use super::database::Database;
use super::held::Held;
use super::lexical::Weighing;
use super::many::{self, Loaded, MANY_FROM};
use super::scans::SqliteScanCache;
use super::{lexical, schema, semantic, write};
use async_trait::async_trait;
use rusqlite::{Connection, Result as SqlResult, Row, params};
use skillc_domain::digest::Digest;
use skillc_fs::Folder;
use skillc_ports::skill_index::{comparable, counts};
use skillc_ports::{
    Candidates, ErrorKind, IndexedSkill, PortError, ScoredSkill, SkillIndex, SkillIndexVersion, SkillIndexes,
    SkillRecord, SkillVector, UnembeddedSkill,
};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// Words and vectors of skills in SQLite.
pub struct SqliteSkillIndex {
    database: Arc<Database>,
    held: Mutex<Held>,
    matrix: Mutex<Option<Loaded>>,
}

impl SqliteSkillIndex {
    /// The one in a file; nothing is opened before it is asked.
    pub fn at(path: &Path) -> Self {
        Self::of(Database::at(path))
    }

    fn of(database: Database) -> Self {
        Self { database: Arc::new(database), held: Mutex::default(), matrix: Mutex::default() }
    }

    /// The memory of searches for skills in the same file.
    pub fn scans(&self) -> SqliteScanCache {
        SqliteScanCache::new(self.database.clone())
    }

    /// One that ends with this value.
    pub fn in_memory() -> Self {
        Self::of(Database::in_memory())
    }
}

/// Opens directories in SQLite.
#[derive(Clone, Copy, Debug, Default)]
pub struct SqliteSkillIndexes;

impl SkillIndexes for SqliteSkillIndexes {
    fn open(&self, file: Option<&Path>) -> Arc<dyn SkillIndex> {
        Arc::new(file.map_or_else(SqliteSkillIndex::in_memory, SqliteSkillIndex::at))
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
impl SkillIndex for SqliteSkillIndex {
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
        self.database.with("write", |db| write::change(db, put, removed, now_s()))
    }

    async fn lexical(
        &self,
        words: &[String],
        limit: usize,
        among: Candidates<'_>,
    ) -> Result<Vec<ScoredSkill>, PortError> {
        self.database
            .with("search", |db| lexical::search(&*db.transaction()?, words, Weighing::Alone, limit, among))
    }

    async fn lexical_beside_meaning(
        &self,
        words: &[String],
        limit: usize,
        among: Candidates<'_>,
    ) -> Result<Vec<ScoredSkill>, PortError> {
        self.database.with("search", |db| {
            lexical::search(&*db.transaction()?, words, Weighing::BesideMeaning, limit, among)
        })
    }

    async fn without_vector(
        &self,
        model: &str,
        limit: usize,
        among: Candidates<'_>,
    ) -> Result<Vec<UnembeddedSkill>, PortError> {
        self.database.with("read", |db| without_vector(&*db.transaction()?, model, limit, among))
    }

    async fn put_vectors(&self, model: &str, vectors: &[SkillVector]) -> Result<(), PortError> {
        vectors.iter().try_for_each(|vector| comparable(&vector.vector))?;
        if vectors.is_empty() {
            return Ok(());
        }
        self.database.with("write", |db| write::put_vectors(db, model, vectors))
    }

    async fn semantic(
        &self,
        model: &str,
        vector: &[f32],
        limit: usize,
        among: Candidates<'_>,
    ) -> Result<Vec<ScoredSkill>, PortError> {
        comparable(vector)?;
        if limit == 0 {
            return Ok(Vec::new());
        }
        self.database.with("search", |db| {
            // Counting would look at every row; the last one is as good a measure.
            let last: Option<i64> =
                db.query_row("SELECT max(row) FROM skill_vectors", [], |row| row.get(0))?;
            if last.is_none_or(|last| last <= MANY_FROM) {
                let version = self.database.version_of(db)?;
                let db = db.transaction()?;
                let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
                return match held.nearest(&db, version, model, vector, limit, among)? {
                    Some(found) => Ok(found),
                    None => semantic::nearest(&db, Some(model), vector, limit, among),
                };
            }
            let mut loaded = self.matrix.lock().unwrap_or_else(PoisonError::into_inner);
            many::nearest(db, self.database.path(), &mut loaded, model, vector, limit, among)
        })
    }
}

fn record(row: &Row<'_>) -> SqlResult<SkillRecord> {
    let path: String = row.get(1)?;
    Ok(SkillRecord { id: row.get(0)?, path: PathBuf::from(path), digest: Digest(row.get(2)?) })
}

fn without_vector(
    db: &Connection,
    model: &str,
    limit: usize,
    among: Candidates<'_>,
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
        if counts(among, row.get_ref(0)?.as_str()?) {
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

/// Seconds since 1970; for people who look into the file only.
pub fn now_s() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
