//! What is told of skills: a new row for each change, by one machine at a time.

use crate::append::{clean, name};
use crate::directory::{Entry, insert};
use crate::failure::Trouble;
use crate::link::Work;
use skillc_domain::discovery::skill::SkillKind;
use skillc_domain::team::{TeamCatalogEntry, TeamOrigin};
use sqlx::{Connection, PgConnection, query, query_scalar};

/// Puts an entry into the catalog unless its newest version says the same.
pub struct Publish<'a> {
    /// By whom.
    pub origin: &'a TeamOrigin,
    /// What.
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

/// Whether the directory says what is published.
const IS_FOUND: &str = "
    SELECT EXISTS (SELECT FROM skillc.directory
        WHERE (org_id, id, name, description, digest, headings) = ($1, $2, $3, $4, $5, $6))";

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
        self.show(&mut transaction).await?;
        transaction.commit().await?;
        Ok(done.rows_affected() > 0)
    }
}

impl Publish<'_> {
    /// Puts it into the directory unless it stands there.
    async fn show(&self, db: &mut PgConnection) -> Result<(), Trouble> {
        let headings: Vec<_> = self.entry.headings.iter().map(|h| clean(&h.text)).collect();
        let entry = Entry {
            org: name(&self.origin.org),
            machine: name(&self.origin.machine),
            id: name(&self.entry.skill),
            path: "".into(),
            name: clean(&self.entry.name),
            description: clean(&self.entry.description),
            headings: headings.join("\n").into(),
            kind: SkillKind::Markdown,
            digest: clean(&self.entry.digest),
            meaning: None,
        };
        let is_found: bool = query_scalar(IS_FOUND)
            .bind(&*entry.org)
            .bind(&*entry.id)
            .bind(&*entry.name)
            .bind(&*entry.description)
            .bind(&*entry.digest)
            .bind(&*entry.headings)
            .fetch_one(&mut *db)
            .await?;
        if is_found { Ok(()) } else { insert(db, &[entry]).await }
    }
}
