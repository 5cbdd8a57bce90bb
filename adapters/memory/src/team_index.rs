//! The search index over a team's catalog in memory.

use crate::faults::PortCall;
use crate::team_catalog::{CatalogRow, TeamCatalog};
use crate::team_server::MemoryTeamStore;
use async_trait::async_trait;
use skillc_domain::digest::Digest;
use skillc_domain::team::{TeamCatalogEntry, TeamOrigin};
use skillc_ports::skill_index::{comparable, counts};
use skillc_ports::{
    Candidates, IndexedSkill, PortError, ScoredSkill, SkillIndex, SkillRecord, SkillVector, UnembeddedSkill,
};

/// The index of an organization.
pub(crate) struct MemoryTeamIndex {
    pub(crate) store: MemoryTeamStore,
    pub(crate) origin: TeamOrigin,
}

impl MemoryTeamIndex {
    fn read<T>(&self, look: impl FnOnce(&TeamCatalog) -> T) -> Result<T, PortError> {
        self.store.catalog(PortCall::ReadTeam, &self.origin.org, |catalog| look(catalog))
    }

    fn write(&self, act: impl FnOnce(&mut TeamCatalog)) -> Result<(), PortError> {
        self.store.catalog(PortCall::PublishSkill, &self.origin.org, act)
    }
}

#[async_trait]
impl SkillIndex for MemoryTeamIndex {
    async fn records(&self) -> Result<Vec<SkillRecord>, PortError> {
        let record = |(id, row): (&String, &CatalogRow)| SkillRecord {
            id: id.clone(),
            path: row.path.clone(),
            digest: Digest::from_hex(&row.entry.digest),
        };
        self.read(|catalog| catalog.0.iter().map(record).collect())
    }

    async fn change(&self, put: &[IndexedSkill], removed: &[String]) -> Result<(), PortError> {
        self.write(|catalog| {
            catalog.0.retain(|id, _| !removed.contains(id));
            for entry in put {
                catalog.put(&self.origin.machine, &entry_of(entry), &entry.path, entry.meaning);
            }
        })
    }

    async fn lexical(
        &self,
        words: &[String],
        limit: usize,
        candidates: Candidates<'_>,
    ) -> Result<Vec<ScoredSkill>, PortError> {
        self.read(|catalog| catalog.lexical(words, limit, candidates))
    }

    async fn without_vector(
        &self,
        model: &str,
        limit: usize,
        candidates: Candidates<'_>,
    ) -> Result<Vec<UnembeddedSkill>, PortError> {
        let lacks = |(id, row): (&String, &CatalogRow)| {
            (counts(candidates, id) && !row.vectors.contains_key(model)).then(|| UnembeddedSkill {
                id: id.clone(),
                name: row.entry.name.clone(),
                description: row.entry.description.clone(),
                meaning: row.meaning,
            })
        };
        self.read(|catalog| catalog.0.iter().filter_map(lacks).take(limit).collect())
    }

    async fn put_vectors(&self, model: &str, vectors: &[SkillVector]) -> Result<(), PortError> {
        vectors.iter().try_for_each(|vector| comparable(&vector.vector))?;
        self.write(|catalog| {
            for vector in vectors {
                if let Some(row) = catalog.0.get_mut(&vector.id).filter(|row| row.meaning == vector.meaning) {
                    row.vectors.insert(model.to_owned(), vector.vector.clone());
                }
            }
        })
    }

    async fn semantic(
        &self,
        model: &str,
        vector: &[f32],
        limit: usize,
        candidates: Candidates<'_>,
    ) -> Result<Vec<ScoredSkill>, PortError> {
        comparable(vector)?;
        self.read(|catalog| catalog.semantic(model, vector, limit, candidates))
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
