//! Splits texts into word pieces.

use crate::words::each_word;
use serde::Deserialize;
use skillc_domain::limits::{EMBEDDING_TEXT_BYTES_MAX, EMBEDDING_WORD_PIECES_MAX};
use std::collections::{HashMap, HashSet};
use std::error::Error;

/// Prefix of the names of pieces that continue a word.
const CONTINUES: &str = "##";
/// Length in characters above which a word counts as unknown.
const WORD_CHARS_MAX: usize = 100;

/// The model's tokenizer. Truncates texts to the number of word pieces that vectors use.
pub(crate) struct WordPieces {
    /// Ids of pieces that begin a word.
    first: HashMap<Box<str>, i32>,
    /// Ids of pieces that continue a word, without the prefix.
    next: HashMap<Box<str>, i32>,
    /// Pieces that are matched literally in a text, such as `[MASK]`.
    special: Vec<(String, i32)>,
    unknown: i32,
    /// Ids of single letters beyond ASCII, whether they begin a word or continue one.
    letters: HashSet<i32>,
    /// The ids that begin and end every text.
    frame: [i32; 2],
}

/// The relevant parts of `tokenizer.json`; its other settings are those of every BERT.
#[derive(Deserialize)]
struct TokenizerFile {
    model: Vocabulary,
    added_tokens: Vec<AddedToken>,
}

#[derive(Deserialize)]
struct Vocabulary {
    vocab: HashMap<Box<str>, i32>,
}

#[derive(Deserialize)]
struct AddedToken {
    id: i32,
    content: String,
}

fn is_foreign_letter(piece: &str) -> bool {
    let mut chars = piece.chars();
    let letter = chars.next().filter(|c| c.is_alphabetic() && !c.is_ascii());
    letter.is_some() && chars.next().is_none()
}

impl WordPieces {
    /// Parses `tokenizer.json`.
    pub(crate) fn parse(json: &[u8]) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let file: TokenizerFile = serde_json::from_slice(json)?;
        let id = |name: &str| {
            let found = file.model.vocab.get(name).copied();
            found.ok_or_else(|| format!("the vocabulary has no '{name}'"))
        };
        let (unknown, frame) = (id("[UNK]")?, [id("[CLS]")?, id("[SEP]")?]);
        let special = file.added_tokens.into_iter().map(|token| (token.content, token.id)).collect();
        let (mut first, mut next, mut letters) = (HashMap::new(), HashMap::new(), HashSet::new());
        for (piece, id) in file.model.vocab {
            if is_foreign_letter(piece.strip_prefix(CONTINUES).unwrap_or(&piece)) {
                letters.insert(id);
            }
            match piece.strip_prefix(CONTINUES) {
                Some(rest) => next.insert(rest.into(), id),
                None => first.insert(piece, id),
            };
        }
        Ok(Self { first, next, special, unknown, letters, frame })
    }

    /// The ids of a text's word pieces, including the two around it.
    pub(crate) fn of(&self, text: &str) -> Vec<i32> {
        let mut rest = &text[..text.floor_char_boundary(EMBEDDING_TEXT_BYTES_MAX)];
        let mut ids = vec![self.frame[0]];
        while let Some((at, name, id)) = self.first_special(rest) {
            self.add(&rest[..at], &mut ids);
            ids.push(id);
            rest = &rest[at + name.len()..];
        }
        self.add(rest, &mut ids);
        ids.truncate(EMBEDDING_WORD_PIECES_MAX - 1);
        ids.push(self.frame[1]);
        ids
    }

    /// The share of a text's pieces that are unknown, or single letters of a foreign script; 0 for no pieces.
    pub(crate) fn unread_part(&self, text: &str) -> f64 {
        let ids = self.of(text);
        let own = &ids[1..ids.len() - 1];
        let unread = own.iter().filter(|id| **id == self.unknown || self.letters.contains(id)).count();
        unread as f64 / own.len().max(1) as f64
    }

    fn first_special(&self, text: &str) -> Option<(usize, &str, i32)> {
        let found = self.special.iter().filter_map(|(name, id)| Some((text.find(name)?, name.as_str(), *id)));
        found.min_by_key(|(at, ..)| *at)
    }

    /// Appends the pieces of a text without special ones, up to the limit.
    fn add(&self, text: &str, ids: &mut Vec<i32>) {
        each_word(text, |word| {
            self.add_word(word, ids);
            ids.len() < EMBEDDING_WORD_PIECES_MAX
        });
    }

    /// Appends the longest piece that begins a word, then the longest ones that continue it.
    fn add_word(&self, word: &str, ids: &mut Vec<i32>) {
        let begin = ids.len();
        let (mut rest, mut pieces) = (word, &self.first);
        if word.chars().nth(WORD_CHARS_MAX).is_some() {
            return ids.push(self.unknown);
        }
        while !rest.is_empty() {
            let ends = rest.char_indices().map(|(at, c)| at + c.len_utf8()).rev();
            let Some((end, id)) = ends.filter_map(|end| Some((end, *pieces.get(&rest[..end])?))).next()
            else {
                ids.truncate(begin);
                return ids.push(self.unknown);
            };
            ids.push(id);
            (rest, pieces) = (&rest[end..], &self.next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};
    use std::sync::OnceLock;
    use tokenizers::{Tokenizer, TruncationParams};

    /// The published file reduced to a few pieces.
    fn file() -> Value {
        let pieces =
            "[PAD] [UNK] [CLS] [SEP] [MASK] a b c ab abc bc ##a ##b ##c ##bc ##abc , . [ ] # 读 é ##é e";
        let vocab: serde_json::Map<String, Value> =
            pieces.split(' ').enumerate().map(|(id, piece)| (piece.to_owned(), json!(id))).collect();
        let added: Vec<Value> = pieces
            .split(' ')
            .take(5)
            .enumerate()
            .map(|(id, content)| {
                json!({"id": id, "special": true, "content": content, "single_word": false, "lstrip": false,
                   "rstrip": false, "normalized": false})
            })
            .collect();
        let frame = |name: &str| json!({"SpecialToken": {"id": name, "type_id": 0}});
        let text = json!({"Sequence": {"id": "A", "type_id": 0}});
        let special = |name: &str, id: u32| json!({"id": name, "ids": [id], "tokens": [name]});
        json!({
            "version": "1.0", "truncation": null, "padding": null, "added_tokens": added, "decoder": null,
            "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                           "strip_accents": null, "lowercase": true},
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "post_processor": {"type": "TemplateProcessing", "single": [frame("[CLS]"), text, frame("[SEP]")],
                               "pair": [frame("[CLS]"), text, frame("[SEP]")],
                               "special_tokens": {"[CLS]": special("[CLS]", 2), "[SEP]": special("[SEP]", 3)}},
            "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                      "max_input_chars_per_word": WORD_CHARS_MAX, "vocab": vocab},
        })
    }

    /// Our tokenizer and the published one, from the same file.
    fn both() -> &'static (WordPieces, Tokenizer) {
        static BOTH: OnceLock<(WordPieces, Tokenizer)> = OnceLock::new();
        BOTH.get_or_init(|| {
            let json = file().to_string();
            let mut published: Tokenizer = json.parse().unwrap();
            let cut = TruncationParams { max_length: EMBEDDING_WORD_PIECES_MAX, ..Default::default() };
            published.with_truncation(Some(cut)).unwrap();
            (WordPieces::parse(json.as_bytes()).unwrap(), published)
        })
    }

    fn published(text: &str) -> Vec<i32> {
        let pieces = both().1.encode_fast(text, true).unwrap();
        pieces.get_ids().iter().map(|&id| i32::try_from(id).unwrap()).collect()
    }

    /// RFC-0013:C-VECTORS
    #[test]
    fn the_pieces_of_a_text_are_those_of_the_published_tokenizer() {
        let long = "ab ".repeat(EMBEDDING_WORD_PIECES_MAX);
        let words = ["a".repeat(WORD_CHARS_MAX), "a".repeat(WORD_CHARS_MAX + 1)].join(" b ");
        for text in ["", " ", "abcabc, É", "abx c", "a[MASK]b [SEP][x] [mask]", "##a", "读读", &long, &words]
        {
            assert_eq!(both().0.of(text), published(text), "{text}");
        }
        assert_eq!(both().0.of(&long).len(), EMBEDDING_WORD_PIECES_MAX);
    }

    /// RFC-0011:C-FIND
    #[test]
    fn letters_of_a_foreign_script_and_unknown_words_are_not_read() {
        for (text, part) in
            [("", 0.0), ("abc", 0.0), ("😀", 1.0), ("读写", 1.0), ("a 写 写 b", 0.5), ("读, a.", 0.25)]
        {
            assert_eq!(both().0.unread_part(text), part, "{text}");
        }
    }

    proptest! {
        /// RFC-0013:C-VECTORS
        #[test]
        fn any_text_has_the_pieces_of_the_published_tokenizer(text in "([abcé,\\[\\] #x读]|\\[MASK\\]|\\[SEP\\]|abc){0,200}") {
            prop_assert_eq!(both().0.of(&text), published(&text));
        }
    }
}
