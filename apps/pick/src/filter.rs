//! Fuzzy search over names and descriptions.
//!
//! Every word of the query must match: fuzzily in the name, as in editors, or as a substring of the description, where
//! a fuzzy match would accept almost anything. Matches in names come first.

use crate::item::SkillItem;
use nucleo_matcher::pattern::{Atom, AtomKind, CaseMatching, Normalization};
use nucleo_matcher::{Config, Matcher, Utf32String};
use std::num::NonZero;

/// Number of skills from which the search is parallel: fewer are searched faster than a thread starts.
const PARALLEL_SKILLS_MIN: usize = 4_096;
/// Further threads cost more than they gain.
const THREADS_MAX: usize = 8;
/// Added to the score of a match in the name; far above any score of a match in the description.
const NAME_BONUS: u32 = 1 << 20;

/// Names and descriptions, prepared for matching.
pub struct FuzzyIndex {
    skills: Vec<IndexedSkill>,
}

struct IndexedSkill {
    name: Utf32String,
    description: Utf32String,
}

/// A word of the query, as a pattern for each field.
struct Word {
    in_name: Atom,
    in_description: Atom,
}

impl FuzzyIndex {
    /// Indexes skills, which `find` identifies by their positions in this slice.
    pub fn new(items: &[SkillItem]) -> Self {
        let indexed = |item: &SkillItem| IndexedSkill {
            name: item.name.as_str().into(),
            description: item.description.as_str().into(),
        };
        Self { skills: items.iter().map(indexed).collect() }
    }

    /// The positions of the matching skills, best first, equal ones in ascending order. Only the positions `among`,
    /// which is sorted, are searched.
    pub fn find(&self, query: &str, among: &[u32]) -> Vec<u32> {
        let words: Vec<Word> = query.split_whitespace().map(word).collect();
        if words.is_empty() {
            return among.to_vec();
        }
        let threads = match among.len() {
            0..PARALLEL_SKILLS_MIN => 1,
            _ => std::thread::available_parallelism().map_or(1, NonZero::get).min(THREADS_MAX),
        };
        let chunk_size = among.len().div_ceil(threads).max(1);
        let mut found: Vec<(u32, u32)> = match threads {
            1 => self.scored(&words, among),
            _ => std::thread::scope(|scope| {
                let words = &words;
                let threads: Vec<_> = among
                    .chunks(chunk_size)
                    .map(|chunk| scope.spawn(move || self.scored(words, chunk)))
                    .collect();
                threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
            }),
        };
        found.sort_unstable_by_key(|(score, at)| (u32::MAX - score, *at));
        found.into_iter().map(|(_, at)| at).collect()
    }

    fn scored(&self, words: &[Word], among: &[u32]) -> Vec<(u32, u32)> {
        let mut matcher = Matcher::new(Config::DEFAULT);
        let mut score = |at: &u32| Some((self.skills.get(*at as usize)?.score(words, &mut matcher)?, *at));
        among.iter().filter_map(&mut score).collect()
    }
}

impl IndexedSkill {
    /// `None` if a word does not match.
    fn score(&self, words: &[Word], matcher: &mut Matcher) -> Option<u32> {
        let mut sum = 0_u32;
        for word in words {
            let score = match word.in_name.score(self.name.slice(..), matcher) {
                Some(score) => NAME_BONUS + u32::from(score),
                None => u32::from(word.in_description.score(self.description.slice(..), matcher)?),
            };
            sum = sum.saturating_add(score);
        }
        Some(sum)
    }
}

fn word(word: &str) -> Word {
    let atom = |kind| Atom::new(word, CaseMatching::Ignore, Normalization::Smart, kind, false);
    Word { in_name: atom(AtomKind::Fuzzy), in_description: atom(AtomKind::Substring) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillc_domain::discovery::skill::SkillScope;
    use std::time::Instant;

    fn items(skills: &[(&str, &str)]) -> Vec<SkillItem> {
        let item = |(name, description): &(&str, &str)| SkillItem {
            name: (*name).to_owned(),
            description: (*description).to_owned(),
            path: format!("/s/{name}/SKILL.md").into(),
            scope: SkillScope::User,
            is_enabled: true,
        };
        skills.iter().map(item).collect()
    }

    fn found(skills: &[(&str, &str)], query: &str) -> Vec<String> {
        let items = items(skills);
        let all: Vec<u32> = (0..items.len() as u32).collect();
        FuzzyIndex::new(&items)
            .find(query, &all)
            .into_iter()
            .map(|at| items[at as usize].name.clone())
            .collect()
    }

    const FEW: &[(&str, &str)] = &[
        ("pdf-forms", "Fill in forms of PDF files."),
        ("release-notes", "Draft notes from commits."),
        ("deploy", "Release to production."),
        ("日本語", "翻訳する。"),
        ("cafe", "Le Café du Commerce."),
    ];

    /// RFC-0012:C-PICK
    #[test]
    fn letters_in_order_meet_a_name_and_words_a_description() {
        assert_eq!(found(FEW, "rn"), ["release-notes"]);
        assert_eq!(found(FEW, "RELEASE"), ["release-notes", "deploy"], "names first");
        assert_eq!(found(FEW, "forms pdf"), ["pdf-forms"]);
        assert_eq!(found(FEW, "release forms"), Vec::<String>::new(), "every word must be met");
        assert_eq!(found(FEW, "翻訳"), ["日本語"]);
        assert_eq!(found(FEW, "café"), ["cafe"]);
        assert_eq!(found(FEW, "  "), FEW.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    }

    #[test]
    fn signs_of_other_matchers_are_letters_here() {
        for query in ["^", "!deploy", "'", "$", "\\", "\\ ", "a|b", "🦀", "\u{0}"] {
            assert_eq!(found(FEW, query), Vec::<String>::new(), "{query}");
        }
    }

    #[test]
    fn threads_find_what_one_finds() {
        let names: Vec<String> = (0..3 * PARALLEL_SKILLS_MIN).map(|i| format!("skill-{i}")).collect();
        let all: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "d")).collect();
        let items = items(&all);
        let every: Vec<u32> = (0..items.len() as u32).collect();
        let index = FuzzyIndex::new(&items);
        let parted = index.find("77", &every);
        let mut matcher: Vec<(u32, u32)> = index.scored(&[word("77")], &every);
        matcher.sort_by_key(|(score, at)| (u32::MAX - score, *at));
        assert_eq!(parted, matcher.into_iter().map(|(_, at)| at).collect::<Vec<_>>());
    }

    /// Run with `--release -- --ignored --nocapture`: what a key costs.
    #[test]
    #[ignore = "a measurement, printed"]
    fn what_a_key_costs() {
        let words =
            ["fill", "deploy", "notes", "server", "python", "message", "forms", "build", "review", "audit"];
        let text = |seed: usize, count: usize| {
            (0..count)
                .map(|i| words[(seed * 7919 + i * 104_729) / 13 % words.len()])
                .collect::<Vec<_>>()
                .join(" ")
        };
        for count in [3_344, 100_000] {
            let named: Vec<(String, String)> =
                (0..count).map(|i| (format!("{}-{i}", words[i % words.len()]), text(i, 24))).collect();
            let all: Vec<(&str, &str)> = named.iter().map(|(n, d)| (n.as_str(), d.as_str())).collect();
            let items = items(&all);
            let every: Vec<u32> = (0..count as u32).collect();
            let begun = Instant::now();
            let index = FuzzyIndex::new(&items);
            println!("{count} skills: made ready in {:?}", begun.elapsed());
            let mut among = every.clone();
            for query in ["d", "de", "dep", "depl", "deploy", "deploy n", "deploy no", "deploy notes 7"] {
                let begun = Instant::now();
                among = index.find(query, &among);
                println!("  {query:?}: {:?}, {} found", begun.elapsed(), among.len());
                among.sort_unstable();
            }
            let begun = Instant::now();
            let found = index.find("server message", &every).len();
            println!("  a pasted query: {:?}, {found} found", begun.elapsed());
        }
    }
}
