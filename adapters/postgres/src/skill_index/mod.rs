//! The search index of an organization's catalog: words by tsvector, vectors by pgvector or as arrays.

mod change;
mod lexical;
mod published;
mod vectors;

pub use change::{SkillRow, fill, insert};
pub use published::ReadPublished;
pub use vectors::PGVECTOR;

use crate::connection::{ServerConnection, ServerQuery};
use crate::error::QueryError;
use crate::text::index_key;
use async_trait::async_trait;
use change::ChangeIndex;
use lexical::SearchWords;
use skillc_domain::digest::Digest;
use skillc_domain::team::TeamOrigin;
use skillc_ports::skill_index::comparable;
use skillc_ports::{
    Candidates, IndexedSkill, PortError, ScoredSkill, SkillIndex, SkillRecord, SkillVector, UnembeddedSkill,
};
use sqlx::{PgConnection, Row, query};
use std::path::PathBuf;
use std::sync::Arc;
use vectors::{PutVectors, ReadUnembedded, SearchVectors};

const READ: &str = "read the team store";
const WRITE: &str = "write the team store";
const SEARCH: &str = "search the team store";

/// The search index of an organization.
pub struct PostgresSkillIndex {
    connection: Arc<ServerConnection>,
    origin: TeamOrigin,
}

impl PostgresSkillIndex {
    pub fn new(connection: Arc<ServerConnection>, origin: &TeamOrigin) -> Self {
        Self { connection, origin: origin.clone() }
    }
}

#[async_trait]
impl SkillIndex for PostgresSkillIndex {
    async fn records(&self) -> Result<Vec<SkillRecord>, PortError> {
        self.connection.run(READ, &ReadRecords { org: &self.origin.org }).await
    }

    async fn change(&self, put: &[IndexedSkill], removed: &[String]) -> Result<(), PortError> {
        if put.is_empty() && removed.is_empty() {
            return Ok(());
        }
        self.connection.run(WRITE, &ChangeIndex { origin: &self.origin, put, removed }).await
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
        let search = SearchWords { org: &self.origin.org, words, limit: number(limit), among: ids(among) };
        self.connection.run(SEARCH, &search).await
    }

    async fn without_vector(
        &self,
        model: &str,
        limit: usize,
        among: Candidates<'_>,
    ) -> Result<Vec<UnembeddedSkill>, PortError> {
        let query = ReadUnembedded { org: &self.origin.org, model, limit: number(limit), among: ids(among) };
        self.connection.run(READ, &query).await
    }

    async fn put_vectors(&self, model: &str, vectors: &[SkillVector]) -> Result<(), PortError> {
        vectors.iter().try_for_each(|vector| comparable(&vector.vector))?;
        if vectors.is_empty() {
            return Ok(());
        }
        self.connection.run(WRITE, &PutVectors { org: &self.origin.org, model, vectors }).await
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
        let query = SearchVectors { org, model, vector, limit: number(limit), among: ids(among) };
        self.connection.run(SEARCH, &query).await
    }
}

struct ReadRecords<'a> {
    org: &'a str,
}

impl ServerQuery for ReadRecords<'_> {
    type Output = Vec<SkillRecord>;

    async fn run(&self, db: &mut PgConnection) -> Result<Self::Output, QueryError> {
        let all = query("SELECT id, path, digest FROM skillc.directory WHERE org_id = $1 ORDER BY id");
        let rows = all.bind(index_key(self.org)).fetch_all(db).await?;
        let record = |row: &sqlx::postgres::PgRow| {
            let (path, digest): (String, String) = (row.try_get(1)?, row.try_get(2)?);
            let digest = Digest::from_hex(&digest);
            Ok(SkillRecord { id: row.try_get(0)?, path: PathBuf::from(path), digest })
        };
        Ok(rows.iter().map(record).collect::<sqlx::Result<_>>()?)
    }
}

/// The ids as stored.
fn ids(among: Candidates<'_>) -> Option<Vec<String>> {
    among.map(|ids| ids.iter().map(|id| index_key(id).into_owned()).collect())
}

fn number(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}
