//! The order in which a stub lists reference files: by their first mention in SKILL.md, then by path
//! (RFC-0001:C-SECTIONS).

use crate::limits::PATH_SEGMENT_BYTES_MAX;
use crate::path::RelPath;
use std::collections::HashMap;

/// Bytes of the text that are searched: ten times the longest of 3,344 published SKILL.md files.
const TEXT_BYTES_MAX: usize = 1024 * 1024;

/// Sorts files by the first mention in `text` of their path or, if no other file has it, their name. Files that are
/// not mentioned follow, sorted by path. Linear in the text, of which only the first MiB counts.
pub fn sort_by_mention(paths: &mut [RelPath], text: &str) {
    let mentions = first_mentions(paths, &text[..text.floor_char_boundary(TEXT_BYTES_MAX)]);
    let at = |path: &RelPath| mentions.get(path.as_str()).copied().unwrap_or(usize::MAX);
    let mut keyed: Vec<(usize, RelPath)> = paths.iter().map(|path| (at(path), path.clone())).collect();
    keyed.sort_unstable();
    paths.iter_mut().zip(keyed).for_each(|(place, (_, path))| *place = path);
}

/// Whether a text mentions one of these files, in the sense of `sort_by_mention`.
pub fn mentions_any(paths: &[RelPath], text: &str) -> bool {
    !first_mentions(paths, text).is_empty()
}

/// The byte offset of each mentioned path's first mention.
fn first_mentions(paths: &[RelPath], text: &str) -> HashMap<String, usize> {
    let mut by_name: HashMap<&str, Vec<&str>> = HashMap::new();
    paths.iter().for_each(|path| by_name.entry(path.name()).or_default().push(path.as_str()));
    let mut found = HashMap::new();
    if paths.is_empty() {
        return found;
    }
    for (dot, _) in text.match_indices('.') {
        let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        let end =
            text[dot + 1..].find(|c: char| !is_of_name(c)).map_or(text.len(), |length| dot + 1 + length);
        for (name, start) in names_before(&text[..end], dot) {
            let Some(paths) = by_name.get(name) else { continue };
            for path in paths.iter().filter(|path| paths.len() == 1 || text[..end].ends_with(**path)) {
                found.entry((*path).to_owned()).or_insert(start);
            }
        }
    }
    found
}

/// The possible file names that end a text, with their byte offsets: one from each position before `dot` at which a
/// name may begin.
fn names_before(text: &str, dot: usize) -> impl Iterator<Item = (&str, usize)> {
    let earliest = text.floor_char_boundary(dot.saturating_sub(PATH_SEGMENT_BYTES_MAX));
    let begins = move |at: &usize| {
        let before = text[..*at].chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '.'))
    };
    let line = text[earliest..dot].rfind('\n').map_or(earliest, |at| earliest + at + 1);
    let starts = text[line..dot].char_indices().map(move |(at, _)| line + at);
    starts.filter(begins).map(|at| (&text[at..], at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(paths: &[&str], text: &str) -> Vec<String> {
        let mut paths: Vec<RelPath> = paths.iter().map(|path| RelPath::parse(path).unwrap()).collect();
        sort_by_mention(&mut paths, text);
        paths.iter().map(ToString::to_string).collect()
    }

    /// RFC-0001:C-SECTIONS
    #[test]
    fn references_come_in_the_order_of_their_mentions_and_then_by_path() {
        let paths = ["references/z.md", "a.md", "b.md", "references/with blank.md"];
        let text =
            "See [z](references/z.md), then `references/with blank.md`.\nAnd b.md; not data.md, nor xa.md.";
        assert_eq!(order(&paths, text), ["references/z.md", "references/with blank.md", "b.md", "a.md"]);
    }

    #[test]
    fn a_name_that_several_files_have_is_no_mention_of_any() {
        assert_eq!(order(&["a/x.md", "b/x.md", "c.md"], "x.md, b/x.md, c.md"), ["b/x.md", "c.md", "a/x.md"]);
    }

    #[test]
    fn a_long_text_of_dots_is_no_slower_than_its_length() {
        assert_eq!(order(&["a.md"], &".".repeat(1 << 16)), ["a.md"]);
    }

    #[test]
    fn only_the_first_mib_of_a_text_is_searched() {
        let paths = [RelPath::parse("a.md").unwrap()];
        let before = |bytes: usize| mentions_any(&paths, &format!("{} a.md", " ".repeat(bytes)));
        assert!(before(1024));
        let mut sorted = ["a.md", "b.md"].map(|path| RelPath::parse(path).unwrap());
        sort_by_mention(&mut sorted, &format!("{}b.md", " ".repeat(TEXT_BYTES_MAX - 4)));
        assert_eq!(sorted[0].as_str(), "b.md");
        sort_by_mention(&mut sorted, &format!("{}b.md", " ".repeat(TEXT_BYTES_MAX - 3)));
        assert_eq!(sorted[0].as_str(), "a.md");
    }
}
