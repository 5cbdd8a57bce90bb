//! Digests, and the input of a skill's source hash.

use crate::path::RelPath;
use std::fmt;

/// A SHA-256 digest of 32 bytes, displayed as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// Parses 64 hexadecimal digits; `None` for anything else.
    pub fn from_hex(hex: &str) -> Option<Self> {
        let digits = hex.as_bytes();
        if digits.len() != 64 {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = nibble(pair[0])? << 4 | nibble(pair[1])?;
        }
        Some(Self(bytes))
    }

    /// The first 16 hexadecimal digits, as in names of index files (RFC-0004:C-INDEX).
    pub fn hash16(&self) -> String {
        self.to_string()[..16].to_owned()
    }
}

/// The value of a hexadecimal digit.
fn nibble(digit: u8) -> Option<u8> {
    let value = char::from(digit).to_digit(16)?;
    u8::try_from(value).ok()
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.iter().flat_map(|byte| hex_digits(*byte));
        f.write_str(&digits.map(char::from).collect::<String>())
    }
}

/// The two hexadecimal digits of a byte.
fn hex_digits(byte: u8) -> [u8; 2] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]
}

/// The digest of a file in a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileDigest {
    /// SHA-256 of the content.
    Content(Digest),
    /// The system denies access to the file: it is part of the skill, but its content is not.
    Unreadable,
}

impl FileDigest {
    /// The bytes of an unreadable file in indexes and source hashes.
    const UNREADABLE: [u8; 32] = [0; 32];

    /// The 32 bytes that an index and a source hash record.
    pub fn bytes(self) -> [u8; 32] {
        match self {
            Self::Content(digest) => digest.0,
            Self::Unreadable => Self::UNREADABLE,
        }
    }

    /// The digest with these recorded bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        if bytes == Self::UNREADABLE { Self::Unreadable } else { Self::Content(Digest(bytes)) }
    }
}

/// The input of a skill's source hash: `path NUL sha256-hex LF` for each file, sorted by path.
///
/// Paths contain no NUL and digests have a fixed length, so different trees always have different inputs.
pub fn source_hash_input<'a>(sorted: impl Iterator<Item = (&'a RelPath, FileDigest)>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (path, digest) in sorted {
        bytes.extend_from_slice(path.as_str().as_bytes());
        bytes.push(0);
        for byte in digest.bytes() {
            bytes.extend_from_slice(&hex_digits(byte));
        }
        bytes.push(b'\n');
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_comes_back_from_its_hex() {
        let digest = Digest(std::array::from_fn(|i| i as u8 * 7));
        assert_eq!(Digest::from_hex(&digest.to_string()), Some(digest));
        assert_eq!(Digest::from_hex("zz"), None);
        assert_eq!(Digest::from_hex(&"é".repeat(32)), None);
        assert_eq!(Digest::from_hex(&"+1".repeat(32)), None);
        assert_eq!(Digest::from_hex(&"aF".repeat(32)).unwrap().to_string(), "af".repeat(32));
        assert_eq!(digest.hash16().len(), 16);
    }

    #[test]
    fn a_file_digest_comes_back_from_its_bytes() {
        for digest in [FileDigest::Unreadable, FileDigest::Content(Digest([7; 32]))] {
            assert_eq!(FileDigest::from_bytes(digest.bytes()), digest);
        }
    }

    /// RFC-0001:C-MANIFEST
    #[test]
    fn the_source_hash_covers_sorted_paths_and_digests() {
        let (a, b) = (RelPath::parse("a").unwrap(), RelPath::parse("b/c").unwrap());
        let files = [(&a, FileDigest::Unreadable), (&b, FileDigest::Content(Digest([255; 32])))];
        let bytes = source_hash_input(files.into_iter());
        let expected = format!("a\0{}\nb/c\0{}\n", "00".repeat(32), "ff".repeat(32));
        assert_eq!(bytes, expected.as_bytes());
    }

    #[test]
    fn the_sixteen_digits_of_a_hash_are_its_first() {
        let mut bytes = [0; 32];
        bytes[0] = 0x1f;
        bytes[7] = 0xe0;
        assert_eq!(Digest(bytes).hash16(), "1f000000000000e0");
        assert_eq!(Digest::from_hex(&format!("1f{}", "0".repeat(62))).map(|digest| digest.0[0]), Some(0x1f));
        assert_eq!([63, 65].map(|digits| Digest::from_hex(&"0".repeat(digits))), [None; 2]);
    }
}
