//! How far apart two words are, for suggestions.

/// The up to three known names that are most like an unknown one, nearest first.
pub fn nearest<'a>(unknown: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut ranked: Vec<_> = known.map(|name| (edit_distance(unknown, name), name)).collect();
    ranked.sort_unstable();
    let within = unknown.chars().count() / 2 + 1;
    let is_near = |(distance, name): &(usize, &str)| *distance <= within || name.starts_with(unknown);
    ranked.into_iter().filter(is_near).map(|(_, name)| name).take(3).collect()
}

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
    use crate::agents::names;

    /// RFC-0001:C-TARGETS
    #[test]
    fn the_nearest_names_come_first() {
        assert_eq!(nearest("claud", names()), ["claude", "cline", "claude-code"]);
        assert_eq!(nearest("cursr", names())[0], "cursor");
    }
}
