//! Texts as vectors whose angles say how near two texts are in meaning.

use crate::error::{ErrorKind, PortError};
use skillc_domain::digest::Digest;
use std::fmt;

/// Which model made a vector. Vectors of two models are not to be compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ModelId {
    /// The name that people know it by, such as `all-MiniLM-L6-v2`.
    pub name: String,
    /// SHA-256 of its weights.
    pub digest: Digest,
}

impl fmt::Display for ModelId {
    /// `name@` and the first 16 digits of the digest: what an index is to remember.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.name, self.digest.hash16())
    }
}

/// Turns texts into vectors.
///
/// A vector has `limits::EMBEDDING_DIMENSIONS` components of finite `f32` and length one. The same text gives the same
/// bits whenever and beside whatever it is asked, in as many threads as wish. Any text is taken: an empty one has a vector
/// too, and of a long one no more than its first `limits::EMBEDDING_WORD_PIECES_MAX` word pieces, and no more than its first
/// `limits::EMBEDDING_TEXT_BYTES_MAX` bytes, are looked at. Blocking; never asks the network.
pub trait Embedder: Send + Sync {
    /// Which model answers. Costs a look at the file system, and does not load the model.
    ///
    /// # Errors
    /// `NotFound` when no model is installed, `Corrupt` when files of it are missing or are not what they should be,
    /// `Denied`, `Failed`.
    fn model(&self) -> Result<ModelId, PortError>;

    /// The vector of a text. The first call loads the model, which is kept from then on.
    ///
    /// # Errors
    /// As of `model`. A failure to load is not remembered: the next call tries again.
    fn embed(&self, text: &str) -> Result<Vec<f32>, PortError>;

    /// The vectors of some texts in their order, as `embed` gives them; may use all processors.
    ///
    /// # Errors
    /// As of `embed`; no vectors are returned then.
    fn embed_all(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, PortError> {
        texts.iter().map(|text| self.embed(text)).collect()
    }
}

/// The embedder of a machine without a model: answers `NotFound` to everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoModel;

impl Embedder for NoModel {
    fn model(&self) -> Result<ModelId, PortError> {
        Err(PortError::new(ErrorKind::NotFound, "open the embedding model"))
    }

    fn embed(&self, _: &str) -> Result<Vec<f32>, PortError> {
        self.model().map(|_| Vec::new())
    }
}
