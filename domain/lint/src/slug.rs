//! Anchors of headings (RFC-0008:C-REGISTRY, SKL302).

use std::collections::{HashMap, HashSet};

/// The slug of a heading: in lower case, with only `a-z`, `0-9`, spaces and hyphens kept, spaces converted to
/// hyphens, and runs of hyphens merged.
pub fn slug(heading: &str) -> String {
    let mut slug = String::with_capacity(heading.len());
    for c in heading.chars().map(|c| c.to_ascii_lowercase()) {
        match c {
            'a'..='z' | '0'..='9' => slug.push(c),
            ' ' | '-' if !slug.ends_with('-') => slug.push('-'),
            _ => {}
        }
    }
    slug
}

/// The slug as GitHub makes it: letters and digits of all scripts, `_` and every hyphen are kept.
///
/// Combining marks are dropped, since `std` does not know them; anchors are compared without them too.
pub fn wide_slug(heading: &str) -> String {
    let anchor_char = |c: char| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        _ => Some(c).filter(|c| c.is_alphabetic() || (c.is_numeric() && !is_number_sign(*c))),
    };
    heading.chars().flat_map(char::to_lowercase).filter_map(anchor_char).collect()
}

/// Whether a character stands for a number without being a digit: superscripts, fractions, and numbers in circles,
/// parentheses or with a full stop. GitHub drops them.
const fn is_number_sign(c: char) -> bool {
    matches!(c, '²' | '³' | '¹' | '¼'..='¾'
        | '\u{2070}'..='\u{2089}' | '\u{2150}'..='\u{215f}' | '\u{2189}'
        | '\u{2460}'..='\u{249b}' | '\u{24ea}'..='\u{24ff}' | '\u{2776}'..='\u{2793}'
        | '\u{3192}'..='\u{3195}' | '\u{3220}'..='\u{3229}' | '\u{3248}'..='\u{324f}'
        | '\u{3251}'..='\u{325f}' | '\u{3280}'..='\u{3289}' | '\u{32b1}'..='\u{32bf}'
        | '\u{1f100}'..='\u{1f10c}')
}

/// The anchors of headings in order; duplicates get `-1`, `-2`, ….
pub fn anchors<'a>(headings: impl Iterator<Item = &'a str>) -> HashSet<String> {
    numbered(headings.map(slug))
}

/// Like [`anchors`], with [`wide_slug`].
pub fn wide_anchors<'a>(headings: impl Iterator<Item = &'a str>) -> HashSet<String> {
    numbered(headings.map(wide_slug))
}

/// Makes slugs unique like GitHub: a repeated one gets the next number that is free.
fn numbered(slugs: impl Iterator<Item = String>) -> HashSet<String> {
    // The last number tried for each slug.
    let mut given: HashMap<String, u32> = HashMap::new();
    for slug in slugs {
        let Some(mut count) = given.get(&slug).copied() else {
            given.insert(slug, 0);
            continue;
        };
        let anchor = loop {
            count += 1;
            let anchor = format!("{slug}-{count}");
            if !given.contains_key(&anchor) {
                break anchor;
            }
        };
        given.insert(slug, count);
        given.insert(anchor, 0);
    }
    given.into_keys().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0008:C-REGISTRY
    #[test]
    fn a_slug_keeps_ascii_letters_digits_and_single_hyphens() {
        for (heading, expected) in [
            ("Getting Started", "getting-started"),
            ("What's new — in 2.0?", "whats-new-in-20"),
            ("a - b", "a-b"),
            ("日本語", ""),
            ("C++ & Rust", "c-rust"),
        ] {
            assert_eq!(slug(heading), expected, "{heading}");
        }
        let anchors = anchors(["A", "a", "B", "A"].into_iter());
        let mut anchors: Vec<_> = anchors.iter().map(String::as_str).collect();
        anchors.sort_unstable();
        assert_eq!(anchors, ["a", "a-1", "a-2", "b"]);
        let mut anchors: Vec<String> =
            super::anchors(["A", "A-1", "A", "A 1"].into_iter()).into_iter().collect();
        anchors.sort_unstable();
        assert_eq!(
            anchors,
            ["a", "a-1", "a-1-1", "a-2"],
            "a number that a heading has itself is passed over"
        );
    }

    #[test]
    fn a_wide_slug_keeps_letters_of_all_scripts() {
        for (heading, expected) in [
            ("日本語 Überblick", "日本語-überblick"),
            ("a - b & c_d", "a---b--c_d"),
            ("🚀 Start!", "-start"),
            ("1. Setup", "1-setup"),
            ("① x² ½ Ⅳ ٣", "-x--ⅳ-٣"),
        ] {
            assert_eq!(wide_slug(heading), expected, "{heading}");
        }
        assert!(wide_anchors(["é", "É"].into_iter()).contains("é-1"));
    }
}
