//! Token estimates.

/// Characters per token, a rough mean for English text.
pub const CHARS_PER_TOKEN: usize = 4;

/// Tokens of a call that reads a file, not counting the text that it returns.
pub const READ_TOKENS: u64 = 60;

/// Estimates the number of tokens of a text.
pub fn tokens_of(text: &str) -> u64 {
    text.chars().count().div_ceil(CHARS_PER_TOKEN) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_four_characters_or_fewer() {
        for (text, tokens) in [("", 0), ("a", 1), ("éééé", 1), ("ééééé", 2)] {
            assert_eq!(tokens_of(text), tokens, "{text}");
        }
    }
}
