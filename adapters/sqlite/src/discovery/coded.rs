//! Vectors with five bits per component and one scale, the form in which the index stores those of `skills` (adr/0050).

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use skillc_domain::limits::EMBEDDING_DIMENSIONS;

/// Bits of a stored component.
const BITS: usize = 5;
/// Number of levels on each side of zero.
const LEVELS: f32 = 16.0;
/// Components that are packed together: eight of five bits fill five bytes.
const GROUP: usize = 8;
/// Bytes of a stored group.
const GROUP_BYTES: usize = GROUP * BITS / 8;
/// Bytes of the scale, a little-endian `f32`, at the start of a stored vector.
const SCALE_BYTES: usize = 4;
/// Bytes of a stored vector.
const BYTES: usize = SCALE_BYTES + EMBEDDING_DIMENSIONS / GROUP * GROUP_BYTES;

/// A vector whose components are odd numbers from −31 to 31, times a scale. The numbers are odd because the levels are
/// then symmetric and none is zero, which loses less than 31 levels around zero. The scale is chosen so that a vector
/// finds itself with the score 1; the scale with the smallest error would make all scores a little too low.
///
/// Odd numbers, because the levels are symmetric and none of them is zero, which loses less than 31 levels around zero
/// do. The scale makes a vector find itself with the score 1; the scale of the smallest error would make all scores a
/// little too low.
#[derive(Debug, PartialEq)]
pub struct CodedVector {
    pub scale: f32,
    pub codes: [i8; EMBEDDING_DIMENSIONS],
}

impl CodedVector {
    /// Rounds the components of a vector of length one.
    pub fn new(vector: &[f32]) -> Self {
        let largest = vector.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
        let mut codes = [1; EMBEDDING_DIMENSIONS];
        if largest > 0.0 {
            codes.iter_mut().zip(vector).for_each(|(code, x)| *code = odd(x * LEVELS / largest));
        }
        let own = product(&codes, vector);
        Self { scale: if own > 0.0 { 1.0 / own } else { 0.0 }, codes }
    }

    /// The stored form.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.scale.to_le_bytes().to_vec();
        for group in self.codes.as_chunks::<GROUP>().0 {
            let packed = group.iter().rev().fold(0u64, |packed, code| packed << BITS | level(*code));
            bytes.extend(&packed.to_le_bytes()[..GROUP_BYTES]);
        }
        bytes
    }

    /// The vector with this stored form; `None` if it has another length.
    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let (scale, groups) = bytes.split_first_chunk::<SCALE_BYTES>().filter(|_| bytes.len() == BYTES)?;
        let mut codes = [0; EMBEDDING_DIMENSIONS];
        let groups = groups.as_chunks::<GROUP_BYTES>().0;
        for (codes, group) in codes.as_chunks_mut::<GROUP>().0.iter_mut().zip(groups) {
            let mut packed = [0; 8];
            packed[..GROUP_BYTES].copy_from_slice(group);
            let packed = u64::from_le_bytes(packed);
            codes.iter_mut().enumerate().for_each(|(at, code)| *code = code_of(packed >> (at * BITS)));
        }
        Some(Self { scale: f32::from_le_bytes(*scale), codes })
    }
}

impl ToSql for CodedVector {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.to_bytes().into())
    }
}

impl FromSql for CodedVector {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let bytes = value.as_blob()?;
        let wrong = FromSqlError::InvalidBlobSize { expected_size: BYTES, blob_size: bytes.len() };
        Self::of_bytes(bytes).ok_or(wrong)
    }
}

/// The odd number nearest to twice a value, within the levels.
#[allow(clippy::cast_possible_truncation)] // a whole number between −31 and 31
fn odd(value: f32) -> i8 {
    (value.floor().clamp(-LEVELS, LEVELS - 1.0) * 2.0 + 1.0) as i8
}

/// The five bits of an odd number: 0 for −31, 31 for 31.
fn level(code: i8) -> u64 {
    u64::from((code + 31).unsigned_abs() / 2)
}

/// The odd number of the lowest five bits.
#[allow(clippy::cast_possible_truncation)] // between 0 and 31
fn code_of(bits: u64) -> i8 {
    (bits & 31) as i8 * 2 - 31
}

/// The scalar product of codes and a vector.
pub fn product(codes: &[i8], vector: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0.0f32; LANES];
    for (codes, xs) in codes.as_chunks::<LANES>().0.iter().zip(vector.as_chunks::<LANES>().0) {
        for ((sum, code), x) in sums.iter_mut().zip(codes).zip(xs) {
            *sum += f32::from(*code) * x;
        }
    }
    sums.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(component: impl Fn(usize) -> f32) -> Vec<f32> {
        let raw: Vec<f32> = (0..EMBEDDING_DIMENSIONS).map(component).collect();
        let length = raw.iter().map(|x| x * x).sum::<f32>().sqrt();
        raw.iter().map(|x| x / length).collect()
    }

    #[test]
    fn every_level_survives_the_stored_form() {
        let codes = std::array::from_fn(|at| code_of(at as u64));
        assert_eq!((codes[0], codes[15], codes[16], codes[31], codes[32]), (-31, -1, 1, 31, -31));
        let coded = CodedVector { scale: 0.25, codes };
        let bytes = coded.to_bytes();
        assert_eq!(bytes.len(), 244);
        assert_eq!(CodedVector::of_bytes(&bytes), Some(coded));
    }

    #[test]
    fn a_stored_form_of_another_length_is_no_vector() {
        let bytes = CodedVector::new(&unit(|_| 1.0)).to_bytes();
        assert_eq!(CodedVector::of_bytes(&bytes[1..]), None);
        assert_eq!(CodedVector::of_bytes(&[bytes, vec![0]].concat()), None);
        assert_eq!(CodedVector::of_bytes(&[]), None);
    }

    #[test]
    fn a_vector_finds_itself_and_its_opposite() {
        for vector in
            [unit(|at| (at as f32).sin()), unit(|at| if at == 7 { 1.0 } else { 0.0 }), unit(|_| -1.0)]
        {
            let coded = CodedVector::new(&vector);
            let opposite: Vec<f32> = vector.iter().map(|x| -x).collect();
            assert!((coded.scale * product(&coded.codes, &vector) - 1.0).abs() < 1e-6);
            assert!((coded.scale * product(&coded.codes, &opposite) + 1.0).abs() < 1e-6);
        }
        assert_eq!(CodedVector::new(&[0.0; EMBEDDING_DIMENSIONS]).scale, 0.0);
    }
}
