//! How far apart two words are, for suggestions.

/// Levenshtein's distance in characters.
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
}
