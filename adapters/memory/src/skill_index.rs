//! Words and vectors of skills in a map. The lexical score is the share of the request's words that a skill contains.

use crate::words::words_of;
use async_trait::async_trait;
use skillc_domain::digest::Digest;
use skillc_ports::skill_index::{best, comparable, counts};
use skillc_ports::{
    Candidates, IndexedSkill, PortError, ScoredSkill, SkillIndex, SkillRecord, SkillVector, UnembeddedSkill,
};
use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

struct StoredSkill {
    entry: IndexedSkill,
    words: HashSet<String>,
    /// The words of name and description.
    said: HashSet<String>,
    vector: Option<(String, Digest, Vec<f32>)>,
}

/// The index of a machine in memory; clones share it.
#[derive(Clone, Default)]
pub struct MemorySkillIndex {
    skills: Arc<Mutex<BTreeMap<String, StoredSkill>>>,
}

impl MemorySkillIndex {
    fn skills(&self) -> MutexGuard<'_, BTreeMap<String, StoredSkill>> {
        self.skills.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl SkillIndex for MemorySkillIndex {
    async fn records(&self) -> Result<Vec<SkillRecord>, PortError> {
        let record = |stored: &StoredSkill| SkillRecord {
            id: stored.entry.id.clone(),
            path: stored.entry.path.clone(),
            digest: Some(stored.entry.digest),
        };
        Ok(self.skills().values().map(record).collect())
    }

    async fn change(&self, put: &[IndexedSkill], removed: &[String]) -> Result<(), PortError> {
        let mut skills = self.skills();
        for id in removed {
            skills.remove(id);
        }
        for entry in put {
            let text = [entry.name.as_str(), &entry.description, &entry.headings, &entry.body].join("\n");
            let vector =
                skills.remove(&entry.id).and_then(|old| old.vector).filter(|(_, of, _)| *of == entry.meaning);
            let said = words_of(&format!(
                "{}
{}",
                entry.name, entry.description
            ));
            let stored = StoredSkill { entry: entry.clone(), words: words_of(&text), said, vector };
            skills.insert(entry.id.clone(), stored);
        }
        Ok(())
    }

    async fn lexical(
        &self,
        words: &[String],
        limit: usize,
        candidates: Candidates<'_>,
    ) -> Result<Vec<ScoredSkill>, PortError> {
        let requested: Vec<HashSet<String>> = words.iter().map(|word| words_of(word)).collect();
        let part = |words: &HashSet<String>| {
            let held = requested.iter().filter(|word| !word.is_empty() && word.is_subset(words)).count();
            let count = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
            count(held) / count(requested.len().max(1))
        };
        let skills = self.skills();
        let found = skills.values().filter(|stored| counts(candidates, &stored.entry.id));
        let found = found.map(|stored| {
            let score = part(&stored.words);
            let coverage = Some(f64::midpoint(score, part(&stored.said)));
            ScoredSkill { id: stored.entry.id.clone(), score, coverage, has_every_word: score >= 1.0 }
        });
        Ok(best(found.filter(|near| near.score > 0.0).collect(), limit))
    }

    async fn without_vector(
        &self,
        model: &str,
        limit: usize,
        candidates: Candidates<'_>,
    ) -> Result<Vec<UnembeddedSkill>, PortError> {
        let has_one = |stored: &&StoredSkill| {
            stored.vector.as_ref().is_some_and(|(by, of, _)| by == model && *of == stored.entry.meaning)
        };
        let without = |stored: &StoredSkill| UnembeddedSkill {
            id: stored.entry.id.clone(),
            name: stored.entry.name.clone(),
            description: stored.entry.description.clone(),
            meaning: stored.entry.meaning,
        };
        let skills = self.skills();
        let lacking =
            skills.values().filter(|stored| counts(candidates, &stored.entry.id) && !has_one(stored));
        Ok(lacking.take(limit).map(without).collect())
    }

    async fn put_vectors(&self, model: &str, vectors: &[SkillVector]) -> Result<(), PortError> {
        vectors.iter().try_for_each(|vector| comparable(&vector.vector))?;
        let mut skills = self.skills();
        for vector in vectors {
            if let Some(stored) =
                skills.get_mut(&vector.id).filter(|stored| stored.entry.meaning == vector.meaning)
            {
                stored.vector = Some((model.to_owned(), vector.meaning, vector.vector.clone()));
            }
        }
        Ok(())
    }

    async fn semantic(
        &self,
        model: &str,
        vector: &[f32],
        limit: usize,
        candidates: Candidates<'_>,
    ) -> Result<Vec<ScoredSkill>, PortError> {
        comparable(vector)?;
        let cosine = |own: &[f32]| own.iter().zip(vector).map(|(a, b)| f64::from(a * b)).sum::<f64>();
        let skills = self.skills();
        let found =
            skills.values().filter(|stored| counts(candidates, &stored.entry.id)).filter_map(|stored| {
                let (_, _, own) = stored.vector.as_ref().filter(|(by, ..)| by == model)?;
                let score = cosine(own).clamp(0.0, 1.0);
                Some(ScoredSkill::new(stored.entry.id.clone(), score))
            });
        Ok(best(found.collect(), limit))
    }
}
