//! How a heading is looked up by what a user types (RFC-0002:C-SHOW).

use crate::fault::Fault;
use crate::suggest::list;
use crate::text::case_fold::fold;

/// A heading as the index gives it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FoundHeading {
    /// Path of its file, relative to the skill's root.
    pub file: String,
    /// 1-based line of the heading.
    pub start_line: u32,
    /// 1-based line that the section ends before.
    pub end_line: u32,
    /// 1 to 6.
    pub level: u8,
    /// Its text.
    pub text: String,
}

/// The readings of a query, folded, in the order in which they are tried: as given, then without what follows the last
/// ` — `, then the one before, since a heading may hold one of its own.
///
/// # Errors
/// E100 when nothing but white space is given.
pub fn readings(query: &str) -> Result<Vec<String>, Fault> {
    let whole = query.trim();
    if whole.is_empty() {
        return Err(Fault::invalid_argument("section", "is empty"));
    }
    let cuts =
        whole.rmatch_indices(" — ").map(|(at, _)| whole[..at].trim()).filter(|before| !before.is_empty());
    Ok([whole].into_iter().chain(cuts).map(fold).collect())
}

/// The fault of a query that matched nothing; the query as it was given.
pub fn not_found(query: &str, skill: &str, suggestions: &[(String, String)]) -> Fault {
    let suggestions = list(suggestions.iter().map(|(text, file)| format!("{text} ({file})")));
    Fault::SectionNotFound { section: query.to_owned(), skill: skill.to_owned(), suggestions }
}

/// Which of several headings is shown, and whether there were more: the first by file and line.
pub fn choose(mut found: Vec<FoundHeading>) -> Option<(FoundHeading, bool)> {
    found.sort();
    let is_ambiguous = found.len() > 1;
    found.into_iter().next().map(|first| (first, is_ambiguous))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0002:C-SHOW
    #[test]
    fn the_exact_heading_is_tried_before_the_one_without_its_description() {
        assert_eq!(
            readings("  Clap Patterns — parsing ").unwrap(),
            ["clap patterns — parsing", "clap patterns"]
        );
        assert_eq!(readings("A — B — about b").unwrap(), ["a — b — about b", "a — b", "a"]);
        assert_eq!(readings("ÜBER").unwrap(), ["über"]);
        assert_eq!(readings(" — x").unwrap(), ["— x"]);
        assert!(readings("  ").is_err());
    }

    #[test]
    fn of_several_headings_the_first_by_file_and_line_is_shown() {
        let at = |file: &str, start_line| FoundHeading {
            file: file.into(),
            start_line,
            end_line: 99,
            level: 1,
            text: "x".into(),
        };
        assert_eq!(choose(vec![at("b", 1), at("a", 9), at("a", 3)]), Some((at("a", 3), true)));
        assert_eq!(choose(vec![]), None);
    }
}
