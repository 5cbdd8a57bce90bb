//! Looks up published skills.

use crate::connection::ServerQuery;
use crate::error::QueryError;
use crate::text::{index_key, storable};
use skillc_domain::limits::FIND_CANDIDATES;
use skillc_domain::team::PublishedSkill;
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row, query};

const PUBLISHED: &str = "
    SELECT id, name, description, digest, machine FROM skillc.directory WHERE org_id = $1 AND id = ANY ($2)
    UNION
    (SELECT id, name, description, digest, machine FROM skillc.directory
     WHERE org_id = $1 AND $3 <> '' AND folded >= $3 AND folded < $3 || chr(1114111)
     ORDER BY folded, id LIMIT $4)
    ORDER BY id";

/// Finds skills by id or by a prefix of their name.
pub struct ReadPublished<'a> {
    pub org: &'a str,
    pub ids: &'a [String],
    /// A prefix of a name in any case; empty for none.
    pub name: &'a str,
}

impl ServerQuery for ReadPublished<'_> {
    type Output = Vec<PublishedSkill>;

    async fn run(&self, db: &mut PgConnection) -> Result<Self::Output, QueryError> {
        let rows = query(PUBLISHED)
            .bind(index_key(self.org))
            .bind(self.ids.iter().map(|id| index_key(id)).collect::<Vec<_>>())
            .bind(storable(&self.name.to_lowercase()))
            .bind(FIND_CANDIDATES as i64)
            .fetch_all(db)
            .await?;
        Ok(rows.iter().map(skill).collect::<sqlx::Result<_>>()?)
    }
}

fn skill(row: &PgRow) -> sqlx::Result<PublishedSkill> {
    Ok(PublishedSkill {
        skill: row.try_get(0)?,
        name: row.try_get(1)?,
        description: row.try_get(2)?,
        digest: row.try_get(3)?,
        machine: row.try_get(4)?,
    })
}
