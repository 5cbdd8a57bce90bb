//! Embeddings made of words: texts that share words have similar vectors.

use crate::words::Words;
use skillc_domain::digest::Digest;
use skillc_domain::limits::{EMBEDDING_DIMENSIONS, EMBEDDING_TEXT_BYTES_MAX, EMBEDDING_WORD_PIECES_MAX};
use skillc_ports::{Embedder, ModelId, PortError};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Increments the component that each word's hash selects, then normalizes. The cosine of two texts grows with the
/// number of shared words and is 0 without any; a text without words has component 0 only.
#[derive(Clone, Debug, Default)]
pub struct HashEmbedder {
    embedded: Arc<AtomicUsize>,
}

impl HashEmbedder {
    /// Texts embedded so far, by this one and its clones.
    pub fn embedded(&self) -> usize {
        self.embedded.load(Ordering::Relaxed)
    }
}

impl Embedder for HashEmbedder {
    fn model(&self) -> Result<ModelId, PortError> {
        Ok(ModelId { name: "words".into(), digest: Digest([7; 32]) })
    }

    fn embed(&self, text: &str) -> Result<Vec<f32>, PortError> {
        self.embedded.fetch_add(1, Ordering::Relaxed);
        let cut = text.floor_char_boundary(EMBEDDING_TEXT_BYTES_MAX);
        let words = Words::of(&text[..cut]).words;
        let mut vector = vec![0.0; EMBEDDING_DIMENSIONS];
        for (word, _) in words.iter().take(EMBEDDING_WORD_PIECES_MAX) {
            vector[component(word)] += 1.0;
        }
        if words.is_empty() {
            vector[0] = 1.0;
        }
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        vector.iter_mut().for_each(|x| *x /= length);
        Ok(vector)
    }
}

/// FNV-1a, which is the same in every process.
fn component(word: &str) -> usize {
    let hash = word
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    (hash % EMBEDDING_DIMENSIONS as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cosine(a: &str, b: &str) -> f32 {
        let embed = |text| HashEmbedder::default().embed(text).unwrap();
        embed(a).iter().zip(embed(b)).map(|(x, y)| x * y).sum()
    }

    #[test]
    fn the_more_words_two_texts_share_the_nearer_they_are() {
        assert!((cosine("fill a form", "Fill a FORM!") - 1.0).abs() < 1e-6);
        assert!(cosine("fill a form", "fill a cup") > cosine("fill a form", "wash a car"));
        assert_eq!(cosine("fill form", "wash car"), 0.0);
        assert_eq!(cosine("", "..."), 1.0);
    }

    #[test]
    fn a_clone_counts_along() {
        let embedder = HashEmbedder::default();
        embedder.clone().embed_all(&["a", "b"]).unwrap();
        assert_eq!(embedder.embedded(), 2);
    }
}
