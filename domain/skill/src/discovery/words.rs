//! Splits requests into words for lexical search, and weights scores.

use crate::limits::FIND_WORDS_MAX;
use crate::query::is_cjk;

/// BM25 weights of name, description, headings and text of a skill (adr/0027).
pub const TEXT_WEIGHTS: [f64; 4] = [4.0, 2.0, 0.5, 0.5];
/// BM25 weights of name and description alone. This score is added in purely lexical mode.
pub const SAID_WEIGHTS: [f64; 2] = [3.0, 1.0];

/// Words that say nothing about what a skill does: function words, and phrases used in requests.
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "all", "am", "an", "and", "any", "are", "as", "at", "be", "been", "before", "but",
    "by", "can", "could", "did", "do", "does", "doing", "for", "from", "get", "give", "had", "has", "have",
    "he", "help", "her", "here", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just",
    "let", "like", "make", "me", "my", "need", "no", "not", "of", "off", "on", "or", "our", "out", "over",
    "please", "she", "should", "show", "so", "some", "such", "than", "that", "the", "their", "them", "then",
    "there", "these", "they", "this", "those", "through", "to", "too", "up", "us", "use", "using", "very",
    "want", "was", "we", "were", "what", "when", "where", "which", "while", "who", "why", "will", "with",
    "would", "you", "your",
];

/// Words in all their forms, sorted; each has a form that occurs in at least a fifth of 3,344 published skills. They
/// say next to nothing about what a skill does, even if there are too few skills to count occurrences in.
const COMMON_WORDS: &str = include_str!("common_words.txt");

/// Terms in headings that say nothing about what a skill does, in Chinese, Japanese and Korean: the most frequent
/// ones of published skills, and equivalents of the words above.
const COMMON_CJK: &str = include_str!("common_cjk.txt");

/// Factor for the coverage of a skill that contains only common words of a request. With it, the skill must contain
/// half of the request to reach the lexical floor.
pub const COMMON_COVERAGE: f64 = 0.7;

/// Whether a word occurs in so many skills that it says little about a request.
pub fn is_common(word: &str) -> bool {
    COMMON_WORDS.split_whitespace().any(|common| common == word)
}

/// Removes the terms that any skill in Chinese, Japanese or Korean uses in headings, such as 使用方法. These scripts have
/// no spaces, so the terms are searched for in the text, longest first.
pub fn without_common_terms(text: &str) -> String {
    let mut rest = text.to_owned();
    if !rest.chars().any(is_cjk) {
        return rest;
    }
    let mut terms: Vec<&str> = COMMON_CJK.split_whitespace().filter(|term| text.contains(term)).collect();
    terms.sort_by_key(|term| std::cmp::Reverse(term.len()));
    for term in terms {
        rest = rest.replace(term, " ");
    }
    rest
}

/// Whether a word is a single CJK character: a particle, or the rest of a removed term.
pub fn is_single_cjk(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(is_cjk) && chars.next().is_none()
}

/// Whether a word only phrases a request, whatever the request is about.
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(&word)
}

/// Whether a word is in another script than Latin. If no skill contains such a word, that shows the language of the
/// request rather than something that no skill does.
pub fn is_of_other_script(word: &str) -> bool {
    word.chars().all(|c| c > LATIN_LAST)
}

/// The last character of the Unicode blocks for Latin script.
const LATIN_LAST: char = '\u{24F}';

/// The words of a request in order, without duplicates: letters and digits, in lower case, without stop words unless
/// only those remain. In a run of CJK characters, each pair of neighbors is a word.
pub fn words(request: &str) -> Vec<String> {
    let lower = request.to_lowercase();
    let mut all: Vec<String> = Vec::new();
    for run in lower.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()) {
        for word in cut(run) {
            if !all.contains(&word) {
                all.push(word);
            }
            if all.len() == FIND_WORDS_MAX {
                return meaningful(all);
            }
        }
    }
    meaningful(all)
}

/// Removes stop words, unless only stop words would remain.
fn meaningful(all: Vec<String>) -> Vec<String> {
    let significant: Vec<_> = all.iter().filter(|word| !is_stop_word(word)).cloned().collect();
    if significant.is_empty() { all } else { significant }
}

/// Splits a run of letters and digits into words.
fn cut(run: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest: Vec<char> = run.chars().collect();
    while let Some(first) = rest.first() {
        let is_first_cjk = is_cjk(*first);
        let end = rest.iter().position(|c| is_cjk(*c) != is_first_cjk).unwrap_or(rest.len());
        let after = rest.split_off(end);
        match is_first_cjk && rest.len() > 2 {
            true => words.extend(rest.windows(2).map(|pair| pair.iter().collect::<String>())),
            false => words.push(rest.iter().collect()),
        }
        rest = after;
    }
    words
}

/// Number of imaginary skills without the word that are added to an index, so that in a small store a single word
/// does not decide alone. Among thousands of skills they change nothing.
const FURTHER_SKILLS: f64 = 1_000.0;
/// The most that one word can add to BM25, in units of its weight: `k1 + 1`, with FTS5's `k1`.
pub const WORD_SCORE_MAX: f64 = 2.2;

/// The weight of a word that occurs in `holding` out of `skills` skills: the rarer, the higher.
pub fn word_weight(skills: u32, holding: u32) -> f64 {
    let (skills, holding) = (f64::from(skills) + FURTHER_SKILLS, f64::from(holding));
    (1.0 + (skills - holding + 0.5) / (holding + 0.5)).ln()
}

/// Converts the distance of two unit vectors to a similarity from 0 to 1.
pub fn score_of_distance(distance: f64) -> f64 {
    (1.0 - distance * distance / 2.0).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_words_in_order_without_words_that_only_phrase_it() {
        assert_eq!(words("How do I Merge PDF-files? merge!"), ["merge", "pdf", "files"]);
        assert_eq!(words("how do i"), ["how", "do", "i"], "nothing else remains");
        assert_eq!(words("PDFを結合する"), ["pdf", "を結", "結合", "合す", "する"]);
        assert!(words(" -- ").is_empty());
    }

    #[test]
    fn a_word_with_one_latin_letter_is_latin() {
        for word in ["merge", "naïve", "\u{24f}", "日本go"] {
            assert!(!is_of_other_script(word), "{word}");
        }
        for word in ["слияние", "日本", "\u{250}"] {
            assert!(is_of_other_script(word), "{word}");
        }
    }

    #[test]
    fn a_rare_word_weighs_more_and_a_distance_of_unit_vectors_is_a_cosine() {
        assert!(word_weight(100, 1) > word_weight(100, 50) && word_weight(100, 100) > 0.0);
        assert_eq!(
            [0.0, 2.0_f64.sqrt(), 2.0].map(|d| (score_of_distance(d) * 1e9).round() / 1e9),
            [1.0, 0.0, 0.0]
        );
    }

    /// RFC-0011:C-SCORE
    #[test]
    fn the_weight_of_a_word_assumes_a_thousand_skills_without_it() {
        let weight = |skills, holding| (word_weight(skills, holding) * 1e4).round() / 1e4;
        assert_eq!(weight(0, 0), 7.6019, "the logarithm of 1 + 1000.5 / 0.5");
        assert_eq!(weight(100, 50), 3.0820, "ln(1 + 1050.5 / 50.5)");
    }

    /// RFC-0011:C-SCORE
    #[test]
    fn words_that_many_skills_have_are_common() {
        assert!(is_common("skill") && !is_common("ski") && !is_common("marmot") && !is_common(""));
        assert!(is_stop_word("the") && !is_stop_word("pdf"));
    }

    #[test]
    fn terms_that_any_skill_has_are_left_out_of_headings_in_cjk_only() {
        assert_eq!(without_common_terms("使用方法").trim(), "");
        assert_eq!(without_common_terms("How to use"), "How to use");
        let rest = without_common_terms("结合使用方法");
        assert!(rest.contains("结合") && !rest.contains("使用方法"), "{rest}");
    }

    #[test]
    fn a_single_character_is_no_word_in_cjk() {
        for (word, expected) in [("日", true), ("日本", false), ("a", false), ("", false), ("日a", false)]
        {
            assert_eq!(is_single_cjk(word), expected, "{word}");
        }
    }

    #[test]
    fn a_request_has_at_most_64_different_words() {
        let request: Vec<String> = (0..70).map(|at| format!("w{}", at / 2 * 2)).collect();
        assert_eq!(words(&request.join(" ")).len(), 35);
        let request: Vec<String> = (0..70).map(|at| format!("w{at}")).collect();
        assert_eq!(words(&request.join(" ")).len(), 64);
    }

    #[test]
    fn two_characters_in_a_row_are_one_word_in_cjk() {
        assert_eq!(words("日本 go日本go"), ["日本", "go"]);
        assert_eq!(words("日"), ["日"]);
        assert_eq!(words("日本語"), ["日本", "本語"]);
    }
}
