//! The index of a team's catalog in memory.

use crate::faults::Operation;
use crate::team::MemoryTeamStore;
use crate::words::Words;
use async_trait::async_trait;
use skillc_domain::digest::Digest;
use skillc_domain::discovery::words::TEXT_WEIGHTS;
use skillc_domain::team::{PublishedSkill, TeamCatalogEntry, TeamOrigin};
use skillc_ports::skill_index::{best, comparable, counts};
use skillc_ports::{
    Candidates, IndexedSkill, PortError, ScoredSkill, SkillIndex, SkillRecord, SkillVector, UnembeddedSkill,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What is known of the skills of one organisation, by id.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept(BTreeMap<String, Known>);

#[derive(Clone, Debug)]
struct Known {
    entry: TeamCatalogEntry,
    machine: String,
    path: PathBuf,
    meaning: Digest,
    /// Of name, description and headings.
    words: [Vec<Vec<String>>; 3],
    vectors: BTreeMap<String, Vec<f32>>,
}

impl Known {
    /// The weights of all places where a phrase stands.
    fn weight(&self, phrase: &[String]) -> f64 {
        let times = |text: &Vec<String>| text.windows(phrase.len()).filter(|at| *at == phrase).count() as f64;
        let [name, description, headings, _] = TEXT_WEIGHTS;
        let fields = self.words.iter().zip([name, description, headings]);
        fields.map(|(texts, weight)| weight * texts.iter().map(times).sum::<f64>()).sum()
    }
}

impl Kept {
    /// Puts in what was published.
    pub(crate) fn publish(&mut self, machine: &str, entry: &TeamCatalogEntry) {
        self.put(machine, entry, Path::new(""), meaning_of(entry));
    }

    fn put(&mut self, machine: &str, entry: &TeamCatalogEntry, path: &Path, meaning: Digest) {
        let old = self.0.remove(&entry.skill).filter(|old| old.meaning == meaning);
        let known = Known {
            entry: entry.clone(),
            machine: machine.to_owned(),
            path: path.to_owned(),
            meaning,
            words: fields_of(entry),
            vectors: old.map(|old| old.vectors).unwrap_or_default(),
        };
        self.0.insert(entry.skill.clone(), known);
    }

    /// Vectors of all models.
    pub(crate) fn vectors(&self) -> usize {
        self.0.values().map(|known| known.vectors.len()).sum()
    }

    /// Those of these ids, and those whose name begins so.
    pub(crate) fn published(&self, ids: &[String], name: &str) -> Vec<PublishedSkill> {
        let name = name.to_lowercase();
        let begins = |known: &Known| !name.is_empty() && known.entry.name.to_lowercase().starts_with(&name);
        let asked = self.0.values().filter(|known| ids.contains(&known.entry.skill) || begins(known));
        asked
            .map(|known| PublishedSkill {
                skill: known.entry.skill.clone(),
                name: known.entry.name.clone(),
                description: known.entry.description.clone(),
                digest: known.entry.digest.clone(),
                machine: known.machine.clone(),
            })
            .collect()
    }

    fn lexical(&self, words: &[String], limit: usize, among: Candidates<'_>) -> Vec<ScoredSkill> {
        let phrases: Vec<Vec<String>> =
            words.iter().map(|word| words_of(word)).filter(|w| !w.is_empty()).collect();
        let all = self.0.len() as f64;
        let rarity = |phrase: &[String]| {
            let holders = self.0.values().filter(|known| known.weight(phrase) > 0.0).count() as f64;
            (1.0 + (all - holders + 0.5) / (holders + 0.5)).ln()
        };
        let weighed: Vec<_> = phrases.iter().map(|phrase| (phrase, rarity(phrase))).collect();
        let score =
            |known: &Known| weighed.iter().map(|(phrase, rarity)| rarity * known.weight(phrase)).sum();
        self.scored(limit, among, |known| Some(score(known)).filter(|score| *score > 0.0))
    }

    fn semantic(&self, model: &str, vector: &[f32], limit: usize, among: Candidates<'_>) -> Vec<ScoredSkill> {
        self.scored(limit, among, |known| {
            let own = known.vectors.get(model)?;
            Some(own.iter().zip(vector).map(|(a, b)| f64::from(a * b)).sum::<f64>().clamp(0.0, 1.0))
        })
    }

    fn scored(
        &self,
        limit: usize,
        among: Candidates<'_>,
        score: impl Fn(&Known) -> Option<f64>,
    ) -> Vec<ScoredSkill> {
        let counting = self.0.iter().filter(|(id, _)| counts(among, id));
        let found =
            counting.filter_map(|(id, known)| Some(ScoredSkill { id: id.clone(), score: score(known)? }));
        best(found.collect(), limit)
    }
}

fn fields_of(entry: &TeamCatalogEntry) -> [Vec<Vec<String>>; 3] {
    let headings = entry.headings.iter().map(|heading| words_of(&heading.text)).collect();
    [vec![words_of(&entry.name)], vec![words_of(&entry.description)], headings]
}

fn words_of(text: &str) -> Vec<String> {
    Words::of(text).words.into_iter().map(|(word, _)| word).collect()
}

/// Tells texts apart, and is no SHA-256: FNV-1a of each byte from another beginning.
fn meaning_of(entry: &TeamCatalogEntry) -> Digest {
    let text = format!("{}\0{}", entry.name, entry.description);
    Digest(std::array::from_fn(|at| {
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325u64 + at as u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        hash.to_le_bytes()[at % 8]
    }))
}

/// The index of an organisation.
pub(crate) struct MemoryTeamIndex {
    pub(crate) store: MemoryTeamStore,
    pub(crate) origin: TeamOrigin,
}

impl MemoryTeamIndex {
    fn read<T>(&self, look: impl FnOnce(&Kept) -> T) -> Result<T, PortError> {
        self.store.kept(Operation::ReadTeam, &self.origin.org, |kept| look(kept))
    }

    fn write(&self, act: impl FnOnce(&mut Kept)) -> Result<(), PortError> {
        self.store.kept(Operation::PublishSkill, &self.origin.org, act)
    }
}

#[async_trait]
impl SkillIndex for MemoryTeamIndex {
    async fn records(&self) -> Result<Vec<SkillRecord>, PortError> {
        let record = |(id, known): (&String, &Known)| SkillRecord {
            id: id.clone(),
            path: known.path.clone(),
            digest: Digest::from_hex(&known.entry.digest).unwrap_or(Digest([0; 32])),
        };
        self.read(|kept| kept.0.iter().map(record).collect())
    }

    async fn change(&self, put: &[IndexedSkill], removed: &[String]) -> Result<(), PortError> {
        self.write(|kept| {
            kept.0.retain(|id, _| !removed.contains(id));
            for entry in put {
                kept.put(&self.origin.machine, &entry_of(entry), &entry.path, entry.meaning);
            }
        })
    }

    async fn lexical(
        &self,
        words: &[String],
        limit: usize,
        among: Candidates<'_>,
    ) -> Result<Vec<ScoredSkill>, PortError> {
        self.read(|kept| kept.lexical(words, limit, among))
    }

    async fn without_vector(
        &self,
        model: &str,
        limit: usize,
        among: Candidates<'_>,
    ) -> Result<Vec<UnembeddedSkill>, PortError> {
        let lacks = |(id, known): (&String, &Known)| {
            (counts(among, id) && !known.vectors.contains_key(model)).then(|| UnembeddedSkill {
                id: id.clone(),
                name: known.entry.name.clone(),
                description: known.entry.description.clone(),
                meaning: known.meaning,
            })
        };
        self.read(|kept| kept.0.iter().filter_map(lacks).take(limit).collect())
    }

    async fn put_vectors(&self, model: &str, vectors: &[SkillVector]) -> Result<(), PortError> {
        vectors.iter().try_for_each(|vector| comparable(&vector.vector))?;
        self.write(|kept| {
            for vector in vectors {
                if let Some(known) =
                    kept.0.get_mut(&vector.id).filter(|known| known.meaning == vector.meaning)
                {
                    known.vectors.insert(model.to_owned(), vector.vector.clone());
                }
            }
        })
    }

    async fn semantic(
        &self,
        model: &str,
        vector: &[f32],
        limit: usize,
        among: Candidates<'_>,
    ) -> Result<Vec<ScoredSkill>, PortError> {
        comparable(vector)?;
        self.read(|kept| kept.semantic(model, vector, limit, among))
    }
}

fn entry_of(entry: &IndexedSkill) -> TeamCatalogEntry {
    let heading = |text: &str| skillc_domain::team::TeamCatalogHeading {
        file: String::new(),
        level: 1,
        text: text.to_owned(),
    };
    TeamCatalogEntry {
        skill: entry.id.clone(),
        name: entry.name.clone(),
        description: entry.description.clone(),
        digest: entry.digest.to_string(),
        headings: entry.headings.lines().map(heading).collect(),
    }
}
