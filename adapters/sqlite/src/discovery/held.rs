//! Vectors that a process holds, since it asks again: vec0 reads all of them from the file for each search.

use super::semantic::floats;
use rusqlite::{Connection, Result, params};
use skillc_domain::discovery::words::score_of_distance;
use skillc_domain::limits::EMBEDDING_DIMENSIONS;
use skillc_ports::DirectoryVersion;
use skillc_ports::directory::{Among, Nearby, best, counts};

/// Components that are taken at once, so that the compiler makes vector instructions of it.
const LANES: usize = 16;

/// The last search, and the vectors of its model once there was a second one like it.
#[derive(Default)]
pub struct Held {
    asked: Option<(DirectoryVersion, String)>,
    vectors: Option<Vectors>,
}

struct Vectors {
    ids: Vec<String>,
    components: Vec<f32>,
}

impl Held {
    /// The nearest of a model's vectors that count; `None` for the first question about a state of the directory.
    pub fn nearest(
        &mut self,
        db: &Connection,
        version: DirectoryVersion,
        model: &str,
        vector: &[f32],
        limit: usize,
        among: Among<'_>,
    ) -> Result<Option<Vec<Nearby>>> {
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
        let mut vectors = Self { ids: Vec::new(), components: Vec::new() };
        let mut rows = all.query(params![model])?;
        while let Some(row) = rows.next()? {
            vectors.ids.push(row.get(0)?);
            vectors.components.extend(floats(row.get_ref(1)?.as_blob()?));
        }
        Ok(vectors)
    }

    fn nearest(&self, vector: &[f32], limit: usize, among: Among<'_>) -> Vec<Nearby> {
        let own = self.components.as_chunks::<EMBEDDING_DIMENSIONS>().0;
        let mut near: Vec<(f32, usize)> =
            own.iter().map(|own| square_distance(own, vector)).zip(0..).collect();
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut found: Vec<Nearby> = Vec::new();
        let mut last = f32::INFINITY;
        for (square, at) in near {
            // Those as near as the last one go by id.
            if found.len() >= limit && square > last {
                break;
            }
            let id = &self.ids[at];
            if counts(among, id) {
                last = square;
                found.push(Nearby { id: id.clone(), score: score_of_distance(f64::from(square.sqrt())) });
            }
        }
        best(found, limit)
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
