//! Many vectors in one block of bytes: a component in eight bits, with one scale a vector. Comparing them all reads a
//! quarter of what `f32` takes; the order of the best is made exact by their vectors afterwards.

use skillc_domain::limits::EMBEDDING_DIMENSIONS;

/// Begins a file.
const MAGIC: [u8; 8] = *b"SKCVEC1\0";
/// Largest code of a component.
const CODE_MAX: f32 = 127.0;
/// Components that are multiplied at once.
const LANES: usize = 32;

/// Vectors with the rows that they belong to.
#[derive(Default)]
pub struct Matrix {
    rows: Vec<i64>,
    scales: Vec<f32>,
    codes: Vec<i8>,
}

impl Matrix {
    /// Adds a vector.
    pub fn push(&mut self, row: i64, vector: &[f32]) {
        self.rows.push(row);
        self.scales.push(encode(vector, &mut self.codes));
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The rows of the vectors that are nearest, about: best first, at most `limit`.
    pub fn nearest(&self, vector: &[f32], limit: usize) -> Vec<i64> {
        let mut query = Vec::with_capacity(EMBEDDING_DIMENSIONS);
        // The scale of the query is the same for all.
        encode(vector, &mut query);
        let vectors = self.codes.chunks_exact(EMBEDDING_DIMENSIONS);
        let mut scored: Vec<(f32, usize)> = vectors
            .zip(&self.scales)
            .enumerate()
            .map(|(at, (codes, scale))| (product(codes, &query) * scale, at))
            .collect();
        let limit = limit.min(scored.len());
        if limit == 0 {
            return Vec::new();
        }
        let better = |a: &(f32, usize), b: &(f32, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        scored.select_nth_unstable_by(limit - 1, better);
        scored.truncate(limit);
        scored.sort_unstable_by(better);
        scored.into_iter().map(|(_, at)| self.rows[at]).collect()
    }

    /// As a file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(u64::try_from(self.rows.len()).unwrap_or_default().to_le_bytes());
        self.rows.iter().for_each(|row| bytes.extend(row.to_le_bytes()));
        self.scales.iter().for_each(|scale| bytes.extend(scale.to_le_bytes()));
        bytes.extend(self.codes.iter().map(|code| code.cast_unsigned()));
        bytes
    }

    /// Back from a file; `None` for anything else.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(&MAGIC)?;
        let (count, rest) = rest.split_first_chunk::<8>()?;
        let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
        let (rows, rest) = rest.split_at_checked(count.checked_mul(8)?)?;
        let (scales, codes) = rest.split_at_checked(count.checked_mul(4)?)?;
        if codes.len() != count.checked_mul(EMBEDDING_DIMENSIONS)? {
            return None;
        }
        Some(Self {
            rows: rows.as_chunks::<8>().0.iter().map(|row| i64::from_le_bytes(*row)).collect(),
            scales: scales.as_chunks::<4>().0.iter().map(|scale| f32::from_le_bytes(*scale)).collect(),
            codes: codes.iter().map(|code| code.cast_signed()).collect(),
        })
    }
}

/// Adds the codes of a vector; its scale.
#[allow(clippy::cast_possible_truncation)] // rounded, and between −127 and 127
fn encode(vector: &[f32], codes: &mut Vec<i8>) -> f32 {
    let largest = vector.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
    let scale = if largest > 0.0 { largest / CODE_MAX } else { 1.0 };
    codes.extend(vector.iter().map(|x| (x / scale).round() as i8));
    scale
}

/// The scalar product of codes; the compiler makes vector instructions of the inner loop.
#[allow(clippy::cast_precision_loss)] // at most 384 × 127², which `f32` holds exactly
fn product(a: &[i8], b: &[i8]) -> f32 {
    let mut sum = 0i32;
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        sum += a.iter().zip(b).map(|(a, b)| i32::from(i16::from(*a) * i16::from(*b))).sum::<i32>();
    }
    sum as f32
}

/// Tells a file from a damaged one; four lanes, so that it takes no longer than reading.
pub fn checksum(bytes: &[u8]) -> i64 {
    let mut lanes = [0u64; 4];
    let (blocks, rest) = bytes.as_chunks::<32>();
    for block in blocks {
        for (lane, word) in lanes.iter_mut().zip(block.as_chunks::<8>().0) {
            *lane = lane.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(u64::from_le_bytes(*word));
        }
    }
    let start = u64::try_from(bytes.len()).unwrap_or_default();
    let tail = rest.iter().fold(start, |sum, byte| sum.wrapping_mul(257).wrapping_add(u64::from(*byte)));
    lanes.iter().fold(tail, |sum, lane| sum.rotate_left(17) ^ lane).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(seed: usize) -> Vec<f32> {
        // Scattered by a multiplication, so that no two seeds give nearly the same.
        let component = |i: usize| {
            let at = u32::try_from(seed * EMBEDDING_DIMENSIONS + i + 1).unwrap();
            f32::from((at.wrapping_mul(2_654_435_761) >> 16) as u16) / 32_768.0 - 1.0
        };
        let raw: Vec<f32> = (0..EMBEDDING_DIMENSIONS).map(component).collect();
        let length = raw.iter().map(|x| x * x).sum::<f32>().sqrt();
        raw.iter().map(|x| x / length).collect()
    }

    #[test]
    fn a_vector_is_nearest_to_itself_also_after_a_file() {
        let mut matrix = Matrix::default();
        (0..200).for_each(|row| matrix.push(row, &vector(row as usize)));
        let again = Matrix::from_bytes(&matrix.bytes()).unwrap();
        assert_eq!(again.len(), 200);
        for row in [0, 77, 199] {
            assert_eq!(again.nearest(&vector(row), 3)[0], row as i64);
        }
        assert!(
            again.nearest(&vector(0), 0).is_empty() && Matrix::default().nearest(&vector(0), 5).is_empty()
        );
    }

    #[test]
    fn damage_shows() {
        let mut matrix = Matrix::default();
        matrix.push(1, &vector(1));
        let bytes = matrix.bytes();
        assert!(Matrix::from_bytes(&bytes[..bytes.len() - 1]).is_none());
        assert!(Matrix::from_bytes(b"").is_none() && Matrix::from_bytes(&[255; 40]).is_none());
        for at in [9, 20, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert_ne!(checksum(&damaged), checksum(&bytes), "{at}");
        }
    }
}
