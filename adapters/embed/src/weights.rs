//! Reads the tensors of a safetensors file.

use serde::Deserialize;
use std::collections::HashMap;
use std::io::{self, Read};

/// Maximum size in bytes of the header; all-MiniLM-L6-v2 has one of 11,408.
const HEADER_BYTES_MAX: u64 = 1024 * 1024;

/// Suffix of the tensor with the scales of an `I8` tensor's rows.
const SCALE: &str = ".scale";

/// Size in bytes of the largest tensor of all-MiniLM-L6-v2, the word embeddings: 30,522 × 384 × 4.
const TENSOR_BYTES_EXPECTED: u64 = 46_881_792;

/// Number of columns transposed at a time: the numbers in one cache line.
const BLOCK_COLUMNS: usize = 16;

/// A tensor of `f32` in row-major order, little-endian.
pub(crate) struct Weight {
    /// Dimensions, outermost first.
    pub(crate) shape: Vec<usize>,
    /// Four bytes per number.
    pub(crate) bytes: Vec<u8>,
}

#[derive(Deserialize)]
struct TensorEntry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (u64, u64),
}

#[derive(Deserialize)]
struct Header {
    #[serde(rename = "__metadata__", default)]
    _metadata: serde::de::IgnoredAny,
    #[serde(flatten)]
    entries: HashMap<String, TensorEntry>,
}

/// Reads all numeric tensors by name, as `f32`, one at a time, so that memory never exceeds the model's size.
///
/// A tensor `NAME` of `I8` has one scale for each row in the `F32` tensor `NAME.scale`. Tensors of other types are
/// skipped.
pub(crate) fn read(mut file: impl Read) -> io::Result<HashMap<String, Weight>> {
    let mut length = [0; 8];
    file.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > HEADER_BYTES_MAX {
        return Err(invalid("the header is too long"));
    }
    let header: Header = serde_json::from_slice(&bytes(&mut file, length)?)?;
    let mut entries: Vec<(String, TensorEntry)> = header.entries.into_iter().collect();
    entries.sort_by_key(|(_, entry)| entry.data_offsets);
    let (mut weights, mut rounded, mut at) = (HashMap::new(), Vec::new(), 0);
    for (name, entry) in entries {
        let (start, end) = entry.data_offsets;
        if start != at || end < start {
            return Err(invalid("the tensors are not contiguous"));
        }
        let bytes = bytes(&mut file, end - start)?;
        at = end;
        let tensor = Weight { shape: entry.shape, bytes };
        match entry.dtype.as_str() {
            "F32" if tensor.is_of(size_of::<f32>()) => drop(weights.insert(name, tensor)),
            "I8" if tensor.is_of(size_of::<i8>()) => rounded.push((name, tensor)),
            "F32" | "I8" => return Err(invalid("the length of a tensor does not match its shape")),
            _ => {}
        }
    }
    for (name, tensor) in rounded {
        let scales = weights.remove(&format!("{name}{SCALE}"));
        let scales = scales.ok_or_else(|| invalid("an integer tensor has no scales"))?;
        weights.insert(name, tensor.scaled(&scales)?);
    }
    Ok(weights)
}

/// Reads `length` bytes. A forged length does not cause a larger allocation than a real one.
fn bytes(file: &mut impl Read, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(length.min(TENSOR_BYTES_EXPECTED) as usize);
    file.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(bytes)
}

fn invalid(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

impl Weight {
    /// Whether it contains as many numbers of this size as its shape says.
    fn is_of(&self, bytes: usize) -> bool {
        let count = self.shape.iter().try_fold(bytes, |count, size| count.checked_mul(*size));
        count == Some(self.bytes.len())
    }

    /// Converts a tensor of `i8` to `f32`: multiplies each row by its scale.
    fn scaled(self, scales: &Self) -> io::Result<Self> {
        let [rows, columns] = self.shape[..] else { return Err(invalid("an integer tensor has no rows")) };
        if scales.shape != [rows] || columns == 0 {
            return Err(invalid("an integer tensor does not have a scale for each row"));
        }
        let mut bytes = Vec::with_capacity(self.bytes.len() * size_of::<f32>());
        let scales = scales.bytes.as_chunks().0.iter().map(|scale| f32::from_le_bytes(*scale));
        for (row, scale) in self.bytes.chunks_exact(columns).zip(scales) {
            for number in row {
                let number = f32::from(number.cast_signed()) * scale;
                bytes.extend_from_slice(&number.to_le_bytes());
            }
        }
        Ok(Self { shape: self.shape, bytes })
    }

    /// Swaps rows and columns: linear layers are stored with one row per output.
    pub(crate) fn transposed(self) -> Self {
        let [rows, columns] = self.shape[..] else { return self };
        let mut bytes = vec![0; self.bytes.len()];
        // Blocks of columns use each cache line fully.
        for block in (0..columns).step_by(BLOCK_COLUMNS) {
            for row in 0..rows {
                for column in block..columns.min(block + BLOCK_COLUMNS) {
                    let (from, to) = ((row * columns + column) * 4, (column * rows + row) * 4);
                    bytes[to..to + 4].copy_from_slice(&self.bytes[from..from + 4]);
                }
            }
        }
        Self { shape: vec![columns, rows], bytes }
    }

    /// Keeps only the first row.
    pub(crate) fn first_row(mut self) -> Self {
        let columns = self.shape.last().copied().unwrap_or_default();
        self.bytes.truncate(columns * 4);
        Self { shape: vec![columns], bytes: self.bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, numbers: &[f32]) -> Vec<u8> {
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend_from_slice(header.as_bytes());
        file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        file
    }

    fn numbers(weight: &Weight) -> Vec<f32> {
        weight.bytes.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
    }

    const TWO: &str = r#"{"__metadata__":{"format":"pt"},"b":{"dtype":"F32","shape":[2],"data_offsets":[24,32]},
        "a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}"#;

    #[test]
    fn tensors_are_read_by_their_offsets() {
        let mut weights = read(&file(TWO, &[1., 2., 3., 4., 5., 6., 7., 8.])[..]).unwrap();
        assert_eq!(numbers(&weights["b"]), [7., 8.]);
        let a = weights.remove("a").unwrap().transposed();
        assert_eq!((a.shape.as_slice(), numbers(&a)), (&[3, 2][..], vec![1., 4., 2., 5., 3., 6.]));
        assert_eq!(numbers(&a.first_row()), [1., 4.]);
    }

    /// A file with these bytes after the header.
    fn rounded(header: &str, bytes: &[u8]) -> Vec<u8> {
        [file(header, &[]), bytes.to_vec()].concat()
    }

    /// RFC-0013:C-VECTORS
    #[test]
    fn integers_are_read_as_their_row_times_its_scale() {
        let header = r#"{"a":{"dtype":"I8","shape":[2,3],"data_offsets":[0,6]},
            "a.scale":{"dtype":"F32","shape":[2],"data_offsets":[6,14]},
            "b":{"dtype":"F32","shape":[1],"data_offsets":[14,18]},
            "n":{"dtype":"I64","shape":[1],"data_offsets":[18,26]}}"#;
        let mut bytes: Vec<u8> = [1i8, -2, 127, -127, 0, 4].map(i8::cast_unsigned).to_vec();
        bytes.extend([0.5f32, 0.25, 9.0].iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend(7u64.to_le_bytes());
        let weights = read(&rounded(header, &bytes)[..]).unwrap();
        assert_eq!(numbers(&weights["a"]), [0.5, -1.0, 63.5, -31.75, 0.0, 1.0]);
        assert_eq!((weights["a"].shape.as_slice(), weights.len()), (&[2, 3][..], 2));
    }

    /// RFC-0013:C-VECTORS
    #[test]
    fn integers_without_a_scale_for_each_row_are_an_error() {
        let a = r#""a":{"dtype":"I8","shape":[2,2],"data_offsets":[0,4]}"#;
        for other in [
            r#""b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}"#,
            r#""a.scale":{"dtype":"F32","shape":[1,2],"data_offsets":[4,12]}"#,
            r#""a.scale":{"dtype":"I8","shape":[2,4],"data_offsets":[4,12]}"#,
        ] {
            assert!(read(&rounded(&format!("{{{a},{other}}}"), &[0; 12])[..]).is_err(), "{other}");
        }
        let huge = r#"{"a":{"dtype":"I8","shape":[9223372036854775807,9],"data_offsets":[0,4]}}"#;
        assert!(read(&rounded(huge, &[0; 4])[..]).is_err());
    }

    #[test]
    fn a_file_that_is_cut_off_or_lies_is_an_error() {
        let whole = file(TWO, &[0.; 8]);
        for length in 0..whole.len() {
            assert!(read(&whole[..length]).is_err(), "{length}");
        }
        for header in [
            r#"{"a":{"dtype":"F32","shape":[9],"data_offsets":[0,8]}}"#,
            r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}"#,
            r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,18446744073709551615]}}"#,
            "[]",
        ] {
            assert!(read(&file(header, &[0.; 8])[..]).is_err(), "{header}");
        }
        assert!(read(&[255; 16][..]).is_err());
    }
}
