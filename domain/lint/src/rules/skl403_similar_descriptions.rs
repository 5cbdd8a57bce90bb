//! SKL403: two skills of a store with similar descriptions.

use skillc_domain::text::case_fold::fold;
use crate::competing::compete;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::view::SkillCard;
use crate::{Report, StoreView};
use std::collections::{BTreeSet, HashMap};

pub static RULE: Rule = Rule {
    id: "SKL403",
    name: "similar-descriptions",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("asm's overlap audit (luongnv89/asm pull request 570)"),
    why: "An agent chooses by description. If two say the same in the same words the choice is arbitrary, and both \
          take up context. Skills of one name are reported by SKL404 alone. Two that \
          differ only in words of their own names are of the tier 'style'.",
    fix: "Say in each what the other one is for, or merge the skills.",
    params: &[],
    patterns: &[],
    good: &[Example {
        folder: "",
        files: &[
            (
                "one/SKILL.md",
                "---\nname: one\ndescription: Fills in PDF forms. Use when a form has fields.\n---\n\n# One\n\nText.\n",
            ),
            (
                "two/SKILL.md",
                "---\nname: two\ndescription: Joins PDF files. Use when there are several.\n---\n\n# Two\n\nText.\n",
            ),
        ],
    }],
    bad: &[Example {
        folder: "",
        files: &[
            (
                "one/SKILL.md",
                "---\nname: one\ndescription: Fills in PDF forms. Use when a form has fields.\n---\n\n# One\n\nText.\n",
            ),
            (
                "two/SKILL.md",
                "---\nname: two\ndescription: Fills in PDF forms; use when a form has fields\n---\n\n# Two\n\nText.\n",
            ),
        ],
    }],
    check: Check::Store(check),
};

/// The similarity above which two descriptions are reported, in percent of the weight of their words.
const ALIKE_PERCENT: u64 = 92;
/// Maximum number of descriptions sharing a rare word that each one is compared with. It bounds the cost of a store
/// full of copies.
const COMPARED_MAX: usize = 64;

/// How many characters of a description are compared: twice what the specification allows.
const CHARS_MAX: usize = 2_048;

/// The words of a description, as numbers, rarest first.
struct Words {
    ids: Vec<u32>,
    weight: u64,
}

fn check(view: &StoreView<'_>, report: &mut Report<'_>) {
    let texts: Vec<&str> =
        view.skills.iter().map(|skill| skill.description.as_ref().map_or("", |(t, _)| t)).collect();
    for (skill, nearest) in nearest(&texts).into_iter().enumerate() {
        let (Some((other, percent)), Some((_, span))) = (nearest, &view.skills[skill].description) else {
            continue;
        };
        let (card, other) = (&view.skills[skill], &view.skills[other]);
        // SKL404 reports two skills of one name.
        let name = |card: &SkillCard| card.name.as_ref().map(|(name, _)| name.trim().to_owned());
        if name(card).is_some() && name(card) == name(other) {
            continue;
        }
        let shown = one_line(&other.shown);
        let message = match percent {
            100 => format!("description has the same words as that of '{shown}'"),
            _ => format!("description is {percent} % the same as that of '{shown}'"),
        };
        let finding = report.in_skill(skill, span.clone(), message);
        if !compete(card, other) {
            finding.tier(Tier::Style).hint("no client offers both: they are copies, or for different clients or plugins");
        } else if differ_by_name(card, other) {
            finding.tier(Tier::Style).hint("each has its own name in it, which tells them apart");
        }
    }
}

/// Whether each of two descriptions has words that the other lacks, and all of these are parts of the skills' names.
fn differ_by_name(one: &SkillCard, other: &SkillCard) -> bool {
    let has_own = |one: &SkillCard, other: &SkillCard| {
        let (Some((text, _)), Some((theirs, _)), Some((name, _))) = (&one.description, &other.description, &one.name) else {
            return false;
        };
        let (parts, theirs) = (words(name), words(theirs));
        let mut own = words(text).into_iter().filter(|word| !theirs.contains(word)).peekable();
        own.peek().is_some() && own.all(|word| parts.contains(&word))
    };
    has_own(one, other) && has_own(other, one)
}

/// For each text, the most similar other one and the similarity in percent, if it is similar enough; the first of
/// several.
///
/// Words weigh more the fewer texts contain them, so templates that differ in the one important word are not similar.
fn nearest(texts: &[&str]) -> Vec<Option<(usize, u64)>> {
    let (sets, weights) = weighed(texts);
    let mut best: Vec<Option<(usize, u64)>> = vec![None; texts.len()];
    // Two similar sets share one of the rarest words of each.
    let mut by_word: HashMap<u32, Vec<usize>> = HashMap::new();
    let mut first_of: HashMap<&[u32], usize> = HashMap::new();
    for (at, set) in sets.iter().enumerate().filter(|(_, set)| !set.ids.is_empty()) {
        if let Some(first) = first_of.get(set.ids.as_slice()) {
            best[at] = Some((*first, 100));
            improve(&mut best[*first], at, 100);
            continue;
        }
        first_of.insert(&set.ids, at);
        for id in rarest(set, &weights) {
            let others = by_word.entry(id).or_default();
            for other in others.iter().rev().take(COMPARED_MAX) {
                let percent = alike(set, &sets[*other], &weights);
                if percent >= ALIKE_PERCENT {
                    improve(&mut best[at], *other, percent);
                    improve(&mut best[*other], at, percent);
                }
            }
            others.push(at);
        }
    }
    best
}

fn improve(best: &mut Option<(usize, u64)>, other: usize, percent: u64) {
    let is_better = best.is_none_or(|(before, most)| percent > most || (percent == most && other < before));
    if is_better {
        *best = Some((other, percent));
    }
}

/// The words of each text, and the weights of all words.
fn weighed(texts: &[&str]) -> (Vec<Words>, Vec<u64>) {
    let mut ids: HashMap<String, u32> = HashMap::new();
    let mut counts: Vec<u64> = Vec::new();
    let mut sets: Vec<Vec<u32>> = Vec::with_capacity(texts.len());
    for text in texts {
        let mut set = Vec::new();
        for word in words(text) {
            let next = u32::try_from(ids.len()).unwrap_or(u32::MAX);
            let id = *ids.entry(word).or_insert(next);
            counts.resize(ids.len(), 0);
            counts[id as usize] += 1;
            set.push(id);
        }
        sets.push(set);
    }
    let all = texts.len() as u64;
    // Integer arithmetic, so that the result is the same on every machine.
    let weights: Vec<u64> = counts.iter().map(|count| u64::from((1 + all / count).ilog2()) + 1).collect();
    let order = |id: &u32| (u64::MAX - weights[*id as usize], *id);
    for set in &mut sets {
        set.sort_unstable_by_key(order);
    }
    let weigh = |ids: Vec<u32>| Words { weight: ids.iter().map(|id| weights[*id as usize]).sum(), ids };
    (sets.into_iter().map(weigh).collect(), weights)
}

/// The distinct words, case-folded. In a script without spaces, each character is a word.
fn words(text: &str) -> BTreeSet<String> {
    let end = text.char_indices().nth(CHARS_MAX).map_or(text.len(), |(at, _)| at);
    let folded = fold(&text[..end]);
    let is_dense = |c: char| matches!(c, '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}');
    let mut words: BTreeSet<String> = folded.chars().filter(|c| is_dense(*c)).map(String::from).collect();
    let others = folded.split(|c: char| !c.is_alphanumeric() || is_dense(c));
    words.extend(others.filter(|word| !word.is_empty()).map(str::to_owned));
    words
}

/// Enough of a set's rarest words that the rest alone could not make it similar to another set.
fn rarest(set: &Words, weights: &[u64]) -> Vec<u32> {
    let mut left = set.weight;
    let is_needed = |id: &&u32| {
        let needed = left * 100 >= set.weight * ALIKE_PERCENT;
        left -= weights[**id as usize];
        needed
    };
    set.ids.iter().take_while(is_needed).copied().collect()
}

/// Similarity of two sets: the weight of shared words in percent of the weight of all their words.
fn alike(a: &Words, b: &Words, weights: &[u64]) -> u64 {
    let order = |id: u32| (u64::MAX - weights[id as usize], id);
    let (mut at, mut shared) = (0, 0);
    for id in &a.ids {
        while b.ids.get(at).is_some_and(|other| order(*other) < order(*id)) {
            at += 1;
        }
        if b.ids.get(at) == Some(id) {
            shared += weights[*id as usize];
        }
    }
    // Only equal sets have a hundred percent.
    (shared * 100 / (a.weight + b.weight - shared).max(1)).min(99)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_the_same_words_are_alike() {
        let texts = ["Fills in forms.", "other words here", "fills in FORMS", "", "Forms: fills in", ""];
        assert_eq!(nearest(&texts), [Some((2, 100)), None, Some((0, 100)), None, Some((0, 100)), None]);
    }

    #[test]
    fn a_rare_word_sets_templates_apart() {
        let long =
            "Searches logs by time, host and level, joins them into one report and sends it to the team";
        let mut texts: Vec<String> = (0..500)
            .map(|n| {
                format!("Automates service{n} through the gateway. Always look up the current tools first.")
            })
            .collect();
        texts.push(long.to_owned());
        texts.push(format!("{long} now"));
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let found = nearest(&texts);
        assert!(found[..500].iter().all(Option::is_none));
        assert_eq!(found[500].map(|(other, _)| other), Some(501));
        assert_eq!(found[501].map(|(other, _)| other), Some(500));
    }

    #[test]
    fn descriptions_without_blanks_are_compared_too() {
        let texts = ["ファイルを検索して置き換える", "ファイルを検索して、置き換える。", "画像を作る"];
        assert_eq!(nearest(&texts), [Some((1, 100)), Some((0, 100)), None]);
    }
}
