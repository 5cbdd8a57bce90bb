//! Splits texts into word pieces.

use skillc_domain::limits::{EMBEDDING_TEXT_BYTES_MAX, EMBEDDING_WORD_PIECES_MAX};
use std::error::Error;
use std::path::Path;
use tokenizers::{Tokenizer, TruncationParams};

/// The model's tokenizer, truncating to the word pieces that its vectors use.
pub(crate) struct WordPieces {
    tokenizer: Tokenizer,
}

impl WordPieces {
    pub(crate) fn open(file: &Path) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let mut tokenizer = Tokenizer::from_file(file)?;
        let cut = TruncationParams { max_length: EMBEDDING_WORD_PIECES_MAX, ..Default::default() };
        tokenizer.with_truncation(Some(cut))?;
        tokenizer.with_padding(None);
        Ok(Self { tokenizer })
    }

    /// The ids of a text's word pieces, including the two that frame it.
    pub(crate) fn of(&self, text: &str) -> Result<Vec<i32>, Box<dyn Error + Send + Sync>> {
        // The tokenizer truncates only after processing the whole text.
        let text = &text[..text.floor_char_boundary(EMBEDDING_TEXT_BYTES_MAX)];
        let pieces = self.tokenizer.encode_fast(text, true)?;
        pieces.get_ids().iter().map(|&id| Ok(i32::try_from(id)?)).collect()
    }
}
