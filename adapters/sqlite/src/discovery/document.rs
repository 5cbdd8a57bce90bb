//! The interface defined by the semantic discovery document, on top of the functions that implement the port.

use super::nearest::{NearestQuery, indexed_count};
use super::skill_index::SkillDiscoveryIndex;
use rusqlite::{Connection, Result as SqlResult};
use skillc_domain::digest::Digest;
use skillc_domain::discovery::skill::SkillKind;
use skillc_ports::skill_index::comparable;
use skillc_ports::{ErrorKind, IndexedSkill, PortError, SkillVector};
use std::path::{Path, PathBuf};

/// The document's name for an error of the index.
pub type PythonSkillError = PortError;

/// The model of vectors that are indexed without naming one.
const UNNAMED_MODEL: &str = "";
/// The digest of a skill that is indexed without its file.
const NO_FILE: Digest = Digest([0; 32]);

/// A result of [`SkillDiscoveryIndex::search`].
#[derive(Clone, Debug, PartialEq)]
pub struct SkillSearchResult {
    /// The id under which it was indexed.
    pub skill_id: String,
    /// The name, as indexed.
    pub name: String,
    /// The description, as indexed.
    pub description: String,
    /// `python`, `markdown` or `builtin`.
    pub source: String,
    /// Similarity from 0 to 1; higher is better.
    pub score: f32,
}

impl SkillDiscoveryIndex {
    /// Opens the index in a file, and creates it if needed. A damaged file is replaced by an empty index.
    ///
    /// # Errors
    /// Any kind, if the file can be neither read nor created.
    pub fn open(db_path: &Path) -> Result<Self, PythonSkillError> {
        let index = Self::at(db_path);
        index.indexed_count().map(|_| index)
    }

    /// Indexes a skill under its id, replacing an earlier one.
    ///
    /// # Errors
    /// `Invalid` if `embedding` does not have 384 finite components or `source` is unknown; database errors.
    pub fn index_skill(
        &self,
        skill_id: &str,
        name: &str,
        description: &str,
        source: &str,
        embedding: &[f32],
    ) -> Result<(), PythonSkillError> {
        comparable(embedding)?;
        let kind = SkillKind::ALL.into_iter().find(|kind| kind.word() == source);
        let kind = kind.ok_or_else(|| PortError::new(ErrorKind::Invalid, format!("index a '{source}'")))?;
        let skill = IndexedSkill {
            id: skill_id.to_owned(),
            path: PathBuf::new(),
            name: name.to_owned(),
            description: description.to_owned(),
            headings: String::new(),
            body: String::new(),
            kind,
            digest: NO_FILE,
            meaning: NO_FILE,
        };
        self.update(&[skill], &[skill_id.to_owned()])?;
        let vector = SkillVector { id: skill_id.to_owned(), meaning: NO_FILE, vector: embedding.to_vec() };
        self.insert_vectors(UNNAMED_MODEL, &[vector])
    }

    /// Removes a skill; an unknown id is ignored.
    ///
    /// # Errors
    /// Database errors.
    pub fn remove_skill(&self, skill_id: &str) -> Result<(), PythonSkillError> {
        self.update(&[], &[skill_id.to_owned()])
    }

    /// The skills closest to a query's embedding, by any model, best first; at most `limit`. An embedding of zeros
    /// matches nothing.
    ///
    /// # Errors
    /// `Invalid` if the embedding does not have 384 finite components; database errors.
    pub fn search(
        &self,
        query_embedding: &[f32],
        limit: usize,
    ) -> Result<Vec<SkillSearchResult>, PythonSkillError> {
        comparable(query_embedding)?;
        if limit == 0 || query_embedding.iter().all(|component| *component == 0.0) {
            return Ok(Vec::new());
        }
        let query = NearestQuery { model: None, vector: query_embedding, limit, candidates: None };
        self.nearest(&query, |db, found| {
            found.iter().map(|skill| described(db, &skill.id, skill.score)).collect()
        })
    }

    /// Whether a skill has a vector.
    ///
    /// # Errors
    /// Database errors.
    pub fn is_indexed(&self, skill_id: &str) -> Result<bool, PythonSkillError> {
        self.database.with("read", |db| {
            db.prepare_cached("SELECT 1 FROM skill_vectors WHERE skill_id = ?1")?.exists([skill_id])
        })
    }

    /// The number of skills that have a vector.
    ///
    /// # Errors
    /// Database errors.
    pub fn indexed_count(&self) -> Result<usize, PythonSkillError> {
        let count = self.database.with("read", |db| indexed_count(db))?;
        Ok(usize::try_from(count).unwrap_or_default())
    }
}

fn described(db: &Connection, id: &str, score: f64) -> SqlResult<SkillSearchResult> {
    let described = "SELECT name, description, source FROM skill_metadata WHERE skill_id = ?1";
    db.prepare_cached(described)?.query_row([id], |row| {
        Ok(SkillSearchResult {
            skill_id: id.to_owned(),
            name: row.get(0)?,
            description: row.get(1)?,
            source: row.get(2)?,
            // Two digits of a score are enough.
            #[allow(clippy::cast_possible_truncation)]
            score: score as f32,
        })
    })
}
