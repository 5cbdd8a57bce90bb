//! Prepares texts for the server: for its columns, its index entries and its text-search parser.

use skillc_domain::query::separate_cjk;
use std::borrow::Cow;

/// Length in bytes of a text in an index key: an index entry holds 2,704, and at most four such texts. File systems
/// allow names of 255.
const KEY_BYTES_MAX: usize = 400;

/// Replaces NUL, which PostgreSQL cannot store, by U+FFFD.
pub fn storable(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', "\u{fffd}")) } else { Cow::Borrowed(text) }
}

/// A storable text, shortened to fit into an index key.
pub fn index_key(text: &str) -> Cow<'_, str> {
    let cut = &text[..text.floor_char_boundary(KEY_BYTES_MAX)];
    if cut.len() < text.len() { Cow::Owned(format!("{}…", storable(cut))) } else { storable(text) }
}

/// The first bytes of a text with a space in place of all but letters and digits, and around each CJK character.
///
/// The server's parser recognizes host names, paths and numbers; separated words keep it from doing so. Combining
/// accents stay with their letter, since the server removes them from both.
pub fn spread(text: &str, bytes_max: usize) -> String {
    let cut = &text[..text.floor_char_boundary(bytes_max)];
    let is_accent = |c: char| ('\u{300}'..='\u{36f}').contains(&c);
    separate_cjk(cut).chars().map(|c| if c.is_alphanumeric() || is_accent(c) { c } else { ' ' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_between_characters_and_hold_no_nul() {
        assert_eq!(index_key("a\0b"), "a\u{fffd}b");
        let long = "ü".repeat(300);
        assert_eq!(index_key(&long), format!("{}…", "ü".repeat(200)));
        assert_eq!(index_key(&"x".repeat(400)).len(), 400);
        assert_eq!(storable("\0"), "\u{fffd}");
    }

    #[test]
    fn only_words_and_characters_are_left() {
        assert_eq!(spread("CI/CD for node.js, v1_2!", 100), "CI CD for node js  v1 2 ");
        assert_eq!(spread("API設定、e\u{301}", 100), "API 設 定 e\u{301}");
        assert_eq!(spread("' & | ! :* <-> \0 \u{1f600}", 100).trim(), "");
        assert_eq!(spread("äöü", 3), "ä", "and nothing is cut in two");
    }
}
