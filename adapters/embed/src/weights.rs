//! Reads the tensors of a safetensors file.

use serde::Deserialize;
use std::collections::HashMap;
use std::io::{self, Read};

/// Maximum bytes of the header; that of all-MiniLM-L6-v2 has 11,408.
const HEADER_BYTES_MAX: u64 = 1024 * 1024;

/// Bytes of the largest tensor of all-MiniLM-L6-v2, the word embeddings: 30,522 × 384 × 4.
const TENSOR_BYTES_EXPECTED: u64 = 46_881_792;

/// Columns transposed at a time: the numbers in one cache line.
const BLOCK_COLUMNS: usize = 16;

/// A tensor of `f32` in row-major order, little-endian.
pub(crate) struct Weight {
    /// Sizes, outermost first.
    pub(crate) shape: Vec<usize>,
    /// Four per number.
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

/// Reads all `f32` tensors by name, one after the other, so that memory never exceeds the model's size.
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
    let (mut weights, mut at) = (HashMap::new(), 0);
    for (name, entry) in entries {
        let (start, end) = entry.data_offsets;
        if start != at || end < start {
            return Err(invalid("the tensors do not follow one another"));
        }
        let bytes = bytes(&mut file, end - start)?;
        at = end;
        if entry.dtype == "F32" {
            if entry.shape.iter().product::<usize>() * size_of::<f32>() != bytes.len() {
                return Err(invalid("a tensor is not as long as its shape"));
            }
            weights.insert(name, Weight { shape: entry.shape, bytes });
        }
    }
    Ok(weights)
}

/// Reads `length` bytes; a false length allocates no more at once than a true one.
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
    /// Exchanges rows and columns: linear layers are stored with one row per output.
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
