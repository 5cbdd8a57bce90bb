//! The index for finding skills by their words and vectors.

use crate::error::{ErrorKind, PortError};
use async_trait::async_trait;
use skillc_domain::digest::Digest;
use skillc_domain::discovery::skill::SkillKind;
use skillc_domain::limits::EMBEDDING_DIMENSIONS;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A skill, as the index stores it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedSkill {
    /// Id in the catalog.
    pub id: String,
    /// Its SKILL.md; the skill is removed once this file is gone.
    pub path: PathBuf,
    /// The name, as shown in results. It has the highest weight.
    pub name: String,
    /// The description, which is embedded with the name; may be empty.
    pub description: String,
    /// Headings, one per line.
    pub headings: String,
    /// Text without front matter.
    pub body: String,
    /// Markdown, Python or built in.
    pub kind: SkillKind,
    /// SHA-256 of its file. If it is unchanged, the skill is not indexed again.
    pub digest: Digest,
    /// SHA-256 of the text that is embedded.
    pub meaning: Digest,
}

/// An indexed skill, without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillRecord {
    /// Id in the catalog.
    pub id: String,
    /// Path of the SKILL.md.
    pub path: PathBuf,
    /// SHA-256 of its file when it was indexed; `None` if another program wrote something else.
    pub digest: Option<Digest>,
}

/// A skill without a vector of its current text by a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnembeddedSkill {
    /// Id in the catalog.
    pub id: String,
    /// The name, to embed.
    pub name: String,
    /// The description, to embed; may be empty.
    pub description: String,
    /// SHA-256 of the text to embed.
    pub meaning: Digest,
}

/// The embedding of a skill.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillVector {
    /// Id of the skill.
    pub id: String,
    /// SHA-256 of the embedded text.
    pub meaning: Digest,
    /// `limits::EMBEDDING_DIMENSIONS` × `f32`, of length one.
    pub vector: Vec<f32>,
}

/// A skill found by a search of the index.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredSkill {
    /// Id in the catalog.
    pub id: String,
    /// The score; higher is better. For a lexical search it is BM25; the machine's own index returns it as a share of
    /// the highest score that these words could reach, 0 to 1. For a semantic search it is `1 − d²/2`, the cosine of
    /// unit vectors.
    pub score: f64,
    /// The share of the request's words that the skill contains, 0 to 1; only for a lexical search that is not
    /// combined with a semantic one. Words count by their weight; one that occurs in neither name nor description
    /// counts half.
    pub coverage: Option<f64>,
    /// Whether a lexical search found every word in it.
    pub has_every_word: bool,
}

impl ScoredSkill {
    /// A skill with its score but without information about words.
    pub fn new(id: String, score: f64) -> Self {
        Self { id, score, coverage: None, has_every_word: false }
    }
}

/// Ids of the skills that a search considers; `None` for all.
pub type Candidates<'a> = Option<&'a HashSet<&'a str>>;

/// Whether a search considers a skill.
pub fn counts(candidates: Candidates<'_>, id: &str) -> bool {
    candidates.is_none_or(|ids| ids.contains(id))
}

/// Sorts results, best first, then by id, and keeps at most `limit`.
pub fn best(mut found: Vec<ScoredSkill>, limit: usize) -> Vec<ScoredSkill> {
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.id.cmp(&b.id)));
    found.truncate(limit);
    found
}

/// Checks that a vector has `EMBEDDING_DIMENSIONS` finite components.
///
/// # Errors
/// `Invalid`.
pub fn comparable(vector: &[f32]) -> Result<(), PortError> {
    let is_sound =
        vector.len() == EMBEDDING_DIMENSIONS && vector.iter().all(|component| component.is_finite());
    let doing = || format!("take a vector of {} components", vector.len());
    if is_sound { Ok(()) } else { Err(PortError::new(ErrorKind::Invalid, doing())) }
}

/// Identifies the content of an index. If two values are equal, nothing was changed in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkillIndexVersion(pub [u64; 3]);

/// Stores the words and vectors of a machine's skills. They can be computed again from the skills, so a damaged index
/// is silently replaced by an empty one.
///
/// # Errors
/// Every method: `Denied` if the file cannot be written, `Busy` if other processes hold it for too long, `Failed`. A
/// change that fails has no effect.
#[async_trait]
pub trait SkillIndex: Send + Sync {
    /// Identifies the current content; `None` if computing that is as expensive as reading everything.
    async fn version(&self) -> Result<Option<SkillIndexVersion>, PortError> {
        Ok(None)
    }

    /// All indexed skills, by id.
    async fn records(&self) -> Result<Vec<SkillRecord>, PortError>;

    /// Inserts or replaces skills and removes others in one step: another process sees all of it or nothing. Ignores
    /// unknown ids, and skips skills with unchanged digests. A vector remains valid as long as its text is unchanged.
    async fn change(&self, put: &[IndexedSkill], removed: &[String]) -> Result<(), PortError>;

    /// The skills that contain any of these words in name, description, headings or body, by BM25 with the weights of
    /// `domain::discovery::words`, best first, then by id; at most `limit`. Words contain no query syntax, and are
    /// compared by their stem, without accents and case.
    async fn lexical(
        &self,
        words: &[String],
        limit: usize,
        candidates: Candidates<'_>,
    ) -> Result<Vec<ScoredSkill>, PortError>;

    /// Like [`Self::lexical`], for scores to be combined with semantic ones. Since vectors cover name and
    /// description, the rest of the text has more weight here.
    async fn lexical_beside_meaning(
        &self,
        words: &[String],
        limit: usize,
        candidates: Candidates<'_>,
    ) -> Result<Vec<ScoredSkill>, PortError> {
        self.lexical(words, limit, candidates).await
    }

    /// Candidates that have no vector of their current text by this model, by id; at most `limit`.
    async fn without_vector(
        &self,
        model: &str,
        limit: usize,
        candidates: Candidates<'_>,
    ) -> Result<Vec<UnembeddedSkill>, PortError>;

    /// Inserts vectors of a model, replacing older ones. Drops a vector if its skill is gone or its text has changed.
    async fn put_vectors(&self, model: &str, vectors: &[SkillVector]) -> Result<(), PortError>;

    /// The candidates whose vectors by this model are nearest, best first, then by id; at most `limit`.
    ///
    /// # Errors
    /// Also `Invalid`, for a vector with a wrong number of components.
    async fn semantic(
        &self,
        model: &str,
        vector: &[f32],
        limit: usize,
        candidates: Candidates<'_>,
    ) -> Result<Vec<ScoredSkill>, PortError>;

    /// The similarity of these skills by this model, in no particular order; leaves out those without a vector of it.
    ///
    /// # Errors
    /// Also `Invalid`, for a vector with a wrong number of components.
    async fn similarities(
        &self,
        model: &str,
        vector: &[f32],
        ids: &HashSet<&str>,
    ) -> Result<Vec<ScoredSkill>, PortError> {
        self.semantic(model, vector, ids.len(), Some(ids)).await
    }
}

/// Opens skill indexes other than the machine's own.
pub trait SkillIndexes: Send + Sync {
    /// Opens the index in a file on first use. Without a file, the index is in memory.
    fn open(&self, file: Option<&Path>) -> Arc<dyn SkillIndex>;

    /// Whether a file is not empty and not a skill index.
    ///
    /// # Errors
    /// `Linked`, `NotAFile`, `Denied`, `Failed`.
    fn holds_other(&self, file: &Path) -> Result<bool, PortError>;
}
