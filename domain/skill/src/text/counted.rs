//! Numbers with their nouns, for messages and reports.

/// A number with its noun: `1 row`, `2 rows`, `2 queries`, `2 accesses`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{count} {}", noun_for(count, noun))
}

/// The form of a regular noun for a number of things.
pub fn noun_for(count: u64, noun: &str) -> String {
    if count == 1 {
        return noun.to_owned();
    }
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if noun.ends_with(['s', 'x']) => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noun_has_its_plural_unless_there_is_one() {
        assert_eq!(counted(1, "query"), "1 query");
        assert_eq!(counted(0, "query"), "0 queries");
        assert_eq!(counted(2, "key"), "2 keys");
        assert_eq!(counted(2, "access"), "2 accesses");
        assert_eq!(counted(3, "new event"), "3 new events");
    }

    #[test]
    fn the_plural_of_a_noun_follows_its_end() {
        for (noun, plural) in [
            ("reply", "replies"),
            ("day", "days"),
            ("toy", "toys"),
            ("guy", "guys"),
            ("index", "indexes"),
            ("pass", "passes"),
        ] {
            assert_eq!((noun_for(2, noun), noun_for(1, noun)), (plural.to_owned(), noun.to_owned()));
        }
    }
}
