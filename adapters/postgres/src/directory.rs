//! The directory of an organisation's catalog as a port: words by tsvector, vectors by pgvector or as arrays.

mod change;
mod lexical;
mod published;
mod text;
mod vectors;

pub use change::{Change, Entry, fill, insert};
pub use published::Published;
pub use vectors::PGVECTOR;

use crate::append::name;
use crate::failure::Trouble;
use crate::link::{Link, Work};
use async_trait::async_trait;
use skillc_domain::digest::Digest;
use skillc_domain::team::TeamOrigin;
use skillc_ports::skill_index::comparable;
use skillc_ports::{
    Candidates, IndexedSkill, PortError, ScoredSkill, SkillIndex, SkillRecord, SkillVector, UnembeddedSkill,
};
use sqlx::{PgConnection, Row, query};
use std::path::PathBuf;
use std::sync::Arc;
use vectors::{Lacking, Nearest, PutVectors};

const READ: &str = "read the team store";
const WRITE: &str = "write the team store";
const SEARCH: &str = "search the team store";

/// The directory of an organisation.
pub struct PostgresSkillIndex {
    link: Arc<Link>,
    origin: TeamOrigin,
}

impl PostgresSkillIndex {
    /// That to which an origin adds.
    pub fn new(link: Arc<Link>, origin: &TeamOrigin) -> Self {
        Self { link, origin: origin.clone() }
    }
}

#[async_trait]
impl SkillIndex for PostgresSkillIndex {
    async fn records(&self) -> Result<Vec<SkillRecord>, PortError> {
        self.link.run(READ, &Records { org: &self.origin.org }).await
    }

    async fn change(&self, put: &[IndexedSkill], removed: &[String]) -> Result<(), PortError> {
        if put.is_empty() && removed.is_empty() {
            return Ok(());
        }
        self.link.run(WRITE, &Change { origin: &self.origin, put, removed }).await
    }

    async fn lexical(
        &self,
        words: &[String],
        limit: usize,
        among: Candidates<'_>,
    ) -> Result<Vec<ScoredSkill>, PortError> {
        if words.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        let search =
            lexical::Search { org: &self.origin.org, words, limit: number(limit), among: ids(among) };
        self.link.run(SEARCH, &search).await
    }

    async fn without_vector(
        &self,
        model: &str,
        limit: usize,
        among: Candidates<'_>,
    ) -> Result<Vec<UnembeddedSkill>, PortError> {
        let lacking = Lacking { org: &self.origin.org, model, limit: number(limit), among: ids(among) };
        self.link.run(READ, &lacking).await
    }

    async fn put_vectors(&self, model: &str, vectors: &[SkillVector]) -> Result<(), PortError> {
        vectors.iter().try_for_each(|vector| comparable(&vector.vector))?;
        if vectors.is_empty() {
            return Ok(());
        }
        self.link.run(WRITE, &PutVectors { org: &self.origin.org, model, vectors }).await
    }

    async fn semantic(
        &self,
        model: &str,
        vector: &[f32],
        limit: usize,
        among: Candidates<'_>,
    ) -> Result<Vec<ScoredSkill>, PortError> {
        comparable(vector)?;
        if limit == 0 {
            return Ok(Vec::new());
        }
        let org = &self.origin.org;
        let nearest = Nearest { org, model, vector, limit: number(limit), among: ids(among) };
        self.link.run(SEARCH, &nearest).await
    }
}

/// All that is recorded of an organisation.
struct Records<'a> {
    org: &'a str,
}

impl Work for Records<'_> {
    type Done = Vec<SkillRecord>;

    async fn run(&self, db: &mut PgConnection) -> Result<Self::Done, Trouble> {
        let all = query("SELECT id, path, digest FROM skillc.directory WHERE org_id = $1 ORDER BY id");
        let rows = all.bind(name(self.org)).fetch_all(db).await?;
        let record = |row: &sqlx::postgres::PgRow| {
            let (path, digest): (String, String) = (row.try_get(1)?, row.try_get(2)?);
            // What is no digest was made by something else, and is to be made again.
            let digest = Digest::from_hex(&digest).unwrap_or(Digest([0; 32]));
            Ok(SkillRecord { id: row.try_get(0)?, path: PathBuf::from(path), digest })
        };
        Ok(rows.iter().map(record).collect::<sqlx::Result<_>>()?)
    }
}

/// The ids that count, as they are kept.
fn ids(among: Candidates<'_>) -> Option<Vec<String>> {
    among.map(|ids| ids.iter().map(|id| name(id).into_owned()).collect())
}

fn number(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}
