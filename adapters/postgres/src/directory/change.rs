//! Putting skills into the directory, and taking them out.

use super::text::{DESCRIPTION_BYTES_MAX, HEADINGS_BYTES_MAX, NAME_BYTES_MAX, spread};
use crate::append::{clean, name};
use crate::failure::Trouble;
use crate::link::Work;
use skillc_domain::discovery::find::meaning_text;
use skillc_domain::discovery::skill::SkillKind;
use skillc_domain::team::TeamOrigin;
use skillc_ports::IndexedSkill;
use sqlx::postgres::PgRow;
use sqlx::{Connection, PgConnection, Row, query};
use std::borrow::Cow;

/// Entries in a statement: far below what a message may hold, with the longest descriptions.
const ENTRIES_MAX: usize = 500;

const PUT: &str = "
    INSERT INTO skillc.directory_change (org_id, id, path, name, folded, description, headings, kind, digest, machine,
        meaning, words, is_removed)
    SELECT e.org_id, e.id, e.path, e.name, e.folded, e.description, e.headings, e.kind, e.digest, e.machine,
        coalesce(e.meaning, sha256(convert_to(e.means, 'UTF8'))), skillc.words_of(e.a, e.b, e.c), false
    FROM UNNEST($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
        AS e(org_id, id, path, name, folded, description, headings, kind, digest, machine, meaning, means, a, b, c)";

const REMOVE: &str = "
    INSERT INTO skillc.directory_change (org_id, id, is_removed) SELECT $1, id, true FROM UNNEST($2) AS gone(id)";

/// Newest versions that the directory lacks.
const MISSING: &str = "
    SELECT org_id, skill, machine, name, description, digest,
        (SELECT coalesce(string_agg(heading ->> 'text', E'\\n' ORDER BY place), '')
         FROM jsonb_array_elements(headings) WITH ORDINALITY AS of_it(heading, place)) AS headings
    FROM skillc.catalogue AS c
    WHERE NOT EXISTS (SELECT FROM skillc.directory AS d WHERE d.org_id = c.org_id AND d.id = c.skill) LIMIT $1";

/// A skill on its way into the directory.
pub struct Entry<'a> {
    /// Whose it is.
    pub org: Cow<'a, str>,
    /// Who sends it.
    pub machine: Cow<'a, str>,
    /// By which it resolves.
    pub id: Cow<'a, str>,
    /// Where it is there; empty for what was published.
    pub path: Cow<'a, str>,
    /// Its name.
    pub name: Cow<'a, str>,
    /// Its description.
    pub description: Cow<'a, str>,
    /// Its headings, a line each.
    pub headings: Cow<'a, str>,
    /// In which form it comes.
    pub kind: SkillKind,
    /// 64 hexadecimal digits.
    pub digest: Cow<'a, str>,
    /// SHA-256 of what it means, where it is known.
    pub meaning: Option<Vec<u8>>,
}

impl<'a> Entry<'a> {
    fn of(origin: &'a TeamOrigin, entry: &'a IndexedSkill) -> Self {
        let path = entry.path.to_string_lossy();
        Self {
            org: name(&origin.org),
            machine: name(&origin.machine),
            id: name(&entry.id),
            path: Cow::Owned(clean(&path).into_owned()),
            name: clean(&entry.name),
            description: clean(&entry.description),
            headings: clean(&entry.headings),
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

/// Puts some in and takes others out, in one step and in the order of ids: who changes the same then waits at the first.
pub struct Change<'a> {
    /// By whom.
    pub origin: &'a TeamOrigin,
    /// Those to put in.
    pub put: &'a [IndexedSkill],
    /// Those to take out.
    pub removed: &'a [String],
}

impl Work for Change<'_> {
    type Done = ();

    async fn run(&self, db: &mut PgConnection) -> Result<(), Trouble> {
        let mut entries: Vec<Entry<'_>> =
            self.put.iter().map(|entry| Entry::of(self.origin, entry)).collect();
        entries.sort_by(|a, b| a.id.cmp(&b.id));
        let mut removed: Vec<_> = self.removed.iter().map(|id| name(id)).collect();
        removed.sort_unstable();
        let mut transaction = db.begin().await?;
        if !removed.is_empty() {
            let gone = query(REMOVE).bind(name(&self.origin.org)).bind(removed);
            gone.execute(&mut *transaction).await?;
        }
        for some in entries.chunks(ENTRIES_MAX) {
            insert(&mut transaction, some).await?;
        }
        Ok(transaction.commit().await?)
    }
}

/// Puts entries in, in place of those of the same id.
pub async fn insert(db: &mut PgConnection, entries: &[Entry<'_>]) -> Result<(), Trouble> {
    let texts = |of: fn(&Entry<'_>) -> String| entries.iter().map(of).collect::<Vec<_>>();
    query(PUT)
        .bind(entries.iter().map(|e| &*e.org).collect::<Vec<_>>())
        .bind(entries.iter().map(|e| &*e.id).collect::<Vec<_>>())
        .bind(entries.iter().map(|e| &*e.path).collect::<Vec<_>>())
        .bind(entries.iter().map(|e| &*e.name).collect::<Vec<_>>())
        .bind(texts(|e| name(&e.name.to_lowercase()).into_owned()))
        .bind(entries.iter().map(|e| &*e.description).collect::<Vec<_>>())
        .bind(entries.iter().map(|e| &*e.headings).collect::<Vec<_>>())
        .bind(entries.iter().map(|e| e.kind.word()).collect::<Vec<_>>())
        .bind(entries.iter().map(|e| &*e.digest).collect::<Vec<_>>())
        .bind(entries.iter().map(|e| &*e.machine).collect::<Vec<_>>())
        .bind(entries.iter().map(|e| e.meaning.as_deref()).collect::<Vec<_>>())
        .bind(texts(|e| meaning_text(&e.name, &e.description)))
        .bind(texts(|e| spread(&e.name, NAME_BYTES_MAX)))
        .bind(texts(|e| spread(&e.description, DESCRIPTION_BYTES_MAX)))
        .bind(texts(|e| spread(&e.headings, HEADINGS_BYTES_MAX)))
        .execute(db)
        .await?;
    Ok(())
}

/// Puts in what the catalog has and the directory lacks: what was published before there was one.
pub async fn fill(db: &mut PgConnection) -> Result<(), Trouble> {
    loop {
        let rows = query(MISSING).bind(ENTRIES_MAX as i64).fetch_all(&mut *db).await?;
        if rows.is_empty() {
            return Ok(());
        }
        let entries = rows.iter().map(Entry::of_row).collect::<sqlx::Result<Vec<_>>>()?;
        insert(db, &entries).await?;
    }
}
