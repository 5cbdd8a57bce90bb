//! Text as the server's parser is to see it: it knows hosts, files and numbers, where here are words only.

use skillc_domain::query::separate_cjk;

/// Bytes of a name whose words count, those of a description, and those of all headings: the words of a row may take 1 MiB.
pub const NAME_BYTES_MAX: usize = 1_000;
pub const DESCRIPTION_BYTES_MAX: usize = 50_000;
pub const HEADINGS_BYTES_MAX: usize = 100_000;

/// The beginning of a text: its runs of letters and digits, and each CJK character, between blanks.
///
/// Accents that stand by themselves stay with their letter, since the server takes both apart.
pub fn spread(text: &str, bytes_max: usize) -> String {
    let cut = &text[..text.floor_char_boundary(bytes_max)];
    let is_accent = |c: char| ('\u{300}'..='\u{36f}').contains(&c);
    separate_cjk(cut).chars().map(|c| if c.is_alphanumeric() || is_accent(c) { c } else { ' ' }).collect()
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn only_words_and_characters_are_left() {
        assert_eq!(spread("CI/CD for node.js, v1_2!", 100), "CI CD for node js  v1 2 ");
        assert_eq!(spread("API設定、e\u{301}", 100), "API 設 定 e\u{301}");
        assert_eq!(spread("' & | ! :* <-> \0 \u{1f600}", 100).trim(), "");
        assert_eq!(spread("äöü", 3), "ä", "and nothing is cut in two");
    }
}
