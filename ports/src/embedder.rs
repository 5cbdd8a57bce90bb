//! Embeddings: texts as vectors whose angles measure their similarity in meaning.

use crate::error::{ErrorKind, PortError};
use skillc_domain::digest::Digest;
use skillc_domain::model::EmbeddingModel;
use std::fmt;
use std::sync::Arc;

/// Identifies the model that computed a vector. Vectors of different models cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ModelId {
    /// The published name, such as `all-MiniLM-L6-v2`.
    pub name: String,
    /// SHA-256 of the weights.
    pub digest: Digest,
}

impl fmt::Display for ModelId {
    /// Formats as `name@` and the first 16 digits of the digest, as stored in indexes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.name, self.digest.hash16())
    }
}

/// Computes embeddings.
///
/// A vector has `limits::EMBEDDING_DIMENSIONS` finite `f32` components and length one. The same text always has the
/// same bits, whichever other texts are embedded and however many threads are used. Every text is accepted, even an
/// empty one; only the first `limits::EMBEDDING_WORD_PIECES_MAX` word pieces and `limits::EMBEDDING_TEXT_BYTES_MAX`
/// bytes of a long text count. Blocking; never uses the network.
pub trait Embedder: Send + Sync {
    /// The installed model. Reads only its files' metadata and does not load it.
    ///
    /// # Errors
    /// `NotFound` if no model is installed, `Unsupported` if the program was built without embedding, `Corrupt` if
    /// files are missing or damaged, `Denied`, `Failed`.
    fn model(&self) -> Result<ModelId, PortError>;

    /// The vector of a text. The first call loads the model and keeps it in memory.
    ///
    /// # Errors
    /// As for `model`. A failure to load is not cached: the next call tries again.
    fn embed(&self, text: &str) -> Result<Vec<f32>, PortError>;

    /// Whether the model understands the words of a text, so that its vector reflects the meaning. `false` if it knows
    /// nothing of the text, or only single letters of its script.
    ///
    /// # Errors
    /// As for `embed`.
    fn reads(&self, text: &str) -> Result<bool, PortError> {
        let _ = text;
        Ok(true)
    }

    /// Embeds several texts, in order, with the same results as `embed`. May use all processors.
    ///
    /// # Errors
    /// As for `embed`; then no vectors are returned.
    fn embed_all(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, PortError> {
        texts.iter().map(|text| self.embed(text)).collect()
    }
}

/// Provides an embedder for each supported model.
pub trait Embedders: Send + Sync {
    /// The embedder of a model, which need not be installed. Every call returns the same one, so that a model is
    /// loaded only once.
    fn of(&self, model: &'static EmbeddingModel) -> Arc<dyn Embedder>;
}

/// Uses one embedder for every model.
#[derive(Clone)]
pub struct SameEmbedder(Arc<dyn Embedder>);

impl SameEmbedder {
    /// Returns `embedder` for every model.
    pub fn new(embedder: impl Embedder + 'static) -> Self {
        Self(Arc::new(embedder))
    }
}

impl Embedders for SameEmbedder {
    fn of(&self, _: &'static EmbeddingModel) -> Arc<dyn Embedder> {
        self.0.clone()
    }
}

/// The embedder of a program that was built without embedding: every call fails with `Unsupported`.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnsupportedEmbedder;

impl Embedder for UnsupportedEmbedder {
    fn model(&self) -> Result<ModelId, PortError> {
        Err(PortError::new(ErrorKind::Unsupported, "open the embedding model"))
    }

    fn embed(&self, _: &str) -> Result<Vec<f32>, PortError> {
        self.model().map(|_| Vec::new())
    }
}

/// The embedder of a machine without a model: every call fails with `NotFound`.
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
