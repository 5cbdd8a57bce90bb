//! Searches for words.

use crate::connection::ServerQuery;
use crate::error::QueryError;
use crate::text::{index_key, spread};
use skillc_domain::discovery::words::TEXT_WEIGHTS;
use skillc_ports::ScoredSkill;
use skillc_ports::skill_index::best;
use sqlx::{PgConnection, Row, query};

/// Number of bytes of a word that are used; no text contains a longer one.
const WORD_BYTES_MAX: usize = 1_000;

/// The search statement. `ts_rank` ignores how rare a word is, so its best results are ranked again with BM25's
/// weights (adr/0028).
const SEARCH: &str = "
    WITH asked AS MATERIALIZED (
        SELECT word, (SELECT count(*) FROM skillc.directory AS d WHERE d.org_id = $1 AND d.words @@ word) AS holders
        FROM (SELECT DISTINCT phraseto_tsquery('skillc.words', skillc.bare(given)) AS word FROM unnest($2) AS given) AS w
        WHERE numnode(word) > 0
    ), weighed AS MATERIALIZED (
        SELECT word, ln(1 + (total - holders + 0.5) / (holders + 0.5)) AS weight
        FROM asked, (SELECT count(*) AS total FROM skillc.directory WHERE org_id = $1) AS all_of_it
    ), found AS MATERIALIZED (
        SELECT d.id, d.words FROM skillc.directory AS d
        WHERE d.org_id = $1 AND d.words @@ (SELECT skillc.any_of($2)) AND ($3::text[] IS NULL OR d.id = ANY ($3))
        ORDER BY ts_rank($4, d.words, (SELECT skillc.any_of($2))) DESC, d.id
        LIMIT greatest(2 * $5::bigint, 200)
    )
    SELECT id, score FROM (
        SELECT id, (SELECT sum(weight * ts_rank($4, found.words, word))::float8 FROM weighed) AS score FROM found
    ) AS ranked
    ORDER BY score DESC, id LIMIT $5";

/// Finds the skills that contain any of the words.
pub struct SearchWords<'a> {
    pub org: &'a str,
    pub words: &'a [String],
    pub limit: i64,
    pub among: Option<Vec<String>>,
}

impl ServerQuery for SearchWords<'_> {
    type Output = Vec<ScoredSkill>;

    async fn run(&self, db: &mut PgConnection) -> Result<Self::Output, QueryError> {
        let words: Vec<String> = self.words.iter().map(|word| spread(word, WORD_BYTES_MAX)).collect();
        let rows = query(SEARCH)
            .bind(index_key(self.org))
            .bind(words)
            .bind(&self.among)
            .bind(weights())
            // The statement doubles the limit, which must not overflow.
            .bind(self.limit.min(i64::from(u32::MAX)))
            .fetch_all(db)
            .await?;
        let near = |row: &sqlx::postgres::PgRow| Ok(ScoredSkill::new(row.try_get(0)?, row.try_get(1)?));
        Ok(best(rows.iter().map(near).collect::<sqlx::Result<_>>()?, rows.len()))
    }
}

/// Weights of D (unused), C (headings), B (description) and A (name), scaled to a maximum of 1.
#[allow(clippy::cast_possible_truncation)] // small values
fn weights() -> Vec<f32> {
    let [name, description, headings, _] = TEXT_WEIGHTS;
    [0.0, headings, description, name].iter().map(|weight| (weight / name) as f32).collect()
}
