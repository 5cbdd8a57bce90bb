//! Vectors of skills, stored as arrays and compared by pgvector where the server has it, which each search checks.

use crate::connection::ServerQuery;
use crate::error::QueryError;
use crate::text::index_key;
use skillc_domain::digest::Digest;
use skillc_ports::skill_index::best;
use skillc_ports::{ScoredSkill, SkillVector, UnembeddedSkill};
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::query::Query as Statement;
use sqlx::{AssertSqlSafe, Connection, PgConnection, Postgres, Row, query};

const WITHOUT_VECTOR: &str = "
    SELECT d.id, d.name, d.description, d.meaning FROM skillc.directory AS d
    WHERE d.org_id = $1 AND ($3::text[] IS NULL OR d.id = ANY ($3)) AND NOT EXISTS (
        SELECT FROM skillc.directory_vector AS v
        WHERE v.org_id = $1 AND v.model = $2 AND v.id = d.id AND v.meaning = d.meaning)
    ORDER BY d.id LIMIT $4";

const PUT: &str = "
    INSERT INTO skillc.directory_vector_change (org_id, model, id, meaning, signs, vector)
    VALUES ($1, $2, $3, $4, $5::text::bit(384), $6)";

/// Finds the pgvector extension that this user may use: its version, its quoted schema, and whether the index that
/// needs it exists.
pub const PGVECTOR: &str = "
    SELECT e.extversion, quote_ident(n.nspname) AS place,
        to_regclass('skillc.directory_vector_near') IS NOT NULL AS has_index
    FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace
    WHERE e.extname = 'vector' AND has_schema_privilege(n.oid, 'USAGE')";

/// Finds the nearest vectors in plain SQL: preselects by differing signs, then compares components. Exact up to 400
/// skills, nearly exact above (adr/0028).
const BY_ARRAYS: &str = "
    WITH near AS MATERIALIZED (
        SELECT id, vector FROM skillc.directory_vector
        WHERE org_id = $1 AND model = $2 AND ($4::text[] IS NULL OR id = ANY ($4))
        ORDER BY skillc.differing(signs, $6::text::bit(384)), id
        LIMIT greatest(4 * $5::bigint, 400)
    )
    SELECT id, (SELECT sum(a::float8 * b) FROM unnest(vector, $3::real[]) AS component(a, b)) AS score
    FROM near ORDER BY score DESC, id LIMIT $5";

/// Lists skills without a vector of a model.
pub struct ReadUnembedded<'a> {
    pub org: &'a str,
    pub model: &'a str,
    pub limit: i64,
    pub among: Option<Vec<String>>,
}

impl ServerQuery for ReadUnembedded<'_> {
    type Output = Vec<UnembeddedSkill>;

    async fn run(&self, db: &mut PgConnection) -> Result<Self::Output, QueryError> {
        let statement =
            query(WITHOUT_VECTOR).bind(index_key(self.org)).bind(index_key(self.model)).bind(&self.among);
        let rows = statement.bind(self.limit).fetch_all(db).await?;
        let without = |row: &PgRow| {
            let meaning: Vec<u8> = row.try_get(3)?;
            // Another program wrote something that is not a digest, so no vector would be stored.
            let Ok(meaning) = meaning.try_into().map(Digest) else { return Ok(None) };
            let (id, name, description) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
            Ok(Some(UnembeddedSkill { id, name, description, meaning }))
        };
        Ok(rows.iter().filter_map(|row| without(row).transpose()).collect::<sqlx::Result<_>>()?)
    }
}

/// Stores vectors, all or none, sorted by id so that concurrent writers cannot deadlock.
pub struct PutVectors<'a> {
    pub org: &'a str,
    pub model: &'a str,
    pub vectors: &'a [SkillVector],
}

impl ServerQuery for PutVectors<'_> {
    type Output = ();

    async fn run(&self, db: &mut PgConnection) -> Result<(), QueryError> {
        let mut vectors: Vec<&SkillVector> = self.vectors.iter().collect();
        vectors.sort_by(|a, b| a.id.cmp(&b.id));
        let mut transaction = db.begin().await?;
        for one in vectors {
            query(PUT)
                .bind(index_key(self.org))
                .bind(index_key(self.model))
                .bind(index_key(&one.id))
                .bind(&one.meaning.0[..])
                .bind(signs(&one.vector))
                .bind(&one.vector)
                .execute(&mut *transaction)
                .await?;
        }
        Ok(transaction.commit().await?)
    }
}

/// Finds the skills with the nearest vectors.
pub struct SearchVectors<'a> {
    pub org: &'a str,
    pub model: &'a str,
    pub vector: &'a [f32],
    pub limit: i64,
    pub among: Option<Vec<String>>,
}

impl ServerQuery for SearchVectors<'_> {
    type Output = Vec<ScoredSkill>;

    async fn run(&self, db: &mut PgConnection) -> Result<Self::Output, QueryError> {
        let rows = match query(PGVECTOR).fetch_optional(&mut *db).await? {
            Some(row) => self.by_pgvector(db, row.try_get("place")?, row.try_get("has_index")?).await?,
            None => self.statement(BY_ARRAYS.to_owned()).bind(signs(self.vector)).fetch_all(db).await?,
        };
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        Ok(best(rows.iter().map(near).collect::<sqlx::Result<_>>()?, limit))
    }
}

impl SearchVectors<'_> {
    /// Uses the index for searches of a whole organization. It covers all organizations and models, so it may find too
    /// few rows; then every vector is compared.
    async fn by_pgvector(
        &self,
        db: &mut PgConnection,
        place: String,
        has_index: bool,
    ) -> sqlx::Result<Vec<PgRow>> {
        if has_index && self.among.is_none() {
            let found = self.by_index(db, &place).await?;
            if i64::try_from(found.len()).is_ok_and(|found| found >= self.limit.saturating_add(TIES.into())) {
                return Ok(found);
            }
        }
        self.statement(by_pgvector(&place, " + 0, id", 0)).fetch_all(db).await
    }

    async fn by_index(&self, db: &mut PgConnection, place: &str) -> sqlx::Result<Vec<PgRow>> {
        // pgvector accepts 1 to 1000.
        let candidates = self.limit.saturating_mul(4).clamp(100, 1000);
        let mut transaction = db.begin().await?;
        let set = format!("SET LOCAL hnsw.ef_search = {candidates}");
        query(AssertSqlSafe(set)).persistent(false).execute(&mut *transaction).await?;
        let found = self.statement(by_pgvector(place, "", TIES)).fetch_all(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(found)
    }

    /// Binds all parameters; the statement is not cached.
    fn statement(&self, sql: String) -> Statement<'_, Postgres, PgArguments> {
        query(AssertSqlSafe(sql))
            .persistent(false)
            .bind(index_key(self.org))
            .bind(index_key(self.model))
            .bind(self.vector)
            .bind(&self.among)
            .bind(self.limit.min(i64::from(u32::MAX)))
    }
}

/// Number of extra rows requested from the index, which does not break ties by id.
const TIES: u32 = 16;

/// Finds the nearest vectors with pgvector in a schema. Adding to the distance prevents the planner from using the
/// index.
fn by_pgvector(place: &str, added: &str, more: u32) -> String {
    let distance =
        format!("(vector::{place}.vector(384) OPERATOR({place}.<=>) $3::real[]::{place}.vector(384))");
    format!(
        "SELECT id, 1 - {distance} AS score FROM skillc.directory_vector
         WHERE org_id = $1 AND model = $2 AND ($4::text[] IS NULL OR id = ANY ($4))
         ORDER BY {distance}{added} LIMIT $5 + {more}"
    )
}

fn near(row: &PgRow) -> sqlx::Result<ScoredSkill> {
    let score: f64 = row.try_get("score")?;
    Ok(ScoredSkill::new(row.try_get("id")?, score.clamp(0.0, 1.0)))
}

/// Formats a `1` for each component above 0, and `0` for the others.
fn signs(vector: &[f32]) -> String {
    vector.iter().map(|x| if *x > 0.0 { '1' } else { '0' }).collect()
}
