//! The catalog of a team in memory: skills, words and vectors.

use crate::words::words_of;
use skillc_domain::digest::Digest;
use skillc_domain::discovery::words::TEXT_WEIGHTS;
use skillc_domain::team::{PublishedSkill, TeamCatalogEntry};
use skillc_ports::skill_index::{best, counts};
use skillc_ports::{Candidates, ScoredSkill};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The skills of one organization, by id.
#[derive(Clone, Debug, Default)]
pub(crate) struct TeamCatalog(pub(crate) BTreeMap<String, CatalogRow>);

#[derive(Clone, Debug)]
pub(crate) struct CatalogRow {
    pub(crate) entry: TeamCatalogEntry,
    machine: String,
    pub(crate) path: PathBuf,
    pub(crate) meaning: Digest,
    /// Words of name, description and headings.
    words: [Vec<Vec<String>>; 3],
    pub(crate) vectors: BTreeMap<String, Vec<f32>>,
}

impl CatalogRow {
    /// The weighted occurrences of a phrase.
    fn weight(&self, phrase: &[String]) -> f64 {
        let times = |text: &Vec<String>| text.windows(phrase.len()).filter(|at| *at == phrase).count() as f64;
        let [name, description, headings, _] = TEXT_WEIGHTS;
        let fields = self.words.iter().zip([name, description, headings]);
        fields.map(|(texts, weight)| weight * texts.iter().map(times).sum::<f64>()).sum()
    }
}

impl TeamCatalog {
    /// Inserts a published skill.
    pub(crate) fn publish(&mut self, machine: &str, entry: &TeamCatalogEntry) {
        self.put(machine, entry, Path::new(""), meaning_of(entry));
    }

    pub(crate) fn put(&mut self, machine: &str, entry: &TeamCatalogEntry, path: &Path, meaning: Digest) {
        let old = self.0.remove(&entry.skill).filter(|old| old.meaning == meaning);
        let row = CatalogRow {
            entry: entry.clone(),
            machine: machine.to_owned(),
            path: path.to_owned(),
            meaning,
            words: fields_of(entry),
            vectors: old.map(|old| old.vectors).unwrap_or_default(),
        };
        self.0.insert(entry.skill.clone(), row);
    }

    /// The number of vectors of all models.
    pub(crate) fn vectors(&self) -> usize {
        self.0.values().map(|row| row.vectors.len()).sum()
    }

    /// Skills with these ids, and those whose name begins with `name` in any case.
    pub(crate) fn published(&self, ids: &[String], name: &str) -> Vec<PublishedSkill> {
        let name = name.to_lowercase();
        let begins = |row: &CatalogRow| !name.is_empty() && row.entry.name.to_lowercase().starts_with(&name);
        let found = self.0.values().filter(|row| ids.contains(&row.entry.skill) || begins(row));
        found
            .map(|row| PublishedSkill {
                skill: row.entry.skill.clone(),
                name: row.entry.name.clone(),
                description: row.entry.description.clone(),
                digest: row.entry.digest.clone(),
                machine: row.machine.clone(),
            })
            .collect()
    }

    pub(crate) fn lexical(
        &self,
        words: &[String],
        limit: usize,
        candidates: Candidates<'_>,
    ) -> Vec<ScoredSkill> {
        let phrases: Vec<Vec<String>> =
            words.iter().map(|word| words_of::<Vec<String>>(word)).filter(|w| !w.is_empty()).collect();
        let all = self.0.len() as f64;
        let rarity = |phrase: &[String]| {
            let holders = self.0.values().filter(|row| row.weight(phrase) > 0.0).count() as f64;
            (1.0 + (all - holders + 0.5) / (holders + 0.5)).ln()
        };
        let weighed: Vec<_> = phrases.iter().map(|phrase| (phrase, rarity(phrase))).collect();
        let score =
            |row: &CatalogRow| weighed.iter().map(|(phrase, rarity)| rarity * row.weight(phrase)).sum();
        self.scored(limit, candidates, |row| Some(score(row)).filter(|score| *score > 0.0))
    }

    pub(crate) fn semantic(
        &self,
        model: &str,
        vector: &[f32],
        limit: usize,
        candidates: Candidates<'_>,
    ) -> Vec<ScoredSkill> {
        self.scored(limit, candidates, |row| {
            let own = row.vectors.get(model)?;
            Some(own.iter().zip(vector).map(|(a, b)| f64::from(a * b)).sum::<f64>().clamp(0.0, 1.0))
        })
    }

    fn scored(
        &self,
        limit: usize,
        candidates: Candidates<'_>,
        score: impl Fn(&CatalogRow) -> Option<f64>,
    ) -> Vec<ScoredSkill> {
        let counting = self.0.iter().filter(|(id, _)| counts(candidates, id));
        let found = counting.filter_map(|(id, row)| Some(ScoredSkill::new(id.clone(), score(row)?)));
        best(found.collect(), limit)
    }
}

fn fields_of(entry: &TeamCatalogEntry) -> [Vec<Vec<String>>; 3] {
    let headings = entry.headings.iter().map(|heading| words_of(&heading.text)).collect();
    [vec![words_of(&entry.name)], vec![words_of(&entry.description)], headings]
}

/// Substitutes for SHA-256: FNV-1a with a different offset for each byte.
fn meaning_of(entry: &TeamCatalogEntry) -> Digest {
    let text = format!("{}\0{}", entry.name, entry.description);
    Digest(std::array::from_fn(|at| {
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325u64 + at as u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        hash.to_le_bytes()[at % 8]
    }))
}
