//! Looks up a heading by what a user types (RFC-0002:C-SHOW).

use crate::fault::Fault;
use crate::suggest::list;
use crate::text::case_fold::fold;

/// A heading as recorded in the index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FoundHeading {
    /// Path of its file, relative to the skill's root.
    pub file: String,
    /// 1-based line of the heading.
    pub start_line: u32,
    /// 1-based line after the end of the section.
    pub end_line: u32,
    /// 1 to 6.
    pub level: u8,
    /// The heading's text.
    pub text: String,
}

/// The interpretations of a query, case-folded, in the order to try: as given, then without the text after the last `
/// — `, then after the one before, since a heading may contain one.
///
/// # Errors
/// E100 if the query is only white space.
pub fn readings(query: &str) -> Result<Vec<String>, Fault> {
    let whole = query.trim();
    if whole.is_empty() {
        return Err(Fault::invalid_argument("section", "is empty"));
    }
    let cuts =
        whole.rmatch_indices(" — ").map(|(at, _)| whole[..at].trim()).filter(|before| !before.is_empty());
    Ok([whole].into_iter().chain(cuts).map(fold).collect())
}

/// A section as search results print it: `file#heading (line N)`. File and line are given only if they are needed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QualifiedHeading<'a> {
    /// Path of the file, relative to the skill's root.
    pub file: Option<&'a str>,
    /// The heading's text.
    pub heading: &'a str,
    /// The line of the heading.
    pub line: Option<u32>,
}

impl FoundHeading {
    /// The name that [`QualifiedHeading`] parses.
    pub fn qualified(&self) -> String {
        format!("{}#{} (line {})", self.file, self.text, self.start_line)
    }
}

impl<'a> QualifiedHeading<'a> {
    /// Parses such a name; `is_file` says whether the skill has a file.
    pub fn parse(name: &'a str, is_file: impl Fn(&str) -> bool) -> Self {
        let name = name.trim();
        let (file, rest) = match name.split_once('#').filter(|(file, _)| is_file(file)) {
            Some((file, rest)) => (Some(file), rest),
            None => (None, name),
        };
        let numbered = rest.strip_suffix(')').and_then(|rest| rest.rsplit_once(" (line "));
        let numbered = numbered.and_then(|(heading, line)| Some((heading, line.parse().ok()?)));
        match numbered {
            Some((heading, line)) => Self { file, heading, line: Some(line) },
            None => Self { file, heading: rest, line: None },
        }
    }
}

/// The fault for a query, as given, that matched nothing.
pub fn not_found(query: &str, skill: &str, suggestions: &[(String, String)]) -> Fault {
    let suggestions = list(suggestions.iter().map(|(text, file)| format!("{text} ({file})")));
    Fault::SectionNotFound { section: query.to_owned(), skill: skill.to_owned(), suggestions }
}

/// Selects the heading to show, the first by file and line, and returns the others after it.
pub fn choose(mut found: Vec<FoundHeading>) -> Option<(FoundHeading, Vec<FoundHeading>)> {
    found.sort();
    let mut found = found.into_iter();
    found.next().map(|first| (first, found.collect()))
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
    fn a_section_is_named_as_a_search_names_it() {
        let parsed = |name| {
            let QualifiedHeading { file, heading, line } =
                QualifiedHeading::parse(name, |file| file == "a/b.md");
            (file, heading, line)
        };
        assert_eq!(parsed("Usage"), (None, "Usage", None));
        assert_eq!(parsed("a/b.md#C# (line 12)"), (Some("a/b.md"), "C#", Some(12)));
        assert_eq!(parsed(" Usage (line 3)\n"), (None, "Usage", Some(3)));
        assert_eq!(parsed("C#"), (None, "C#", None));
        assert_eq!(parsed("x.md#Usage (line x)"), (None, "x.md#Usage (line x)", None));
    }

    #[test]
    fn the_first_of_several_headings_by_file_and_line_is_shown() {
        let at = |file: &str, start_line| FoundHeading {
            file: file.into(),
            start_line,
            end_line: 99,
            level: 1,
            text: "x".into(),
        };
        assert_eq!(
            choose(vec![at("b", 1), at("a", 9), at("a", 3)]),
            Some((at("a", 3), vec![at("a", 9), at("b", 1)]))
        );
        assert_eq!(choose(vec![]), None);
    }

    /// RFC-0002:C-SHOW
    #[test]
    fn one_heading_is_not_ambiguous_and_none_is_told_with_similar_ones() {
        let one = FoundHeading { file: "a".into(), start_line: 1, end_line: 2, level: 1, text: "x".into() };
        assert_eq!(choose(vec![one.clone()]), Some((one, vec![])));
        let expected = Fault::SectionNotFound {
            section: "Usge".into(),
            skill: "demo".into(),
            suggestions: "  - Usage (a.md)\n  - Use (b.md)".into(),
        };
        let similar = [("Usage", "a.md"), ("Use", "b.md")].map(|(text, file)| (text.into(), file.into()));
        assert_eq!(not_found("Usge", "demo", &similar), expected);
    }
}
