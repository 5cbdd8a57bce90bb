//! Shortens a description that a client would cut, so that it ends with a sentence.

/// Minimum length in characters of a useful description.
const CHARS_MIN: usize = 20;

/// As many whole sentences from the start as fit into `chars_max` characters; `None` if the description fits as it
/// is, or its first sentence does not fit.
pub fn shortened(description: &str, chars_max: usize) -> Option<&str> {
    let description = description.trim();
    if description.chars().count() <= chars_max {
        return None;
    }
    let mut chars = description.char_indices().take(chars_max).peekable();
    let mut end = None;
    let mut count = 0;
    while let Some((at, c)) = chars.next() {
        count += 1;
        let is_last_of_sentence = match c {
            '.' | '!' | '?' => chars.peek().is_some_and(|(_, next)| next.is_whitespace()),
            '。' | '！' | '？' => true,
            _ => false,
        };
        if is_last_of_sentence && count >= CHARS_MIN {
            end = Some(at + c.len_utf8());
        }
    }
    end.map(|end| &description[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0014:C-SLIM
    #[test]
    fn a_description_is_cut_at_the_last_sentence_that_fits() {
        let text = "Fills PDF forms, e.g. those of v1.2. Use it for forms. It also merges files.";
        assert_eq!(shortened(text, 60), Some("Fills PDF forms, e.g. those of v1.2. Use it for forms."));
        assert_eq!(shortened(text, 40), Some("Fills PDF forms, e.g. those of v1.2."));
        assert_eq!(
            shortened(text, 30),
            Some("Fills PDF forms, e.g."),
            "an abbreviation looks like a sentence"
        );
        assert_eq!(shortened(text, 10), None);
        assert_eq!(shortened(text, 500), None, "it fits");
        assert_eq!(shortened(&"word ".repeat(50), 100), None, "no sentence");
        assert_eq!(
            shortened(&"技能把来源编译成索引并且按章节阅读这里的内容。".repeat(9), 50)
                .map(|text| text.chars().count()),
            Some(46)
        );
    }
}
