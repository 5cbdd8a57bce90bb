//! What stands in the directory, for people.

use crate::append::{clean, name};
use crate::failure::Trouble;
use crate::link::Work;
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

/// Skills by id, and by how their name begins.
pub struct Published<'a> {
    /// Whose.
    pub org: &'a str,
    /// These,
    pub ids: &'a [String],
    /// and those.
    pub name: &'a str,
}

impl Work for Published<'_> {
    type Done = Vec<PublishedSkill>;

    async fn run(&self, db: &mut PgConnection) -> Result<Self::Done, Trouble> {
        let rows = query(PUBLISHED)
            .bind(name(self.org))
            .bind(self.ids.iter().map(|id| name(id)).collect::<Vec<_>>())
            .bind(clean(&self.name.to_lowercase()))
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
