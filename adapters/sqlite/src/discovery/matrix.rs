//! Vectors in memory: one byte per component to compare all of them, a quarter of the memory of `f32`, and, if the
//! index has them, `f32` to rank the best ones exactly.

use super::coded::{self, CodedVector};
use skillc_domain::discovery::words::score_of_distance;
use skillc_domain::limits::EMBEDDING_DIMENSIONS;
use skillc_ports::skill_index::{Candidates, ScoredSkill, best, counts};

/// The largest code of a component.
const CODE_MAX: f32 = 127.0;
/// Number of codes multiplied at once, so that the compiler emits vector instructions.
const CODE_LANES: usize = 32;
/// Number of `f32` values multiplied at once.
const LANES: usize = 16;
/// Number of vectors beyond the limit that are compared exactly, since eight bits may swap near ties.
const RESCORED: usize = 100;
/// Factor by which the number of exact comparisons grows if too few of the vectors are candidates.
const WIDER: usize = 8;

/// Vectors of `EMBEDDING_DIMENSIONS` components, each with the id of its skill. All of them were added in the same
/// form.
#[derive(Default)]
pub struct Matrix {
    ids: Vec<String>,
    /// Empty if the index stores codes alone.
    components: Vec<f32>,
    scales: Vec<f32>,
    codes: Vec<i8>,
    /// Places in the order of their ids.
    by_id: Vec<usize>,
}

impl Matrix {
    /// Adds a vector.
    pub fn push(&mut self, id: String, vector: &[f32]) {
        self.ids.push(id);
        self.scales.push(encode(vector, &mut self.codes));
        self.components.extend(vector);
    }

    /// Adds a vector that is stored as codes.
    pub fn push_coded(&mut self, id: String, vector: &CodedVector) {
        self.ids.push(id);
        self.scales.push(vector.scale);
        self.codes.extend(vector.codes);
    }

    /// Makes vectors findable by id, after all of them were added.
    pub fn sort_ids(&mut self) {
        self.by_id = (0..self.ids.len()).collect();
        self.by_id.sort_unstable_by(|a, b| self.ids[*a].cmp(&self.ids[*b]));
    }

    /// The similarity of the vector of a skill; `None` if it has none.
    pub fn similarity(&self, id: &str, vector: &[f32]) -> Option<f64> {
        let found = self.by_id.binary_search_by(|at| self.ids[*at].as_str().cmp(id)).ok()?;
        Some(self.similarity_at(self.by_id[found], vector))
    }

    /// The similarity of a vector, with the precision in which it is stored.
    fn similarity_at(&self, at: usize, vector: &[f32]) -> f64 {
        match self.components.as_chunks::<EMBEDDING_DIMENSIONS>().0.get(at) {
            Some(own) => similarity(own, vector),
            None => {
                let codes = &self.codes.as_chunks::<EMBEDDING_DIMENSIONS>().0[at];
                similarity_of_codes(self.scales[at], codes, vector)
            }
        }
    }

    /// The candidates with the nearest vectors, best first, then by id; at most `limit`.
    pub fn nearest(&self, vector: &[f32], limit: usize, candidates: Candidates<'_>) -> Vec<ScoredSkill> {
        let ranked = self.ranked(vector);
        let mut compared = limit.saturating_add(RESCORED);
        loop {
            let first = ranked(compared);
            let count = first.len();
            let found: Vec<ScoredSkill> = first
                .into_iter()
                .filter(|at| counts(candidates, &self.ids[*at]))
                .map(|at| ScoredSkill::new(self.ids[at].clone(), self.similarity_at(at, vector)))
                .collect();
            if found.len() >= limit || count == self.ids.len() {
                return best(found, limit);
            }
            compared = compared.saturating_mul(WIDER);
        }
    }

    /// Ranks all vectors by their codes. The returned function yields the indexes of the best ones, at most as many
    /// as requested.
    fn ranked(&self, vector: &[f32]) -> impl Fn(usize) -> Vec<usize> {
        let mut query = Vec::with_capacity(EMBEDDING_DIMENSIONS);
        // The scale of the query is the same for all vectors.
        encode(vector, &mut query);
        let codes = self.codes.chunks_exact(EMBEDDING_DIMENSIONS).zip(&self.scales);
        let scores: Vec<f32> = codes.map(|(codes, scale)| product(codes, &query) * scale).collect();
        move |limit| {
            let mut places: Vec<usize> = (0..scores.len()).collect();
            if limit < places.len() {
                places.select_nth_unstable_by(limit, |a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
                places.truncate(limit);
            }
            places
        }
    }
}

/// Appends the codes of a vector; returns its scale.
#[allow(clippy::cast_possible_truncation)] // rounded, and between −127 and 127
fn encode(vector: &[f32], codes: &mut Vec<i8>) -> f32 {
    let largest = vector.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
    let scale = if largest > 0.0 { largest / CODE_MAX } else { 1.0 };
    codes.extend(vector.iter().map(|x| (x / scale).round() as i8));
    scale
}

/// The scalar product of codes.
#[allow(clippy::cast_precision_loss)] // at most 384 × 127², which `f32` holds exactly
fn product(a: &[i8], b: &[i8]) -> f32 {
    let mut sum = 0i32;
    for (a, b) in a.as_chunks::<CODE_LANES>().0.iter().zip(b.as_chunks::<CODE_LANES>().0) {
        sum += a.iter().zip(b).map(|(a, b)| i32::from(i16::from(*a) * i16::from(*b))).sum::<i32>();
    }
    sum as f32
}

/// How near two unit vectors are.
pub fn similarity(a: &[f32], b: &[f32]) -> f64 {
    score_of_distance(f64::from(square_distance(a, b)).sqrt())
}

/// How near a vector that is stored as codes is.
pub fn similarity_of_codes(scale: f32, codes: &[i8], vector: &[f32]) -> f64 {
    f64::from(scale * coded::product(codes, vector)).clamp(0.0, 1.0)
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn vector(seed: usize) -> Vec<f32> {
        // Scattered by a multiplication, so that similar seeds yield different vectors.
        let component = |i: usize| {
            let at = u32::try_from(seed * EMBEDDING_DIMENSIONS + i + 1).unwrap();
            f32::from((at.wrapping_mul(2_654_435_761) >> 16) as u16) / 32_768.0 - 1.0
        };
        let raw: Vec<f32> = (0..EMBEDDING_DIMENSIONS).map(component).collect();
        let length = raw.iter().map(|x| x * x).sum::<f32>().sqrt();
        raw.iter().map(|x| x / length).collect()
    }

    #[test]
    fn a_vector_is_nearest_to_itself_and_those_that_do_not_count_are_passed_over() {
        let mut matrix = Matrix::default();
        (0..2_000).for_each(|row| matrix.push(format!("s{row}"), &vector(row)));
        matrix.sort_ids();
        for row in [0, 77, 1_999] {
            assert_eq!(matrix.nearest(&vector(row), 3, None)[0].id, format!("s{row}"));
        }
        assert_eq!(matrix.similarity("s77", &vector(77)), Some(1.0));
        assert_eq!(matrix.similarity("s2000", &vector(77)), None);
        let last = HashSet::from(["s1999"]);
        assert_eq!(matrix.nearest(&vector(0), 3, Some(&last)).len(), 1);
        assert!(Matrix::default().nearest(&vector(0), 5, None).is_empty());
    }
}
