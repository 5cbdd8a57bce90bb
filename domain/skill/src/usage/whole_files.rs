//! Counts a file that was read whole as a read of each section in it (RFC-0003:C-QUERIES).

use super::{Tally, Usage};
use crate::section_names::SectionNames;
use std::collections::BTreeMap;

/// Adds the accesses of whole files to the tallies of the sections that these files have now, given as file and
/// heading.
pub fn count_sections(usage: &mut Usage, sections: &SectionNames) {
    let whole_files = std::mem::take(&mut usage.whole_files);
    let file_of = |tally: &Tally| tally.key.first().cloned().unwrap_or_default();
    let counts: BTreeMap<String, u64> =
        whole_files.iter().map(|tally| (file_of(tally), tally.count)).collect();
    let mut missing: BTreeMap<Vec<String>, u64> = BTreeMap::new();
    for (file, heading) in sections.iter() {
        if let Some(count) = counts.get(file) {
            missing.insert(vec![file.to_owned(), heading.to_owned()], *count);
        }
    }
    for tally in &mut usage.tallies {
        tally.count += missing.remove(&tally.key).unwrap_or_default();
    }
    let new = |(key, count)| Tally { skill: None, key, count, without_hit: 0 };
    usage.tallies.extend(missing.into_iter().map(new));
    usage.sort();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(key: &[&str], count: u64) -> Tally {
        let key = key.iter().map(|part| (*part).to_owned()).collect();
        Tally { skill: None, key, count, without_hit: 0 }
    }

    /// RFC-0003:C-QUERIES
    #[test]
    fn a_whole_file_counts_for_each_of_its_sections_once() {
        let mut usage = Usage {
            tallies: vec![tally(&["a.md", "One"], 3), tally(&["b.md", "One"], 1)],
            whole_files: vec![tally(&["a.md"], 2), tally(&["script.py"], 7)],
            ..Usage::default()
        };
        let sections = [("a.md", "One"), ("a.md", "Two"), ("a.md", "Two"), ("b.md", "One"), ("b.md", "Two")];
        count_sections(&mut usage, &sections.into_iter().collect());
        let expected = [tally(&["a.md", "One"], 5), tally(&["a.md", "Two"], 2), tally(&["b.md", "One"], 1)];
        assert_eq!(usage.tallies, expected);
        assert!(usage.whole_files.is_empty());
    }
}
