//! The index of the semantic discovery document: vectors of skills and what they say about themselves.

use super::database::Database;
use super::skill_index::now_s;
use super::{semantic, write};
use rusqlite::{OptionalExtension, params};
use skillc_domain::digest::Digest;
use skillc_ports::skill_index::comparable;
use skillc_ports::{PortError, SkillVector};
use std::collections::HashMap;
use std::fmt;
use std::path::Path;

/// Model of vectors that come without one.
const UNNAMED_MODEL: &str = "";

/// Why the index could not be asked.
#[derive(Debug)]
pub enum PythonSkillError {
    /// The database could not be read or written.
    Index(PortError),
    /// No vector could be made.
    Embedding(PortError),
    /// Folders of skills could not be read.
    Read(PortError),
}

impl fmt::Display for PythonSkillError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(error) | Self::Embedding(error) | Self::Read(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PythonSkillError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Index(error) | Self::Embedding(error) | Self::Read(error) => Some(error),
        }
    }
}

/// A skill that a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillSearchResult {
    /// Its id.
    pub skill_id: String,
    /// Its name.
    pub name: String,
    /// What it says about itself.
    pub description: String,
    /// `python`, `markdown` or `builtin`.
    pub source: String,
    /// 0 to 1; more is better.
    pub score: f32,
}

/// Skills by the vectors of what they say about themselves.
pub struct SkillDiscoveryIndex {
    database: Database,
}

impl SkillDiscoveryIndex {
    /// Opens the index in a file, and makes it if need be; one that is damaged is begun anew.
    ///
    /// # Errors
    /// `Index` when the file can be neither read nor made.
    pub fn open(db_path: &Path) -> Result<Self, PythonSkillError> {
        let index = Self { database: Database::at(db_path) };
        index.indexed_count().map(|_| index)
    }

    /// Puts a skill in, in place of one of the same id.
    ///
    /// # Errors
    /// `Index`, also for an `embedding` that has not 384 components.
    pub fn index_skill(
        &self,
        skill_id: &str,
        name: &str,
        description: &str,
        source: &str,
        embedding: &[f32],
    ) -> Result<(), PythonSkillError> {
        let vector =
            SkillVector { id: skill_id.to_owned(), meaning: Digest([0; 32]), vector: embedding.to_vec() };
        self.put(UNNAMED_MODEL, &vector, name, description, source)
    }

    /// The same with the model and the text that the vector comes from.
    pub(super) fn put(
        &self,
        model: &str,
        vector: &SkillVector,
        name: &str,
        description: &str,
        source: &str,
    ) -> Result<(), PythonSkillError> {
        comparable(&vector.vector).map_err(PythonSkillError::Index)?;
        self.ask("write", |db| {
            let transaction = write::begin(db)?;
            let generation = write::next_generation(&transaction)?;
            write::put_vector(&transaction, model, vector, generation)?;
            write::describe(&transaction, &vector.id, name, description, source, now_s())?;
            transaction.commit()
        })
    }

    /// Ids whose vectors did not come with the words of a skill, with model and text of the vectors.
    pub(super) fn embedded(&self) -> Result<HashMap<String, (String, Digest)>, PythonSkillError> {
        self.ask("read", |db| {
            let mut all = db.prepare_cached(
                "SELECT skill_id, model, meaning FROM skill_vectors
                 WHERE skill_id NOT IN (SELECT skill_id FROM skill_records)",
            )?;
            all.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, Digest(row.get(2)?)))))?.collect()
        })
    }

    /// Takes a skill out; one that is not there is left so.
    ///
    /// # Errors
    /// `Index`.
    pub fn remove_skill(&self, skill_id: &str) -> Result<(), PythonSkillError> {
        self.ask("write", |db| {
            let transaction = write::begin(db)?;
            write::forget(&transaction, skill_id)?;
            write::forget_vector(&transaction, skill_id)?;
            transaction.commit()
        })
    }

    /// The nearest skills, best first; at most `limit`.
    ///
    /// # Errors
    /// `Index`, also for a query that has not 384 components.
    pub fn search(
        &self,
        query_embedding: &[f32],
        limit: usize,
    ) -> Result<Vec<SkillSearchResult>, PythonSkillError> {
        comparable(query_embedding).map_err(PythonSkillError::Index)?;
        let says_nothing = query_embedding.iter().all(|component| *component == 0.0);
        if says_nothing || limit == 0 {
            return Ok(Vec::new());
        }
        self.ask("search", |db| {
            // One moment for both: what was found may be taken out by another process.
            let moment = db.transaction()?;
            let near = semantic::nearest(&moment, None, query_embedding, limit, None)?;
            near.iter().map(|near| described(&moment, &near.id, near.score)).collect()
        })
    }

    /// Whether a skill has a vector.
    ///
    /// # Errors
    /// `Index`.
    pub fn is_indexed(&self, skill_id: &str) -> Result<bool, PythonSkillError> {
        self.ask("read", |db| {
            let found = "SELECT 1 FROM skill_vectors WHERE skill_id = ?1";
            db.query_row(found, [skill_id], |_| Ok(())).optional().map(|found| found.is_some())
        })
    }

    /// How many skills have one.
    ///
    /// # Errors
    /// `Index`.
    pub fn indexed_count(&self) -> Result<usize, PythonSkillError> {
        let count: i64 =
            self.ask("read", |db| db.query_row("SELECT count(*) FROM skill_vectors", [], |row| row.get(0)))?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    /// Does something with the open database.
    pub(super) fn ask<T>(
        &self,
        doing: &str,
        work: impl FnMut(&mut rusqlite::Connection) -> rusqlite::Result<T>,
    ) -> Result<T, PythonSkillError> {
        self.database.with(doing, work).map_err(PythonSkillError::Index)
    }
}

fn described(db: &rusqlite::Connection, id: &str, score: f64) -> rusqlite::Result<SkillSearchResult> {
    db.prepare_cached("SELECT name, description, source FROM skill_metadata WHERE skill_id = ?1")?.query_row(
        params![id],
        |row| {
            Ok(SkillSearchResult {
                skill_id: id.to_owned(),
                name: row.get(0)?,
                description: row.get(1)?,
                source: row.get(2)?,
                // A score has two digits that matter.
                #[allow(clippy::cast_possible_truncation)]
                score: score as f32,
            })
        },
    )
}
