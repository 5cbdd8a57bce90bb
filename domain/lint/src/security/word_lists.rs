//! Named lists of words, read from a data file; `data/README.md` describes the format.

use std::sync::OnceLock;

/// Lists that are parsed on first use.
#[derive(Debug)]
pub struct WordLists {
    source: &'static str,
    lists: OnceLock<Vec<(&'static str, Vec<&'static str>)>>,
}

impl WordLists {
    /// Lists from the text of a data file.
    pub const fn new(source: &'static str) -> Self {
        Self { source, lists: OnceLock::new() }
    }

    /// The words of a list, in file order; empty if there is no list with this name.
    pub fn get(&self, name: &str) -> &[&'static str] {
        let lists = self.lists.get_or_init(|| parse(self.source));
        lists.iter().find(|(known, _)| *known == name).map_or(&[], |(_, words)| words)
    }
}

fn parse(source: &'static str) -> Vec<(&'static str, Vec<&'static str>)> {
    let mut lists: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in source.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            lists.push((name, Vec::new()));
        } else if let Some((_, words)) = lists.last_mut() {
            let quoted = line.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            words.push(quoted.unwrap_or(line));
        }
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_a_name_and_a_word_a_line() {
        let lists = WordLists::new("# note\n[a]\none\n\"two \"\n\n[b]\nthree four\n");
        assert_eq!((lists.get("a"), lists.get("b")), (&["one", "two "][..], &["three four"][..]));
        assert!(lists.get("c").is_empty());
    }
}
