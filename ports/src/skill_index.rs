//! What is known of skills for finding them: their words and what they mean.

use crate::error::{ErrorKind, PortError};
use async_trait::async_trait;
use skillc_domain::digest::Digest;
use skillc_domain::discovery::skill::SkillKind;
use skillc_domain::limits::EMBEDDING_DIMENSIONS;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A skill as it is indexed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedSkill {
    /// Its id in the catalog.
    pub id: String,
    /// Its SKILL.md, by which it is told whether it is still there.
    pub path: PathBuf,
    /// Name.
    pub name: String,
    /// Description.
    pub description: String,
    /// Its headings, a line each.
    pub headings: String,
    /// Its text without front matter.
    pub body: String,
    /// In which form it comes.
    pub kind: SkillKind,
    /// SHA-256 of its file: equal means that nothing has to be done again.
    pub digest: Digest,
    /// SHA-256 of the text that its vector is made from.
    pub meaning: Digest,
}

/// What is recorded of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillRecord {
    /// Its id.
    pub id: String,
    /// Its SKILL.md.
    pub path: PathBuf,
    /// SHA-256 of its file when it was indexed.
    pub digest: Digest,
}

/// A skill that has no vector of a model, or one of another text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnembeddedSkill {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// SHA-256 of the text that its vector is to be made from.
    pub meaning: Digest,
}

/// A vector of a skill.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillVector {
    /// Whose it is.
    pub id: String,
    /// SHA-256 of the text that it was made from.
    pub meaning: Digest,
    /// `limits::EMBEDDING_DIMENSIONS` × `f32`, of length one.
    pub vector: Vec<f32>,
}

/// A skill that a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredSkill {
    /// Its id.
    pub id: String,
    /// More is better: BM25 of a lexical search; `1 − d²/2` of a semantic one, which for unit vectors is their cosine.
    pub score: f64,
}

/// Which skills count in a search.
pub type Candidates<'a> = Option<&'a HashSet<&'a str>>;

/// Whether a skill counts.
pub fn counts(among: Candidates<'_>, id: &str) -> bool {
    among.is_none_or(|ids| ids.contains(id))
}

/// Best first, then by id; at most `limit`.
pub fn best(mut found: Vec<ScoredSkill>, limit: usize) -> Vec<ScoredSkill> {
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.id.cmp(&b.id)));
    found.truncate(limit);
    found
}

/// Whether a vector can be compared: of the right length, and all of it numbers.
///
/// # Errors
/// `Invalid`.
pub fn comparable(vector: &[f32]) -> Result<(), PortError> {
    let is_sound =
        vector.len() == EMBEDDING_DIMENSIONS && vector.iter().all(|component| component.is_finite());
    let doing = || format!("take a vector of {} components", vector.len());
    if is_sound { Ok(()) } else { Err(PortError::new(ErrorKind::Invalid, doing())) }
}

/// Stands for all that a index holds: an equal one says that nothing was changed in between, by whomever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkillIndexVersion(pub [u64; 3]);

/// Keeps the words and the vectors of the skills of a machine. What it holds can be made anew from the skills at any time:
/// where it is damaged it begins anew, empty, and says nothing.
///
/// # Errors
/// Of every operation: `Denied` where its place cannot be written, `Busy` when others hold it for longer than they need,
/// `Failed`. A change is then as if it had not been asked for.
#[async_trait]
pub trait SkillIndex: Send + Sync {
    /// What stands for all that it holds now; `None` where that cannot be told for less than looking.
    async fn version(&self) -> Result<Option<SkillIndexVersion>, PortError> {
        Ok(None)
    }

    /// All that is recorded, by id.
    async fn records(&self) -> Result<Vec<SkillRecord>, PortError>;

    /// Puts skills in, in place of those of the same id, and takes others out, in one step: another process sees all of it
    /// or nothing. Both may name what is there or is not; what is there with the same digests is left as it is. A vector stays
    /// as long as its text does.
    async fn change(&self, put: &[IndexedSkill], removed: &[String]) -> Result<(), PortError>;

    /// The skills that hold any of these words in name, description, headings or body, by BM25 with the weights of
    /// `domain::discovery::words`, best first, then by id; at most `limit`. A word is taken as it is: nothing in it is
    /// syntax. Words are compared by their stem, without accents and case.
    async fn lexical(
        &self,
        words: &[String],
        limit: usize,
        among: Candidates<'_>,
    ) -> Result<Vec<ScoredSkill>, PortError>;

    /// The same skills, scored to stand beside their meaning, which knows what a skill says about itself: the rest of its
    /// text counts for more.
    async fn lexical_beside_meaning(
        &self,
        words: &[String],
        limit: usize,
        among: Candidates<'_>,
    ) -> Result<Vec<ScoredSkill>, PortError> {
        self.lexical(words, limit, among).await
    }

    /// Skills whose vector of this model is missing or belongs to another text, by id; at most `limit`.
    async fn without_vector(
        &self,
        model: &str,
        limit: usize,
        among: Candidates<'_>,
    ) -> Result<Vec<UnembeddedSkill>, PortError>;

    /// Puts vectors of a model in, in place of older ones. A vector of a skill that is not there, or whose text has changed
    /// in between, is dropped.
    async fn put_vectors(&self, model: &str, vectors: &[SkillVector]) -> Result<(), PortError>;

    /// The skills whose vector of this model is nearest, best first, then by id; at most `limit`.
    ///
    /// # Errors
    /// `Invalid` besides, for a vector of another number of components.
    async fn semantic(
        &self,
        model: &str,
        vector: &[f32],
        limit: usize,
        among: Candidates<'_>,
    ) -> Result<Vec<ScoredSkill>, PortError>;
}

/// Opens directories beside the one of the machine.
pub trait SkillIndexes: Send + Sync {
    /// The index in a file, or one that ends with its value. Nothing is opened before it is asked.
    fn open(&self, file: Option<&Path>) -> Arc<dyn SkillIndex>;

    /// Whether a file holds anything but a index that this made; not where nothing or an empty file is there.
    ///
    /// # Errors
    /// `Linked`, `NotAFile`, `Denied`, `Failed`.
    fn holds_other(&self, file: &Path) -> Result<bool, PortError>;
}
