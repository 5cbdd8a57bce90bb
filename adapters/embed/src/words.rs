//! Splits a text into words as BERT was trained with them: in lower case, without accents, with each punctuation mark
//! and each Chinese character as a separate word.

use unicode_categories::UnicodeCategories;
use unicode_normalization::UnicodeNormalization;

/// Calls `each` for every word until it returns `false`.
pub(crate) fn each_word(text: &str, mut each: impl FnMut(&str) -> bool) {
    let normalized = normalized(text);
    for part in normalized.split_whitespace() {
        let mut rest = part;
        while let Some(first) = rest.chars().next() {
            let end = match is_punctuation(first) {
                true => first.len_utf8(),
                false => rest.find(is_punctuation).unwrap_or(rest.len()),
            };
            if !each(&rest[..end]) {
                return;
            }
            rest = &rest[end..];
        }
    }
}

fn normalized(text: &str) -> String {
    let spaced = text.chars().filter(|&c| !is_dropped(c)).flat_map(|c| {
        let c = if c.is_whitespace() { ' ' } else { c };
        let space = is_chinese(c).then_some(' ');
        space.into_iter().chain([c]).chain(space)
    });
    spaced.nfd().filter(|c| !c.is_mark_nonspacing()).flat_map(char::to_lowercase).collect()
}

/// Whether a character is dropped: control and format characters, except those that count as spaces.
fn is_dropped(c: char) -> bool {
    matches!(c, '\0' | '\u{fffd}') || !matches!(c, '\t' | '\n' | '\r') && c.is_other()
}

fn is_chinese(c: char) -> bool {
    matches!(
        c,
        '\u{4e00}'..='\u{9fff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{20000}'..='\u{2a6df}'
            | '\u{2a700}'..='\u{2b73f}'
            | '\u{2b740}'..='\u{2b81f}'
            | '\u{2b920}'..='\u{2ceaf}'
            | '\u{f900}'..='\u{faff}'
            | '\u{2f800}'..='\u{2fa1f}'
    )
}

fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation() || c.is_punctuation()
}

#[cfg(test)]
mod tests {
    use super::each_word;
    use proptest::prelude::*;
    use tokenizers::normalizers::BertNormalizer;
    use tokenizers::pre_tokenizers::bert::BertPreTokenizer;
    use tokenizers::{
        NormalizedString, Normalizer, OffsetReferential, OffsetType, PreTokenizedString, PreTokenizer,
    };
    use unicode_normalization::UnicodeNormalization;

    fn ours(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        each_word(text, |word| {
            words.push(word.to_owned());
            true
        });
        words
    }

    /// The words according to the tokenizer published with the model.
    fn published(text: &str) -> Vec<String> {
        let mut normalized = NormalizedString::from(text);
        BertNormalizer::default().normalize(&mut normalized).unwrap();
        let mut words = PreTokenizedString::from(normalized.get());
        BertPreTokenizer.pre_tokenize(&mut words).unwrap();
        let splits = words.get_splits(OffsetReferential::Original, OffsetType::Byte);
        splits.into_iter().map(|(word, ..)| word.to_owned()).filter(|word| !word.is_empty()).collect()
    }

    #[test]
    fn words_are_lower_case_without_accents_and_marks_stand_alone() {
        assert_eq!(ours("Héllo,  WORLD!\u{200b}\t(x)"), ["hello", ",", "world", "!", "(", "x", ")"]);
        assert_eq!(ours("读文件a"), ["读", "文", "件", "a"]);
        assert_eq!(ours("\0\u{fffd} \n"), [""; 0]);
    }

    /// RFC-0013:C-VECTORS
    #[test]
    fn every_character_gives_the_words_of_the_published_tokenizer() {
        // Planes 4 to 13 are empty; the last two are for private use, like parts of the first one.
        let all: Vec<char> = (0..0x4_0000).chain(0xe_0000..0xe_0200).filter_map(char::from_u32).collect();
        let text = |chars: &[char]| chars.iter().map(|c| format!("a{c}b {c} ")).collect::<String>();
        let differs = |chars: &[char]| ours(&text(chars)) != published(&text(chars));
        let others: Vec<char> = all
            .chunks(64)
            .filter(|some| differs(some))
            .flatten()
            .copied()
            .filter(|c| differs(&[*c]))
            .collect();
        let unknown: Vec<&char> = others.iter().filter(|c| !is_newer(**c)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        assert!(others.len() < 100, "{} characters", others.len());
    }

    #[test]
    fn a_character_is_newer_if_the_published_tables_neither_decompose_nor_order_it() {
        // A decomposition and a combining class of Unicode 16.
        assert!(['\u{105c9}', '\u{1e5ef}'].into_iter().all(is_newer));
        assert!(
            !['a', 'é', '\u{301}', '\u{316}', '\u{334}', '\u{345}', '한', '漢'].into_iter().any(is_newer)
        );
    }

    /// Whether Unicode gave a character its decomposition or its combining class after the tables of the published
    /// tokenizer. A word that contains one is unknown either way, since no word piece has it.
    fn is_newer(c: char) -> bool {
        // Between marks of the highest and the lowest combining class, any other class changes the order.
        let probe = format!("a\u{345}{c}\u{334}");
        let mut published = NormalizedString::from(probe.as_str());
        published.nfd();
        published.get() != probe.nfd().collect::<String>()
    }

    proptest! {
        /// RFC-0013:C-VECTORS
        #[test]
        fn any_text_gives_the_words_of_the_published_tokenizer(text in "(\\PC|[ -~]|[à-ɏ]|\\s|[\u{300}-\u{310}]){0,60}") {
            let text = text.replace(is_newer, "");
            prop_assert_eq!(ours(&text), published(&text));
        }
    }
}
