//! Compares the order of `find` with scorers that look at every skill.
//!
//! `SKC_FIND_QUERIES` sets the number of queries of each kind (150), `SKC_FIND_SEED` the seed for skills and queries
//! (1).

use crate::random::{Random, number};
use crate::site::{Site, put};
use skillc_domain::digest::Digest;
use skillc_domain::discovery::skill::SkillKind;
use skillc_domain::discovery::words::{SAID_WEIGHTS, TEXT_WEIGHTS, WORD_SCORE_MAX, word_weight};
use skillc_domain::limits::EMBEDDING_DIMENSIONS;
use skillc_ports::{IndexedSkill, SkillIndex, SkillIndexes, SkillVector};
use skillc_sqlite::SqliteSkillIndexes;
use std::collections::BTreeSet;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;

/// Words that the tokenizer does not change.
const WORDS: &[&str] = &[
    "amber", "basil", "cobalt", "dune", "elm", "fjord", "granit", "helium", "indigo", "jupit", "kelp",
    "lotus",
];
const SKILLS: usize = 120;
const LIMIT: usize = 10;

fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

fn words(random: &mut Random, most: usize) -> Vec<&'static str> {
    // Early words are frequent, and late ones are rare.
    (0..random.below(most + 1))
        .map(|_| WORDS[random.below(WORDS.len()).min(random.below(WORDS.len()))])
        .collect()
}

/// A skill as its four texts.
type Texts = [Vec<&'static str>; 4];

fn skill(random: &mut Random, at: usize) -> (IndexedSkill, Texts) {
    let texts = [words(random, 2), words(random, 12), words(random, 10), words(random, 60)];
    let [name, description, headings, body] = texts.clone().map(|words| words.join(" "));
    let skill = IndexedSkill {
        id: format!("{at:03}"),
        path: PathBuf::from(format!("/skills/{at}/SKILL.md")),
        name: name.replace(' ', "-"),
        description,
        headings,
        body,
        kind: SkillKind::Markdown,
        digest: Digest([1; 32]),
        meaning: Digest([u8::try_from(at % 251).unwrap(); 32]),
    };
    (skill, texts)
}

/// The BM25 score of one word for each skill, as FTS5 documents it: k1 = 1.2, b = 0.75, and column weights applied to
/// the frequency.
fn bm25(word: &str, rows: &[Vec<&[&'static str]>], weights: &[f64]) -> Vec<Option<f64>> {
    let length = |row: &Vec<&[&str]>| row.iter().map(|text| text.len()).sum::<usize>() as f64;
    let average = rows.iter().map(length).sum::<f64>() / rows.len() as f64;
    let frequency = |row: &Vec<&[&str]>| -> f64 {
        let count = |text: &[&str]| text.iter().filter(|other| **other == word).count() as f64;
        row.iter().zip(weights).map(|(text, weight)| count(text) * weight).sum()
    };
    let score = |row| {
        let frequency = frequency(row);
        let score = frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length(row) / average));
        (frequency > 0.0).then_some(score)
    };
    rows.iter().map(score).collect()
}

/// The score of each skill: the sum over the words of BM25, weighted by the rarity of the word.
fn lexical(query: &[&'static str], skills: &[Texts]) -> Vec<f64> {
    let texts: Vec<Vec<&[&str]>> =
        skills.iter().map(|texts| texts.iter().map(Vec::as_slice).collect()).collect();
    let said: Vec<Vec<&[&str]>> = texts.iter().map(|texts| texts[..2].to_vec()).collect();
    let (mut scores, mut highest) = (vec![0.0; skills.len()], 0.0);
    for word in query {
        for (rows, weights) in [(&texts, &TEXT_WEIGHTS[..]), (&said, &SAID_WEIGHTS[..])] {
            let found = bm25(word, rows, weights);
            let holding = found.iter().flatten().count();
            let weight = word_weight(skills.len() as u32, holding as u32);
            highest += weight * WORD_SCORE_MAX;
            for (sum, score) in scores.iter_mut().zip(found) {
                *sum += weight * score.unwrap_or(0.0).clamp(0.0, WORD_SCORE_MAX);
            }
        }
    }
    scores.into_iter().map(|score| score / highest).collect()
}

fn unit(random: &mut Random) -> Vec<f32> {
    let vector: Vec<f32> =
        (0..EMBEDDING_DIMENSIONS).map(|_| random.below(2_001) as f32 / 1_000.0 - 1.0).collect();
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.iter().map(|x| x / length).collect()
}

/// Asserts that the results have the best scores, in order.
#[track_caller]
fn is_best(found: &[(usize, f64)], scores: &[f64], tolerance: f64, query: &str) {
    let mut best: Vec<f64> = scores.iter().copied().filter(|score| *score > tolerance).collect();
    best.sort_by(|a, b| b.total_cmp(a));
    best.truncate(LIMIT);
    assert_eq!(found.len(), best.len(), "{query}");
    for ((at, score), best) in found.iter().zip(&best) {
        let own = scores[*at];
        assert!(
            (own - score).abs() < tolerance && (own - best).abs() < tolerance,
            "{query}: {at} {score} {own} {best}"
        );
    }
}

fn index(file: &std::path::Path) -> Arc<dyn SkillIndex> {
    SqliteSkillIndexes.open(Some(file))
}

/// RFC-0011:C-FIND
#[test]
fn skills_are_ranked_by_words_as_a_scorer_of_all_ranks_them() {
    let seed = number("SKC_FIND_SEED", 1);
    let mut random = Random::new(seed);
    let (skills, texts): (Vec<_>, Vec<_>) = (0..SKILLS).map(|at| skill(&mut random, at)).unzip();
    let folder = tempfile::tempdir().unwrap();
    let index = index(&folder.path().join("index.db"));
    wait(index.change(&skills, &[])).unwrap();
    let mut found_in_all = 0;
    for _ in 0..number("SKC_FIND_QUERIES", 150) {
        let query: BTreeSet<&'static str> = words(&mut random, 4).into_iter().collect();
        let query: Vec<&'static str> = query.into_iter().collect();
        let asked: Vec<String> = query.iter().map(|word| (*word).to_owned()).collect();
        let found = wait(index.lexical(&asked, LIMIT, None)).unwrap();
        let found: Vec<(usize, f64)> =
            found.into_iter().map(|skill| (skill.id.parse().unwrap(), skill.score)).collect();
        let scores = if query.is_empty() { vec![0.0; SKILLS] } else { lexical(&query, &texts) };
        is_best(&found, &scores, 1e-6, &format!("seed {seed}: {query:?}"));
        found_in_all += found.len();
    }
    println!("seed {seed}: {found_in_all} skills found by words");
}

/// RFC-0011:C-FIND
#[test]
fn skills_are_ranked_by_meaning_as_a_scorer_of_all_ranks_them() {
    let seed = number("SKC_FIND_SEED", 1);
    let mut random = Random::new(seed);
    let skills: Vec<IndexedSkill> = (0..SKILLS).map(|at| skill(&mut random, at).0).collect();
    let vectors: Vec<Vec<f32>> = skills.iter().map(|_| unit(&mut random)).collect();
    let folder = tempfile::tempdir().unwrap();
    let index = index(&folder.path().join("index.db"));
    wait(index.change(&skills, &[])).unwrap();
    let vector = |(skill, vector): (&IndexedSkill, &Vec<f32>)| SkillVector {
        id: skill.id.clone(),
        meaning: skill.meaning,
        vector: vector.clone(),
    };
    let put: Vec<SkillVector> = skills.iter().zip(&vectors).map(vector).collect();
    wait(index.put_vectors("m", &put)).unwrap();
    for at in 0..number("SKC_FIND_QUERIES", 150) {
        let query = unit(&mut random);
        let found = wait(index.semantic("m", &query, LIMIT, None)).unwrap();
        let found: Vec<(usize, f64)> =
            found.into_iter().map(|skill| (skill.id.parse().unwrap(), skill.score)).collect();
        let cosine = |vector: &Vec<f32>| {
            vector.iter().zip(&query).map(|(a, b)| f64::from(a * b)).sum::<f64>().clamp(0.0, 1.0)
        };
        let scores: Vec<f64> = vectors.iter().map(cosine).collect();
        // The index rounds vectors, which needs a tolerance.
        is_best(&found, &scores, 0.01, &format!("seed {seed}: query {at}"));
    }
}

/// The words of a text, as the specification defines them for rule mode.
fn runs(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// RFC-0011:C-FIND
#[test]
fn rule_mode_orders_by_name_prefix_and_shared_words() {
    let seed = number("SKC_FIND_SEED", 1);
    let mut random = Random::new(seed);
    let site = Site::without_project();
    let mut skills = Vec::new();
    for at in 0..40 {
        let name = format!("{}-{at}", random.word(WORDS));
        let description = format!("Does {}. Use when testing.", words(&mut random, 8).join(" "));
        let file = site.home().join(".claude/skills").join(&name).join("SKILL.md");
        put(&file, format!("---\nname: {name}\ndescription: {description}\n---\n# X\n"));
        skills.push((name, description, file.display().to_string()));
    }
    for _ in 0..number("SKC_FIND_QUERIES", 150).div_ceil(5) {
        let query = match random.below(4) {
            0 => random.pick(&skills).0.clone(),
            1 => random.word(WORDS).to_owned(),
            _ => format!("{} {}", random.word(WORDS), words(&mut random, 3).join(" ")),
        };
        let asked = runs(&query);
        let rank = |(name, description, path): &(String, String, String)| {
            let shared = runs(&format!("{name} {description}")).intersection(&asked).count();
            let tier = if *name == query.trim() {
                1
            } else if name.starts_with(query.trim()) {
                2
            } else {
                3
            };
            (tier < 3 || shared > 0)
                .then(|| (tier, if tier < 3 { 0 } else { asked.len() - shared }, path.clone()))
        };
        let mut expected: Vec<_> = skills.iter().filter_map(rank).collect();
        expected.sort();
        let reply = site.skc(["find", &query, "--mode", "rule", "--limit", "50", "-o", "json"]).ok().json();
        let found: Vec<&str> = reply["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|skill| skill["path"].as_str().unwrap())
            .collect();
        let expected: Vec<&str> = expected.iter().map(|(.., path)| path.as_str()).collect();
        assert_eq!(found, expected, "seed {seed}: {query:?}");
    }
}
