//! Popular packages by registry, and the names that imitate them.

use crate::security::packages::Registry;
use crate::security::word_lists::WordLists;
use skillc_domain::text::edit_distance::is_within_one_edit;

/// Minimum number of letters of a name that is compared: too many short names differ by one letter.
const LETTERS_MIN: usize = 5;
/// Maximum number of letters of a name that is compared.
const LETTERS_MAX: usize = 60;

static WORDS: WordLists = WordLists::new(include_str!("../../data/words/popular-packages.txt"));

fn popular_in(registry: Registry) -> &'static [&'static str] {
    WORDS.get(match registry {
        Registry::PyPi => "pypi",
        Registry::Npm => "npm",
        Registry::Crates => "crates.io",
        Registry::Gems => "rubygems",
        Registry::Go => "go",
    })
}

/// Names that were registered to be mistaken for others and differ from them by more than one letter.
const CONFUSED: &[(Registry, &str, &str)] = &[
    (Registry::PyPi, "python3-dateutil", "python-dateutil"),
    (Registry::PyPi, "pytorch", "torch"),
    (Registry::PyPi, "request", "requests"),
    (Registry::Npm, "crossenv", "cross-env"),
    (Registry::Npm, "twilio-npm", "twilio"),
    (Registry::Go, "github.com/boltdb-go/bolt", "github.com/boltdb/bolt"),
];

/// The popular package that a name can be mistaken for; `None` for a popular name, and for one unlike all of them.
pub fn taken_for(registry: Registry, name: &str) -> Option<&'static str> {
    let letters = name.chars().count();
    if !(LETTERS_MIN..=LETTERS_MAX).contains(&letters) || WORDS.get("lookalikes").contains(&name) {
        return None;
    }
    let popular = || popular_in(registry).iter().copied();
    if popular().any(|popular| popular == name) {
        return None;
    }
    let confused = CONFUSED.iter().find(|(of, confused, _)| *of == registry && *confused == name);
    // A final digit is usually a version: `psycopg2`, `jquery3`.
    let bare = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let near = |popular: &&str| {
        if name[..bare(name)] == popular[..bare(popular)] {
            return false;
        }
        popular.len().abs_diff(name.len()) <= 4 && popular.len() >= LETTERS_MIN && is_one_slip(name, popular)
    };
    confused.map(|(_, _, meant)| *meant).or_else(|| popular().find(near))
}

/// Whether two different names are one edit apart, or differ only by two swapped adjacent letters.
fn is_one_slip(a: &str, b: &str) -> bool {
    is_swapped(a, b) || is_within_one_edit(a, b)
}

/// Whether two names differ only by two swapped adjacent letters.
pub fn is_swapped(a: &str, b: &str) -> bool {
    let differ = || a.chars().zip(b.chars()).enumerate().filter(|(_, (x, y))| x != y);
    a.chars().count() == b.chars().count() && {
        let found: Vec<_> = differ().take(3).collect();
        matches!(found[..], [(i, (x, y)), (j, (v, w))] if j == i + 1 && x == w && y == v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_one_slip_from_a_popular_one_is_taken_for_it() {
        for (registry, name, expected) in [
            (Registry::PyPi, "reqeusts", Some("requests")),
            (Registry::PyPi, "request", Some("requests")),
            (Registry::PyPi, "colourama", Some("colorama")),
            (Registry::PyPi, "requésts", Some("requests")),
            (Registry::PyPi, "requests", None),
            (Registry::PyPi, "scapy", None),
            (Registry::PyPi, "urllib", None),
            (Registry::Npm, "jquery3", None),
            (Registry::PyPi, "express", None),
            (Registry::Npm, "loadash", Some("lodash")),
            (Registry::Npm, "crossenv", Some("cross-env")),
            (Registry::Npm, "preact", None),
            (Registry::Npm, "request", None),
            (Registry::Crates, "rustdecimal", Some("rust_decimal")),
            (Registry::Go, "github.com/sprif13/viper", None),
            (Registry::Go, "github.com/siruspen/logrus", Some("github.com/sirupsen/logrus")),
            (Registry::Gems, "", None),
        ] {
            assert_eq!(taken_for(registry, name), expected, "{name}");
        }
    }
}
