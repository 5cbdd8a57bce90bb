//! Suggests the known word that a misspelled one was meant to be.

use skillc_domain::text::edit_distance::edit_distance;

/// Characters of the longest word that is compared: no known word comes near.
const CHARS_MAX: usize = 40;

/// The known word that was meant: another case of letters, another sign between the words, or one slip of the fingers
/// (two in a word of eight characters or more). `None` for a word that is known, and for one that is like none.
pub fn suggest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if written.chars().nth(CHARS_MAX).is_some() {
        return None;
    }
    let plain = plain(written);
    let slips_max = match plain.chars().count() {
        0..4 => 0,
        4..8 => 1,
        _ => 2,
    };
    let mut nearest: Option<(usize, &str)> = None;
    for word in known {
        let slips = edit_distance(&plain, &self::plain(word));
        if word == written {
            return None;
        }
        if slips <= slips_max && nearest.is_none_or(|(least, _)| slips < least) {
            nearest = Some((slips, word));
        }
    }
    nearest.map(|(_, word)| word)
}

/// Lower-case letters without separators.
fn plain(word: &str) -> String {
    word.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[&str] =
        &["name", "description", "license", "compatibility", "metadata", "allowed-tools", "agent"];

    #[test]
    fn a_slip_is_told_from_another_word() {
        for (written, meant) in [
            ("Name", Some("name")),
            ("allowed_tools", Some("allowed-tools")),
            ("allowedTools", Some("allowed-tools")),
            ("desription", Some("description")),
            ("descritpion", Some("description")),
            ("licence", Some("license")),
            ("agents", Some("agent")),
            ("name", None),
            ("version", None),
            ("tools", None),
            ("type", None),
            ("games", None),
            ("", None),
        ] {
            assert_eq!(suggest(written, KNOWN.iter().copied()), meant, "{written}");
        }
        assert_eq!(suggest(&"é".repeat(100_000), KNOWN.iter().copied()), None);
    }
}
