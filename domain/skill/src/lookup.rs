//! How a heading is looked up by what a user types (RFC-0002:C-SHOW).

use crate::fault::Fault;
use crate::limits::{SUGGESTION_QUERY_BYTES_MAX, SUGGESTIONS_MAX};
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
        return Err(Fault::invalid_option("--section is empty"));
    }
    let cuts =
        whole.rmatch_indices(" — ").map(|(at, _)| whole[..at].trim()).filter(|before| !before.is_empty());
    Ok([whole].into_iter().chain(cuts).map(fold).collect())
}

/// The headings to suggest for a query that matched none: those that begin with it or contain it, or that begin one of
/// its readings; prefixes first, each in file order, at most `SUGGESTIONS_MAX`. None for a query beyond
/// `SUGGESTION_QUERY_BYTES_MAX`.
pub fn suggestions<'a>(
    query: &str,
    headings: impl Iterator<Item = (&'a str, &'a str)>,
) -> Vec<(String, String)> {
    if query.len() > SUGGESTION_QUERY_BYTES_MAX {
        return Vec::new();
    }
    let requested: Vec<String> =
        readings(query).unwrap_or_default().iter().map(|r| r.trim_end_matches('…').into()).collect();
    let (mut prefixed, mut containing) = (Vec::new(), Vec::new());
    for (text, file) in headings {
        let folded = fold(text);
        let entry = || (text.to_owned(), file.to_owned());
        if requested.iter().any(|w| !w.is_empty() && folded.starts_with(w.as_str())) {
            prefixed.push(entry());
        } else if containing.len() < SUGGESTIONS_MAX && requested.iter().any(|w| resembles(&folded, w)) {
            containing.push(entry());
        }
        if prefixed.len() == SUGGESTIONS_MAX {
            break;
        }
    }
    prefixed.extend(containing);
    prefixed.truncate(SUGGESTIONS_MAX);
    prefixed
}

/// A heading resembles a query that it contains, or that contains it, or that differs from it in a slip of the fingers.
fn resembles(heading: &str, requested: &str) -> bool {
    if heading.is_empty() || requested.is_empty() {
        return false;
    }
    heading.contains(requested)
        || (heading.len() > 3 && requested.contains(heading))
        || is_slip(heading, requested)
}

/// Whether two texts of five characters and more differ in one character more, less or other.
fn is_slip(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let (long, short) = if a.len() >= b.len() { (&a, &b) } else { (&b, &a) };
    if short.len() < 5 || long.len() - short.len() > 1 {
        return false;
    }
    let same_before = long.iter().zip(short).take_while(|(x, y)| x == y).count();
    let same_after = long.iter().rev().zip(short.iter().rev()).take_while(|(x, y)| x == y).count();
    same_before + same_after + 1 >= long.len()
}

/// The fault of a query that matched nothing; the query as it was given.
pub fn not_found(query: &str, skill: &str, suggestions: &[(String, String)]) -> Fault {
    let lines: Vec<_> = suggestions.iter().map(|(text, file)| format!("  - {text} ({file})")).collect();
    Fault::SectionNotFound {
        section: query.to_owned(),
        skill: skill.to_owned(),
        suggestions: lines.join("\n"),
    }
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

    /// RFC-0002:C-SHOW
    #[test]
    fn suggestions_put_prefixes_first_and_end_at_five() {
        let headings = ["The Usage", "Usage notes", "usage", "Other", "Usagf"].map(|h| (h, "a.md"));
        let found: Vec<_> = suggestions("usage", headings.into_iter()).into_iter().map(|s| s.0).collect();
        assert_eq!(found, ["Usage notes", "usage", "The Usage", "Usagf"]);
        let many: Vec<String> = (0..9).map(|i| format!("Usage {i}")).collect();
        assert_eq!(suggestions("usage", many.iter().map(|h| (h.as_str(), "f"))).len(), 5);
        let slip: Vec<_> =
            suggestions("Instalation", [("Installation", "f")].into_iter()).into_iter().collect();
        assert_eq!(slip.len(), 1);
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
