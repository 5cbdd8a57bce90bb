//! Vectors that a process holds, since it asks again: vec0 reads all of them from the file for each search.

use super::many::RESCORED;
use super::matrix::Matrix;
use super::semantic::floats;
use rusqlite::{Connection, Result, params};
use skillc_domain::discovery::words::score_of_distance;
use skillc_domain::limits::EMBEDDING_DIMENSIONS;
use skillc_ports::SkillIndexVersion;
use skillc_ports::skill_index::{Candidates, ScoredSkill, best, counts};

/// Components that are taken at once, so that the compiler makes vector instructions of it.
const LANES: usize = 16;

/// The last search, and the vectors of its model once there was a second one like it.
#[derive(Default)]
pub struct Held {
    asked: Option<(SkillIndexVersion, String)>,
    vectors: Option<Vectors>,
}

struct Vectors {
    ids: Vec<String>,
    components: Vec<f32>,
    /// By their places in both.
    codes: Matrix,
}

impl Held {
    /// The nearest of a model's vectors that count; `None` for the first question about a state of the index.
    pub fn nearest(
        &mut self,
        db: &Connection,
        version: SkillIndexVersion,
        model: &str,
        vector: &[f32],
        limit: usize,
        among: Candidates<'_>,
    ) -> Result<Option<Vec<ScoredSkill>>> {
        let is_again = self.asked.as_ref().is_some_and(|(v, m)| *v == version && m == model);
        if !is_again {
            *self = Self { asked: Some((version, model.to_owned())), vectors: None };
            return Ok(None);
        }
        let vectors = match &mut self.vectors {
            Some(vectors) => vectors,
            none => none.insert(Vectors::read(db, model)?),
        };
        Ok(Some(vectors.nearest(vector, limit, among)))
    }
}

impl Vectors {
    fn read(db: &Connection, model: &str) -> Result<Self> {
        let mut all = db.prepare_cached(
            "SELECT v.skill_id, e.embedding FROM skill_vectors AS v
             JOIN skill_embeddings AS e ON e.skill_id = v.skill_id WHERE v.model = ?1",
        )?;
        let mut vectors = Self { ids: Vec::new(), components: Vec::new(), codes: Matrix::default() };
        let mut rows = all.query(params![model])?;
        while let Some(row) = rows.next()? {
            let vector = floats(row.get_ref(1)?.as_blob()?);
            vectors.codes.push(i64::try_from(vectors.ids.len()).unwrap_or(i64::MAX), &vector);
            vectors.ids.push(row.get(0)?);
            vectors.components.extend(vector);
        }
        Ok(vectors)
    }

    /// By the codes first, which are a quarter to read, and then exactly.
    fn nearest(&self, vector: &[f32], limit: usize, among: Candidates<'_>) -> Vec<ScoredSkill> {
        let own = self.components.as_chunks::<EMBEDDING_DIMENSIONS>().0;
        let mut asked = limit.saturating_add(RESCORED);
        loop {
            let rows = self.codes.nearest(vector, asked);
            let at = rows.iter().filter_map(|row| usize::try_from(*row).ok());
            let found: Vec<ScoredSkill> = at
                .filter(|at| counts(among, &self.ids[*at]))
                .map(|at| {
                    let distance = f64::from(square_distance(&own[at], vector)).sqrt();
                    ScoredSkill { id: self.ids[at].clone(), score: score_of_distance(distance) }
                })
                .collect();
            if found.len() >= limit || rows.len() == self.codes.len() {
                return best(found, limit);
            }
            asked = asked.saturating_mul(8);
        }
    }
}

fn square_distance(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; LANES];
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += (a - b) * (a - b);
        }
    }
    sums.iter().sum()
}
