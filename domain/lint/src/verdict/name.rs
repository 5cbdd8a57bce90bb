//! The reasons why clients reject a name.

use crate::verdict::reading::{quoted, too_long};

/// Maximum length of a name in characters (Agent Skills specification; the same in every client that has a limit).
pub const NAME_CHARS_MAX: usize = 64;

/// The letters that a name may contain in addition to digits and hyphens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// `a` to `z`; digits are `0` to `9`.
    Ascii,
    /// Lower-case letters, and letters without case, of every script.
    Any,
}

/// Flaws in the characters and length of a name.
pub fn flaws(name: &str, letters: Letters) -> Vec<String> {
    let strange =
        |is_upper: bool| name.chars().find(|c| !is_allowed(*c, letters) && c.is_uppercase() == is_upper);
    let upper = strange(true).map(|_| format!("name {} contains uppercase characters", quoted(name)));
    let other = strange(false).map(|c| format!("name {} contains {}", quoted(name), shown(c)));
    upper.into_iter().chain(other).chain(too_long("name", name, NAME_CHARS_MAX)).collect()
}

/// A flaw in the hyphens of a name.
pub fn hyphen_flaw(name: &str) -> Option<String> {
    let what = if name.starts_with('-') {
        "begins with a hyphen"
    } else if name.ends_with('-') {
        "ends with a hyphen"
    } else if name.contains("--") {
        "contains two hyphens in a row"
    } else {
        return None;
    };
    Some(format!("name {} {what}", quoted(name)))
}

/// The fact that a name differs from its folder's.
pub fn mismatch(name: &str, folder: &str) -> Option<String> {
    (name != folder).then(|| format!("name {} does not match directory {}", quoted(name), quoted(folder)))
}

fn is_allowed(c: char, letters: Letters) -> bool {
    match letters {
        Letters::Ascii => c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-',
        Letters::Any => (c.is_alphanumeric() && c.to_lowercase().eq([c])) || c == '-',
    }
}

/// A character, or its number if it is invisible.
fn shown(c: char) -> String {
    match c {
        ' ' => "a blank".to_owned(),
        _ if c.is_control() || c.is_whitespace() => format!("U+{:04X}", u32::from(c)),
        _ => format!("'{c}'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_judged_by_the_letters_that_a_reader_takes() {
        for (name, ascii, any) in [
            ("pdf-2", None, None),
            ("größe", Some("name 'größe' contains 'ö'"), None),
            ("技能", Some("name '技能' contains '技'"), None),
            (
                "Pdf",
                Some("name 'Pdf' contains uppercase characters"),
                Some("name 'Pdf' contains uppercase characters"),
            ),
            ("a b", Some("name 'a b' contains a blank"), Some("name 'a b' contains a blank")),
            ("a_b", Some("name 'a_b' contains '_'"), Some("name 'a_b' contains '_'")),
            ("a\tb", Some("name 'a\tb' contains U+0009"), Some("name 'a\tb' contains U+0009")),
        ] {
            assert_eq!(flaws(name, Letters::Ascii).first().map(String::as_str), ascii, "{name}");
            assert_eq!(flaws(name, Letters::Any).first().map(String::as_str), any, "{name}");
        }
        assert!(flaws(&"a".repeat(64), Letters::Ascii).is_empty());
        assert_eq!(flaws(&"é".repeat(65), Letters::Any), ["name has 65 characters, more than 64"]);
    }

    #[test]
    fn hyphens_stand_single_and_inside() {
        for (name, expected) in [
            ("a-b", None),
            ("-a", Some("name '-a' begins with a hyphen")),
            ("a-", Some("name 'a-' ends with a hyphen")),
            ("a--b", Some("name 'a--b' contains two hyphens in a row")),
        ] {
            assert_eq!(hyphen_flaw(name).as_deref(), expected, "{name}");
        }
    }
}
