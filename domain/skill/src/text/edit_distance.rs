//! Edit distances, for suggestions.

/// The Levenshtein distance in characters.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let swapped = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = swapped.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// Whether two texts are equal or differ by one inserted, deleted or replaced character. Linear, unlike
/// [`edit_distance`].
pub fn is_within_one_edit(a: &str, b: &str) -> bool {
    // A character has at most four bytes.
    if a.len().abs_diff(b.len()) > 4 {
        return false;
    }
    let (a_chars, b_chars) = (a.chars().count(), b.chars().count());
    let same_before = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    let same_after = a.chars().rev().zip(b.chars().rev()).take_while(|(x, y)| x == y).count();
    let (long, short) = (a_chars.max(b_chars), a_chars.min(b_chars));
    long - short <= 1 && same_before + same_after + 1 >= long
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_inserted_deleted_or_other_character_counts() {
        for (a, b, edits) in
            [("", "", 0), ("abc", "abc", 0), ("", "abc", 3), ("claud", "claude", 1), ("größe", "grosse", 3)]
        {
            assert_eq!((edit_distance(a, b), edit_distance(b, a)), (edits, edits), "{a} {b}");
        }
    }

    #[test]
    fn one_edit_is_a_distance_of_at_most_one() {
        let words = ["", "a", "b", "ab", "ba", "aab", "aaa", "usage", "usge", "usagé", "uasge", "sage"];
        for (a, b) in words.iter().flat_map(|a| words.iter().map(move |b| (a, b))) {
            assert_eq!(is_within_one_edit(a, b), edit_distance(a, b) <= 1, "{a} {b}");
        }
    }

    #[test]
    fn characters_of_several_bytes_are_one_edit() {
        for (a, b, is_near) in [
            ("ab", "a\u{1f642}b", true),
            ("", "\u{1f642}", true),
            ("a", "\u{1f642}", true),
            ("", "\u{1f642}b", false),
        ] {
            assert_eq!(is_within_one_edit(a, b), is_near, "{a} {b}");
        }
    }
}
