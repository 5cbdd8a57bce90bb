//! "Did you mean": finds known words that resemble an unknown one, and words the suggestion. Skills, headings, files,
//! codes, commands, options, targets and settings all use it.

use crate::limits::{NEAREST_NAME_BYTES_MAX, SUGGESTION_QUERY_BYTES_MAX, SUGGESTIONS_MAX};
use crate::text::case_fold::{fold, fold_into};
use crate::text::edit_distance::{edit_distance, is_within_one_edit};

/// Maximum number of suggested names.
const NEAREST_MAX: usize = 3;
/// A suggestion may be this many edits worse than the best one.
const EDITS_BEYOND_BEST_MAX: usize = 2;
/// Length in characters of the longest word that is checked for typos; no known word is nearly as long.
const SLIP_CHARS_MAX: usize = 40;

/// The question after an error, with one suggestion per line.
pub fn did_you_mean(suggestions: &str) -> String {
    format!("Did you mean one of these?\n{suggestions}")
}

/// The suggestion lines for `did_you_mean`. Names that would break the line are omitted.
pub fn list<T: std::fmt::Display>(suggestions: impl IntoIterator<Item = T>) -> String {
    let lines = suggestions.into_iter().map(|suggestion| format!("  - {suggestion}"));
    lines.filter(|line| !line.contains(char::is_control)).collect::<Vec<_>>().join("\n")
}

/// The known names most similar to an unknown one, regardless of case: best first, at most three. Empty for a text
/// that is too long to be a misspelled name.
pub fn nearest<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    if unknown.is_empty() || unknown.len() > NEAREST_NAME_BYTES_MAX {
        return Vec::new();
    }
    let requested = fold(unknown);
    // A short word resembles many others.
    let within = match requested.chars().count() {
        0..4 => 0,
        chars => (chars + 1) / 3,
    };
    let mut ranked: Vec<(usize, &str, bool)> = known
        .into_iter()
        .filter(|name| name.len() <= NEAREST_NAME_BYTES_MAX)
        .map(|name| (name, fold(name)))
        .map(|(name, folded)| (edit_distance(&requested, &folded), name, folded.starts_with(&requested)))
        .filter(|(edits, _, is_longer)| *edits <= within || *is_longer)
        .map(|(edits, name, is_longer)| (edits.min(within), name, is_longer))
        .collect();
    ranked.sort_unstable();
    ranked.dedup();
    let most = ranked.first().map_or(0, |(best, ..)| best + EDITS_BEYOND_BEST_MAX);
    let is_near = |(edits, _, is_longer): &(usize, &str, bool)| *edits <= most || *is_longer;
    ranked.into_iter().filter(is_near).map(|(_, name, _)| name).take(NEAREST_MAX).collect()
}

/// The known paths that an unknown one may mean: those with the same file name, otherwise those that are similar as a
/// whole or in their file name; at most three.
pub fn paths<'a>(unknown: &str, known: impl Iterator<Item = &'a str> + Clone) -> Vec<&'a str> {
    let name = file_name(unknown);
    let folded = fold(name);
    let has_name = |path: &&str| fold(file_name(path)) == folded;
    let same: Vec<&str> = known.clone().filter(has_name).take(NEAREST_MAX).collect();
    if !same.is_empty() {
        return same;
    }
    let whole = nearest(unknown, known.clone());
    if !whole.is_empty() {
        return whole;
    }
    let names = nearest(name, known.clone().map(file_name));
    let mut found: Vec<&str> =
        names.iter().flat_map(|name| known.clone().filter(move |path| file_name(path) == *name)).collect();
    found.truncate(NEAREST_MAX);
    found
}

fn file_name(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

/// The known word of which `written` is a typo: it differs in case, in a separator, or by one edit (two in a word of
/// eight or more characters). `None` for a known word, and for one unlike all of them.
pub fn slip<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if written.chars().nth(SLIP_CHARS_MAX).is_some() {
        return None;
    }
    let plain = plain(written);
    let edits_max = match plain.chars().count() {
        0..4 => 0,
        4..8 => 1,
        _ => 2,
    };
    let mut nearest: Option<(usize, &str)> = None;
    for word in known {
        let edits = edit_distance(&plain, &self::plain(word));
        if word == written {
            return None;
        }
        if edits <= edits_max && nearest.is_none_or(|(least, _)| edits < least) {
            nearest = Some((edits, word));
        }
    }
    nearest.map(|(_, word)| word)
}

/// The word in lower case, without separators.
fn plain(word: &str) -> String {
    word.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

/// The headings to suggest for a query without matches, by its folded readings: those that begin with one or resemble
/// it. Prefix matches first, then in file order, at most `SUGGESTIONS_MAX`. Empty for a query longer than
/// `SUGGESTION_QUERY_BYTES_MAX`.
pub fn headings<'a>(
    readings: &[String],
    headings: impl Iterator<Item = (&'a str, &'a str)>,
) -> Vec<(String, String)> {
    if readings.iter().any(|reading| reading.len() > SUGGESTION_QUERY_BYTES_MAX) {
        return Vec::new();
    }
    let requested: Vec<&str> = readings.iter().map(|reading| reading.trim_end_matches('…')).collect();
    let (mut prefixed, mut containing) = (Vec::new(), Vec::new());
    let mut folded = String::new();
    for (text, file) in headings {
        fold_into(text, &mut folded);
        let entry = || (text.to_owned(), file.to_owned());
        if requested.iter().any(|w| !w.is_empty() && folded.starts_with(*w)) {
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

/// Whether a heading resembles a query: one contains the other, or they differ by a typo.
fn resembles(heading: &str, requested: &str) -> bool {
    if heading.is_empty() || requested.is_empty() {
        return false;
    }
    heading.contains(requested)
        || (heading.len() > 3 && requested.contains(heading))
        || is_slip(heading, requested)
}

/// Whether two texts of at least five characters differ by at most one edit.
fn is_slip(a: &str, b: &str) -> bool {
    let is_long = |text: &str| text.chars().nth(4).is_some();
    is_long(a) && is_long(b) && is_within_one_edit(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::names;

    /// RFC-0001:C-TARGETS
    #[test]
    fn the_nearest_names_come_first() {
        assert_eq!(nearest("claud", names()), ["claude", "claude-code"]);
        assert_eq!(nearest("cursr", names())[0], "cursor");
    }

    #[test]
    fn names_that_resemble_less_than_the_best_are_left_out() {
        let skills = ["pdf-forms", "pdf", "review", "Deploy-Notes"];
        assert_eq!(nearest("reviw", skills), ["review"]);
        assert_eq!(nearest("deploy-notes", skills), ["Deploy-Notes"]);
        assert_eq!(nearest("pd", skills), ["pdf", "pdf-forms"]);
        assert!(nearest("foo", ["roo", "log", "fx"]).is_empty());
        assert!(nearest("completely-different", skills).is_empty() && nearest("", skills).is_empty());
        assert!(nearest(&"x".repeat(1_000_000), skills).is_empty());
    }

    #[test]
    fn a_path_is_found_by_its_file_name_in_any_folder() {
        let known = ["SKILL.md", "references/api.md", "references/apis/errors.md"];
        let found = |unknown| paths(unknown, known.iter().copied());
        assert_eq!(found("api.md"), ["references/api.md"]);
        assert_eq!(found("Skill.md"), ["SKILL.md"]);
        assert_eq!(found("reference/api.md"), ["references/api.md"]);
        assert_eq!(found("eror.md"), ["references/apis/errors.md"]);
        assert!(found("assets/logo.svg").is_empty());
    }

    /// RFC-0002:C-SHOW
    #[test]
    fn headings_put_prefixes_first_and_end_at_five() {
        let known = ["The Usage", "Usage notes", "usage", "Other", "Usagf"].map(|h| (h, "a.md"));
        let found: Vec<_> =
            headings(&["usage".to_owned()], known.into_iter()).into_iter().map(|s| s.0).collect();
        assert_eq!(found, ["Usage notes", "usage", "The Usage", "Usagf"]);
        let many: Vec<String> = (0..9).map(|i| format!("Usage {i}")).collect();
        assert_eq!(headings(&["usage".to_owned()], many.iter().map(|h| (h.as_str(), "f"))).len(), 5);
        let slip: Vec<_> =
            headings(&["instalation".to_owned()], [("Installation", "f")].into_iter()).into_iter().collect();
        assert_eq!(slip.len(), 1);
    }

    const KNOWN: &[&str] =
        &["name", "description", "license", "compatibility", "metadata", "allowed-tools", "agent"];

    #[test]
    fn a_slip_is_told_from_another_word() {
        for (written, meant) in [
            ("Name", Some("name")),
            ("allowed_tools", Some("allowed-tools")),
            ("allowedTools", Some("allowed-tools")),
            ("desription", Some("description")),
            ("descritpion", Some("description")),
            ("licence", Some("license")),
            ("agents", Some("agent")),
            ("name", None),
            ("version", None),
            ("tools", None),
            ("type", None),
            ("games", None),
            ("", None),
        ] {
            assert_eq!(slip(written, KNOWN.iter().copied()), meant, "{written}");
        }
        assert_eq!(slip(&"é".repeat(100_000), KNOWN.iter().copied()), None);
    }

    /// RFC-0005:C-HINTS
    #[test]
    fn a_question_has_one_suggestion_per_line_without_names_that_break_it() {
        assert_eq!(did_you_mean(&list(["a", "b\nc", "d"])), "Did you mean one of these?\n  - a\n  - d");
        assert_eq!(list(Vec::<&str>::new()), "");
    }

    #[test]
    fn a_name_is_near_up_to_a_third_of_its_length_rounded_and_a_short_one_only_as_a_beginning() {
        for (unknown, known, is_near) in [
            ("abcdef", "abcdxy", true),
            ("abcdef", "abcxyz", false),
            ("abcd", "abcx", true),
            ("abc", "abx", false),
            ("ab", "abcdefgh", true),
            ("ABC", "abc", true),
            ("", "a", false),
        ] {
            assert_eq!(!nearest(unknown, [known]).is_empty(), is_near, "{unknown} {known}");
        }
    }

    #[test]
    fn a_text_too_long_for_a_name_is_not_compared() {
        let (long, longer) = ("a".repeat(128), "a".repeat(129));
        assert_eq!(nearest(&long, [&*long]), [&*long]);
        assert!(nearest(&long, [&*longer]).is_empty() && nearest(&longer, [&*long]).is_empty());
    }

    #[test]
    fn a_slip_is_one_edit_from_four_characters_and_two_from_eight() {
        for (written, known, is_slip) in [
            ("abc", "abd", false),
            ("abc", "a-bc", true),
            ("abcd", "abce", true),
            ("abcd", "abef", false),
            ("abcdefg", "abcdexy", false),
            ("abcdefgh", "abcdefxy", true),
            ("abcdefgh", "abcdexyz", false),
            ("Max-Lines", "max_lines", true),
        ] {
            assert_eq!(slip(written, [known]).is_some(), is_slip, "{written} {known}");
        }
        assert_eq!(
            slip("abcdefgh", ["abcdefxy", "abcdefgx", "abcdefxh"]),
            Some("abcdefgx"),
            "the first nearest"
        );
        assert_eq!(slip("abcde", ["abcdx", "abcde"]), None, "a known word is none");
        let (long, longer) = ("a".repeat(40), "a".repeat(41));
        assert_eq!((slip(&long, [&*longer]), slip(&longer, [&*long])), (Some(&*longer), None));
    }

    #[test]
    fn a_heading_resembles_a_query_that_holds_it_or_differs_by_a_slip() {
        for (heading, query, is_similar) in [
            ("install the tool", "the", true),
            ("tool", "my tool is", true),
            ("too", "my too is", false),
            ("usage", "usagx", true),
            ("usag", "usax", false),
            ("usage", "xsagx", false),
            ("usage", "usagxx", false),
            ("", "x", false),
            ("x", "", false),
        ] {
            assert_eq!(resembles(heading, query), is_similar, "{heading} {query}");
        }
    }

    /// RFC-0002:C-SHOW
    #[test]
    fn a_heading_that_begins_with_the_query_comes_first_and_a_long_query_has_none() {
        let of = |query: &str, known: &[&str]| {
            let known = known.iter().map(|heading| (*heading, "f.md"));
            headings(&[query.to_owned()], known).into_iter().map(|(text, _)| text).collect::<Vec<_>>()
        };
        let known = ["No Setup", "Setup B", "My setup", "Setup A", "Other", "Resetup", "A setup", "B setup"];
        assert_eq!(of("setup…", &known), ["Setup B", "Setup A", "No Setup", "My setup", "Resetup"]);
        assert!(of("", &known).is_empty());
        let long = "a".repeat(1_024);
        assert_eq!(of(&long, &[&long]).len(), 1);
        assert!(of(&"a".repeat(1_025), &[&"a".repeat(1_025)]).is_empty());
    }
}
