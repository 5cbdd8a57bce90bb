//! Searches a text for terms, by whole words and ignoring case.

/// The words of a text in lower case: letters, digits and apostrophes; a hyphen ends a word.
pub fn words(text: &str) -> Vec<String> {
    let split = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    split.filter(|word| !word.is_empty()).map(|word| word.to_lowercase().replace('’', "'")).collect()
}

/// Whether the text contains one of the terms.
///
/// Terms are separated by `|`. Each is one or more words in lower case; a `*` at the end of a word matches any ending.
pub fn has_term(text: &str, terms: &str) -> bool {
    let words = words(text);
    terms.split('|').any(|term| (0..words.len()).any(|at| starts_with(&words[at..], term)))
}

/// How many of the terms the text contains.
pub fn count_terms(text: &str, terms: &str) -> usize {
    let words = words(text);
    terms.split('|').filter(|term| (0..words.len()).any(|at| starts_with(&words[at..], term))).count()
}

/// Whether the text ends with one of the terms.
pub fn ends_with_term(text: &str, terms: &str) -> bool {
    let words = words(text);
    let ends = |term: &str| {
        let count = term.split(' ').count();
        words.len() >= count && starts_with(&words[words.len() - count..], term)
    };
    terms.split('|').any(ends)
}

fn starts_with(words: &[String], term: &str) -> bool {
    let mut words = words.iter();
    term.split(' ').all(|expected| {
        words.next().is_some_and(|word| match expected.strip_suffix('*') {
            Some(stem) => word.starts_with(stem),
            None => word == expected,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_whole_words_or_marked_beginnings() {
        assert!(has_term("Phrases such AS these", "such as"));
        assert!(has_term("It detects it", "detect*") && !has_term("undetected", "detect*"));
        assert!(!has_term("such, asphalt", "such as"));
        assert!(has_term("Don’t", "don't"));
        assert_eq!(count_terms("attack on attack", "attack*|on|off"), 2);
        assert!(ends_with_term("you must never ", "must never") && !ends_with_term("never mind", "never"));
    }
}
