//! Unicode case folding with `std` only.

/// Folds a text so that texts that differ only in case become equal.
///
/// Each character is converted to upper and then to lower case. This unifies `ß` and `SS`, both lower-case sigmas,
/// and `ſ` and `s`. It does not depend on neighboring characters, so the folded form of a prefix is a prefix of the
/// folded text.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    fold_into(text, &mut folded);
    folded
}

/// Like `fold`, into a buffer that is cleared first.
pub fn fold_into(text: &str, folded: &mut String) {
    folded.clear();
    if text.is_ascii() {
        folded.push_str(text);
        folded.make_ascii_lowercase();
    } else {
        folded.extend(text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase));
    }
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn case_folds_for_all_of_unicode() {
        for (a, b) in
            [("ÄPFEL", "äpfel"), ("STRASSE", "straße"), ("ΟΔΟΣ", "οδος"), ("ПРИВЕТ", "привет"), ("K", "k")]
        {
            assert_eq!(fold(a), fold(b), "{a} and {b}");
        }
        assert_ne!(fold("ä"), fold("a"));
    }
}
