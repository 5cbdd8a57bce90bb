//! Publishes skills to the catalog: one row for each changed version.

use crate::connection::ServerQuery;
use crate::error::QueryError;
use crate::skill_index::{SkillRow, insert};
use crate::text::{index_key, storable};
use skillc_domain::discovery::skill::SkillKind;
use skillc_domain::team::{TeamCatalogEntry, TeamOrigin};
use sqlx::{Connection, PgConnection, query, query_scalar};

/// Adds a version to the catalog unless the newest one is equal; returns whether it did.
pub struct PublishSkill<'a> {
    pub origin: &'a TeamOrigin,
    pub entry: &'a TeamCatalogEntry,
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

/// Whether the search index holds exactly this version.
const IS_INDEXED: &str = "
    SELECT EXISTS (SELECT FROM skillc.directory
        WHERE (org_id, id, name, description, digest, headings) = ($1, $2, $3, $4, $5, $6))";

impl ServerQuery for PublishSkill<'_> {
    type Output = bool;

    async fn run(&self, db: &mut PgConnection) -> Result<bool, QueryError> {
        let (org, skill) = (index_key(&self.origin.org), index_key(&self.entry.skill));
        let headings = &self.entry.headings;
        let mut transaction = db.begin().await?;
        query(LOCK).bind(&*org).bind(&*skill).execute(&mut *transaction).await?;
        let inserted = query(INSERT)
            .bind(&*org)
            .bind(&*skill)
            .bind(index_key(&self.origin.machine))
            .bind(storable(&self.entry.name))
            .bind(storable(&self.entry.description))
            .bind(storable(&self.entry.digest))
            .bind(headings.iter().map(|h| storable(&h.file)).collect::<Vec<_>>())
            .bind(headings.iter().map(|h| i16::from(h.level)).collect::<Vec<_>>())
            .bind(headings.iter().map(|h| storable(&h.text)).collect::<Vec<_>>())
            .execute(&mut *transaction)
            .await?;
        self.index(&mut transaction).await?;
        transaction.commit().await?;
        Ok(inserted.rows_affected() > 0)
    }
}

impl PublishSkill<'_> {
    /// Updates the search index if it differs.
    async fn index(&self, db: &mut PgConnection) -> Result<(), QueryError> {
        let headings: Vec<_> = self.entry.headings.iter().map(|h| storable(&h.text)).collect();
        let row = SkillRow {
            org: index_key(&self.origin.org),
            machine: index_key(&self.origin.machine),
            id: index_key(&self.entry.skill),
            path: "".into(),
            name: storable(&self.entry.name),
            description: storable(&self.entry.description),
            headings: headings.join("\n").into(),
            kind: SkillKind::Markdown,
            digest: storable(&self.entry.digest),
            meaning: None,
        };
        let is_indexed: bool = query_scalar(IS_INDEXED)
            .bind(&*row.org)
            .bind(&*row.id)
            .bind(&*row.name)
            .bind(&*row.description)
            .bind(&*row.digest)
            .bind(&*row.headings)
            .fetch_one(&mut *db)
            .await?;
        if is_indexed { Ok(()) } else { insert(db, &[row]).await }
    }
}
