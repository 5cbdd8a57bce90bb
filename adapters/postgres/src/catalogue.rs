//! What is told of skills: a new row for each change, by one machine at a time.

use crate::append::{clean, name};
use crate::failure::Trouble;
use crate::link::Work;
use skillc_domain::team::{CatalogueEntry, TeamOrigin};
use sqlx::{Connection, PgConnection, query};

/// Puts an entry into the catalogue unless its newest version says the same.
pub struct Publish<'a> {
    /// By whom.
    pub origin: &'a TeamOrigin,
    /// What.
    pub entry: &'a CatalogueEntry,
}

const LOCK: &str = "SELECT pg_advisory_xact_lock(hashtextextended($1 || '/' || $2, 0))";

const INSERT: &str = "
    INSERT INTO skillc.catalogue_version (org_id, skill, machine, name, description, digest, headings)
    SELECT $1, $2, $3, $4, $5, $6, given.headings
    FROM (
        SELECT coalesce(jsonb_agg(jsonb_build_object('file', file, 'level', level, 'text', text) ORDER BY place), '[]')
            AS headings
        FROM UNNEST($7, $8, $9) WITH ORDINALITY AS heading(file, level, text, place)
    ) AS given
    WHERE NOT EXISTS (
        SELECT FROM (
            SELECT * FROM skillc.catalogue_version WHERE org_id = $1 AND skill = $2 ORDER BY version DESC LIMIT 1
        ) AS newest
        WHERE (newest.name, newest.description, newest.digest, newest.headings) = ($4, $5, $6, given.headings)
    )";

impl Work for Publish<'_> {
    type Done = bool;

    async fn run(&self, db: &mut PgConnection) -> Result<bool, Trouble> {
        let (org, skill) = (name(&self.origin.org), name(&self.entry.skill));
        let headings = &self.entry.headings;
        let mut transaction = db.begin().await?;
        query(LOCK).bind(&*org).bind(&*skill).execute(&mut *transaction).await?;
        let done = query(INSERT)
            .bind(&*org)
            .bind(&*skill)
            .bind(name(&self.origin.machine))
            .bind(clean(&self.entry.name))
            .bind(clean(&self.entry.description))
            .bind(clean(&self.entry.digest))
            .bind(headings.iter().map(|h| clean(&h.file)).collect::<Vec<_>>())
            .bind(headings.iter().map(|h| i16::from(h.level)).collect::<Vec<_>>())
            .bind(headings.iter().map(|h| clean(&h.text)).collect::<Vec<_>>())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(done.rows_affected() > 0)
    }
}
