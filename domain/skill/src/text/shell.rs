//! Quoting for the commands that skc prints.

/// A skill's name as an argument of `skc`, quoted; preceded by `--` if it would be parsed as an option.
pub fn argument(name: &str) -> String {
    if name.starts_with('-') { format!("-- {}", quote(name)) } else { quote(name) }
}

/// Quotes a word for a POSIX shell; a word of plain characters is returned unchanged.
pub fn quote(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '+' | '@');
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quoted_where_a_shell_would_split_it() {
        assert_eq!(quote("my-skill"), "my-skill");
        assert_eq!(quote("my skill"), "'my skill'");
        assert_eq!(quote("it's"), r"'it'\''s'");
        assert_eq!(argument("-2chat"), "-- -2chat");
    }
}
