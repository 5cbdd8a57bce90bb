//! Rules out most words of a text as matches for a set of words, without hashing them.

/// The lengths and last bytes of a set of words.
#[derive(Clone, Debug, Default)]
pub struct WordShapes {
    /// The lengths that occur, a bit each; the last bit is set for every longer word.
    lengths: u64,
    /// The last bytes that occur, a bit each.
    lasts: [u64; 4],
}

impl WordShapes {
    /// Adds the shape of a word. The empty word has none.
    pub fn add(&mut self, word: &str) {
        let Some(last) = word.as_bytes().last() else { return };
        self.lengths |= 1 << word.len().min(63);
        self.lasts[usize::from(last / 64)] |= 1 << (last % 64);
    }

    /// Whether a word may be in the set; if not, it certainly is not in it.
    pub fn may_have(&self, word: &str) -> bool {
        word.as_bytes().last().is_some_and(|last| {
            self.lengths >> word.len().min(63) & 1 == 1
                && self.lasts[usize::from(last / 64)] >> (last % 64) & 1 == 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_of_another_length_or_end_are_told_apart() {
        let mut shapes = WordShapes::default();
        let long = "x".repeat(80);
        for word in ["topic", "\u{e9}", "", &long] {
            shapes.add(word);
        }
        for (word, expected) in [
            ("topic", true),
            ("comic", true),
            ("topics", false),
            ("topid", false),
            ("\u{e9}", true),
            ("", false),
        ] {
            assert_eq!(shapes.may_have(word), expected, "{word}");
        }
        assert!(shapes.may_have(&"x".repeat(90)) && !shapes.may_have(&"y".repeat(90)));
    }
}
