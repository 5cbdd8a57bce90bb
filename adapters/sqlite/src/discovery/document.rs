//! The interface of the semantic discovery document, over the functions that the port runs on.

use super::nearest::{NearestQuery, indexed_count};
use super::skill_index::SkillDiscoveryIndex;
use rusqlite::{Connection, Result as SqlResult};
use skillc_domain::digest::Digest;
use skillc_domain::discovery::skill::SkillKind;
use skillc_ports::skill_index::comparable;
use skillc_ports::{ErrorKind, IndexedSkill, PortError, SkillVector};
use std::path::{Path, PathBuf};

/// The document's name for a failure of the index.
pub type PythonSkillError = PortError;

/// Model of vectors that are indexed without one.
const UNNAMED_MODEL: &str = "";
/// Digest of a skill that is indexed without its file.
const NO_FILE: Digest = Digest([0; 32]);

/// A skill that [`SkillDiscoveryIndex::search`] found.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillSearchResult {
    /// Id under which it was indexed.
    pub skill_id: String,
    /// Name, as indexed.
    pub name: String,
    /// Description, as indexed.
    pub description: String,
    /// `python`, `markdown` or `builtin`.
    pub source: String,
    /// Similarity, 0 to 1; more is better.
    pub score: f32,
}

impl SkillDiscoveryIndex {
    /// Opens the index in a file, and creates it if necessary; a damaged file is replaced by an empty index.
    ///
    /// # Errors
    /// Any kind, if the file can be neither read nor created.
    pub fn open(db_path: &Path) -> Result<Self, PythonSkillError> {
        let index = Self::at(db_path);
        index.indexed_count().map(|_| index)
    }

    /// Indexes a skill under its id, in place of an earlier one.
    ///
    /// # Errors
    /// `Invalid` for an `embedding` of other than 384 finite components or an unknown `source`; those of the database.
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
    /// Those of the database.
    pub fn remove_skill(&self, skill_id: &str) -> Result<(), PythonSkillError> {
        self.update(&[], &[skill_id.to_owned()])
    }

    /// The skills nearest to a query's embedding, of any model, best first; at most `limit`. An embedding of zeros matches
    /// nothing.
    ///
    /// # Errors
    /// `Invalid` for an embedding of other than 384 finite components; those of the database.
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
    /// Those of the database.
    pub fn is_indexed(&self, skill_id: &str) -> Result<bool, PythonSkillError> {
        self.database.with("read", |db| {
            db.prepare_cached("SELECT 1 FROM skill_vectors WHERE skill_id = ?1")?.exists([skill_id])
        })
    }

    /// The number of skills that have a vector.
    ///
    /// # Errors
    /// Those of the database.
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
            // Two digits of a score matter.
            #[allow(clippy::cast_possible_truncation)]
            score: score as f32,
        })
    })
}
