//! Inserts skills into the search index and removes them.

use crate::connection::ServerQuery;
use crate::error::QueryError;
use crate::text::{index_key, spread, storable};
use skillc_domain::discovery::find::meaning_text;
use skillc_domain::discovery::skill::SkillKind;
use skillc_domain::team::TeamOrigin;
use skillc_ports::IndexedSkill;
use sqlx::postgres::PgRow;
use sqlx::{Connection, PgConnection, Row, query};
use std::borrow::Cow;

/// Number of rows in one statement. Even with the longest descriptions, it is far below the size limit of a message.
const ROWS_MAX: usize = 500;

/// Number of bytes of a name, a description and all headings that are indexed, since the words of a row may take 1
/// MiB.
const NAME_BYTES_MAX: usize = 1_000;
const DESCRIPTION_BYTES_MAX: usize = 50_000;
const HEADINGS_BYTES_MAX: usize = 100_000;

const PUT: &str = "
    INSERT INTO skillc.directory_change (org_id, id, path, name, folded, description, headings, kind, digest, machine,
        meaning, words, is_removed)
    SELECT e.org_id, e.id, e.path, e.name, e.folded, e.description, e.headings, e.kind, e.digest, e.machine,
        coalesce(e.meaning, sha256(convert_to(e.means, 'UTF8'))), skillc.words_of(e.a, e.b, e.c), false
    FROM UNNEST($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
        AS e(org_id, id, path, name, folded, description, headings, kind, digest, machine, meaning, means, a, b, c)";

const REMOVE: &str = "
    INSERT INTO skillc.directory_change (org_id, id, is_removed) SELECT $1, id, true FROM UNNEST($2) AS gone(id)";

/// Selects the newest versions that the index lacks.
const MISSING: &str = "
    SELECT org_id, skill, machine, name, description, digest,
        (SELECT coalesce(string_agg(heading ->> 'text', E'\\n' ORDER BY place), '')
         FROM jsonb_array_elements(headings) WITH ORDINALITY AS of_it(heading, place)) AS headings
    FROM skillc.catalogue AS c
    WHERE NOT EXISTS (SELECT FROM skillc.directory AS d WHERE d.org_id = c.org_id AND d.id = c.skill) LIMIT $1";

/// A row to be inserted.
pub struct SkillRow<'a> {
    pub org: Cow<'a, str>,
    pub machine: Cow<'a, str>,
    pub id: Cow<'a, str>,
    /// The path on `machine`; empty for a published skill.
    pub path: Cow<'a, str>,
    pub name: Cow<'a, str>,
    pub description: Cow<'a, str>,
    /// Headings, one per line.
    pub headings: Cow<'a, str>,
    pub kind: SkillKind,
    /// 64 hexadecimal digits.
    pub digest: Cow<'a, str>,
    /// SHA-256 of `meaning_text`, if known; otherwise the server computes it.
    pub meaning: Option<Vec<u8>>,
}

impl<'a> SkillRow<'a> {
    fn of(origin: &'a TeamOrigin, entry: &'a IndexedSkill) -> Self {
        let path = entry.path.to_string_lossy();
        Self {
            org: index_key(&origin.org),
            machine: index_key(&origin.machine),
            id: index_key(&entry.id),
            path: Cow::Owned(storable(&path).into_owned()),
            name: storable(&entry.name),
            description: storable(&entry.description),
            headings: storable(&entry.headings),
            kind: entry.kind,
            digest: Cow::Owned(entry.digest.to_string()),
            meaning: Some(entry.meaning.0.to_vec()),
        }
    }

    fn of_row(row: &PgRow) -> sqlx::Result<Self> {
        let text = |column: &str| row.try_get::<String, _>(column).map(Cow::Owned);
        Ok(Self {
            org: text("org_id")?,
            machine: text("machine")?,
            id: text("skill")?,
            path: Cow::Borrowed(""),
            name: text("name")?,
            description: text("description")?,
            headings: text("headings")?,
            kind: SkillKind::Markdown,
            digest: text("digest")?,
            meaning: None,
        })
    }
}

/// Inserts and removes skills in one transaction, sorted by id so that concurrent changes cannot deadlock.
pub struct ChangeIndex<'a> {
    pub origin: &'a TeamOrigin,
    pub put: &'a [IndexedSkill],
    pub removed: &'a [String],
}

impl ServerQuery for ChangeIndex<'_> {
    type Output = ();

    async fn run(&self, db: &mut PgConnection) -> Result<(), QueryError> {
        let mut rows: Vec<SkillRow<'_>> =
            self.put.iter().map(|entry| SkillRow::of(self.origin, entry)).collect();
        rows.sort_by(|a, b| a.id.cmp(&b.id));
        let mut removed: Vec<_> = self.removed.iter().map(|id| index_key(id)).collect();
        removed.sort_unstable();
        let mut transaction = db.begin().await?;
        if !removed.is_empty() {
            query(REMOVE).bind(index_key(&self.origin.org)).bind(removed).execute(&mut *transaction).await?;
        }
        for batch in rows.chunks(ROWS_MAX) {
            insert(&mut transaction, batch).await?;
        }
        Ok(transaction.commit().await?)
    }
}

/// Inserts rows, replacing those with the same id.
pub async fn insert(db: &mut PgConnection, rows: &[SkillRow<'_>]) -> Result<(), QueryError> {
    let texts = |of: fn(&SkillRow<'_>) -> String| rows.iter().map(of).collect::<Vec<_>>();
    query(PUT)
        .bind(rows.iter().map(|row| &*row.org).collect::<Vec<_>>())
        .bind(rows.iter().map(|row| &*row.id).collect::<Vec<_>>())
        .bind(rows.iter().map(|row| &*row.path).collect::<Vec<_>>())
        .bind(rows.iter().map(|row| &*row.name).collect::<Vec<_>>())
        .bind(texts(|row| index_key(&row.name.to_lowercase()).into_owned()))
        .bind(rows.iter().map(|row| &*row.description).collect::<Vec<_>>())
        .bind(rows.iter().map(|row| &*row.headings).collect::<Vec<_>>())
        .bind(rows.iter().map(|row| row.kind.word()).collect::<Vec<_>>())
        .bind(rows.iter().map(|row| &*row.digest).collect::<Vec<_>>())
        .bind(rows.iter().map(|row| &*row.machine).collect::<Vec<_>>())
        .bind(rows.iter().map(|row| row.meaning.as_deref()).collect::<Vec<_>>())
        .bind(texts(|row| meaning_text(&row.name, &row.description)))
        .bind(texts(|row| spread(&row.name, NAME_BYTES_MAX)))
        .bind(texts(|row| spread(&row.description, DESCRIPTION_BYTES_MAX)))
        .bind(texts(|row| spread(&row.headings, HEADINGS_BYTES_MAX)))
        .execute(db)
        .await?;
    Ok(())
}

/// Inserts the skills that were published before the index existed.
pub async fn fill(db: &mut PgConnection) -> Result<(), QueryError> {
    loop {
        let rows = query(MISSING).bind(ROWS_MAX as i64).fetch_all(&mut *db).await?;
        if rows.is_empty() {
            return Ok(());
        }
        let entries = rows.iter().map(SkillRow::of_row).collect::<sqlx::Result<Vec<_>>>()?;
        insert(db, &entries).await?;
    }
}
