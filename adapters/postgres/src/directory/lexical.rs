//! Searching words.

use super::text::spread;
use crate::append::name;
use crate::failure::Trouble;
use crate::link::Work;
use skillc_domain::discovery::words::TEXT_WEIGHTS;
use skillc_ports::ScoredSkill;
use skillc_ports::skill_index::best;
use sqlx::{PgConnection, Row, query};

/// Bytes of a word that are looked at: a longer one stands in no text.
const WORD_BYTES_MAX: usize = 1_000;

/// `ts_rank` counts a rare word as much as a common one. So the best by it are weighed anew, each word by how rare it is in
/// the catalog, as BM25 does (adr/0028).
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

/// The skills that hold any of some words.
pub struct Search<'a> {
    pub org: &'a str,
    pub words: &'a [String],
    pub limit: i64,
    pub among: Option<Vec<String>>,
}

impl Work for Search<'_> {
    type Done = Vec<ScoredSkill>;

    async fn run(&self, db: &mut PgConnection) -> Result<Self::Done, Trouble> {
        let words: Vec<String> = self.words.iter().map(|word| spread(word, WORD_BYTES_MAX)).collect();
        let rows = query(SEARCH)
            .bind(name(self.org))
            .bind(words)
            .bind(&self.among)
            .bind(weights())
            // Twice as many are weighed, which must be a number too.
            .bind(self.limit.min(i64::from(u32::MAX)))
            .fetch_all(db)
            .await?;
        let near =
            |row: &sqlx::postgres::PgRow| Ok(ScoredSkill { id: row.try_get(0)?, score: row.try_get(1)? });
        Ok(best(rows.iter().map(near).collect::<sqlx::Result<_>>()?, rows.len()))
    }
}

/// The weights of D, C, B and A, of which the greatest is 1: nothing, headings, description, name.
#[allow(clippy::cast_possible_truncation)] // they are small
fn weights() -> Vec<f32> {
    let [name, description, headings, _] = TEXT_WEIGHTS;
    [0.0, headings, description, name].iter().map(|weight| (weight / name) as f32).collect()
}
