//! Words and vectors of skills in a map. A lexical score is the number of words of the request that a skill holds.

use crate::words::words_of;
use async_trait::async_trait;
use skillc_domain::digest::Digest;
use skillc_ports::skill_index::{best, comparable, counts};
use skillc_ports::{
    Candidates, IndexedSkill, PortError, ScoredSkill, SkillIndex, SkillRecord, SkillVector, UnembeddedSkill,
};
use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

struct Kept {
    entry: IndexedSkill,
    words: HashSet<String>,
    vector: Option<(String, Digest, Vec<f32>)>,
}

/// The index of a machine in memory; clones share it.
#[derive(Clone, Default)]
pub struct MemorySkillIndex {
    skills: Arc<Mutex<BTreeMap<String, Kept>>>,
}

impl MemorySkillIndex {
    fn skills(&self) -> MutexGuard<'_, BTreeMap<String, Kept>> {
        self.skills.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl SkillIndex for MemorySkillIndex {
    async fn records(&self) -> Result<Vec<SkillRecord>, PortError> {
        let record = |kept: &Kept| SkillRecord {
            id: kept.entry.id.clone(),
            path: kept.entry.path.clone(),
            digest: kept.entry.digest,
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
            let vector = skills.remove(&entry.id).and_then(|old| old.vector);
            let kept = Kept { entry: entry.clone(), words: words_of(&text), vector };
            skills.insert(entry.id.clone(), kept);
        }
        Ok(())
    }

    async fn lexical(
        &self,
        words: &[String],
        limit: usize,
        candidates: Candidates<'_>,
    ) -> Result<Vec<ScoredSkill>, PortError> {
        let wanted: Vec<HashSet<String>> = words.iter().map(|word| words_of(word)).collect();
        let score = |kept: &Kept| {
            let held = wanted.iter().filter(|word| !word.is_empty() && word.is_subset(&kept.words)).count();
            f64::from(u32::try_from(held).unwrap_or(u32::MAX))
        };
        let skills = self.skills();
        let found = skills.values().filter(|kept| counts(candidates, &kept.entry.id));
        let found = found.map(|kept| ScoredSkill { id: kept.entry.id.clone(), score: score(kept) });
        Ok(best(found.filter(|near| near.score > 0.0).collect(), limit))
    }

    async fn without_vector(
        &self,
        model: &str,
        limit: usize,
        candidates: Candidates<'_>,
    ) -> Result<Vec<UnembeddedSkill>, PortError> {
        let has_one = |kept: &&Kept| {
            kept.vector.as_ref().is_some_and(|(by, of, _)| by == model && *of == kept.entry.meaning)
        };
        let without = |kept: &Kept| UnembeddedSkill {
            id: kept.entry.id.clone(),
            name: kept.entry.name.clone(),
            description: kept.entry.description.clone(),
            meaning: kept.entry.meaning,
        };
        let skills = self.skills();
        let lacking = skills.values().filter(|kept| counts(candidates, &kept.entry.id) && !has_one(kept));
        Ok(lacking.take(limit).map(without).collect())
    }

    async fn put_vectors(&self, model: &str, vectors: &[SkillVector]) -> Result<(), PortError> {
        vectors.iter().try_for_each(|vector| comparable(&vector.vector))?;
        let mut skills = self.skills();
        for vector in vectors {
            if let Some(kept) = skills.get_mut(&vector.id).filter(|kept| kept.entry.meaning == vector.meaning)
            {
                kept.vector = Some((model.to_owned(), vector.meaning, vector.vector.clone()));
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
        let found = skills.values().filter(|kept| counts(candidates, &kept.entry.id)).filter_map(|kept| {
            let (_, _, own) = kept.vector.as_ref().filter(|(by, ..)| by == model)?;
            Some(ScoredSkill { id: kept.entry.id.clone(), score: cosine(own).clamp(0.0, 1.0) })
        });
        Ok(best(found.collect(), limit))
    }
}
