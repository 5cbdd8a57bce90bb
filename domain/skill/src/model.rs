//! The embedding model that skillc knows, and what can be wrong with its files.

use crate::digest::Digest;
use std::fmt;

/// A file of a model as it was published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelFile {
    /// Its name in the model's folder.
    pub name: &'static str,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its SHA-256 in hexadecimal digits.
    pub sha256: &'static str,
}

/// A published model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmbeddingModel {
    /// The name that people know it by, and that of its folder.
    pub name: &'static str,
    /// Owner and name at the hub.
    pub repository: &'static str,
    /// The commit of the hub from which it is fetched.
    pub revision: &'static str,
    /// SPDX name of the licence of its weights.
    pub licence: &'static str,
    /// Whose work it is.
    pub attribution: &'static str,
    /// What makes it up, the smallest first.
    pub files: [ModelFile; 3],
}

/// all-MiniLM-L6-v2 as its authors published it; digests and lengths are those of the hub at that commit.
pub const MINILM: EmbeddingModel = EmbeddingModel {
    name: "all-MiniLM-L6-v2",
    repository: "sentence-transformers/all-MiniLM-L6-v2",
    revision: "c9745ed1d9f207416be6d2e6f8de32d1f16199bf",
    licence: "Apache-2.0",
    attribution: "all-MiniLM-L6-v2 by the authors of sentence-transformers, based on MiniLM by Microsoft",
    files: [CONFIG, TOKENIZER, WEIGHTS],
};

/// The shape of its network.
pub const CONFIG: ModelFile = ModelFile {
    name: "config.json",
    bytes: 612,
    sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
};
/// Its word pieces.
pub const TOKENIZER: ModelFile = ModelFile {
    name: "tokenizer.json",
    bytes: 466_247,
    sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
};
/// Its weights.
pub const WEIGHTS: ModelFile = ModelFile {
    name: "model.safetensors",
    bytes: 90_868_376,
    sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
};

/// Numbers of `config.json` that make it the network that skillc computes.
pub const SHAPE: &[(&str, u64)] = &[
    ("hidden_size", 384),
    ("num_hidden_layers", 6),
    ("num_attention_heads", 12),
    ("intermediate_size", 1_536),
    ("vocab_size", 30_522),
    ("max_position_embeddings", 512),
];

impl EmbeddingModel {
    /// Bytes of all its files.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

impl ModelFile {
    /// Whether a file of this length can be it.
    ///
    /// # Errors
    /// What differs.
    pub fn check_length(&self, bytes: u64) -> Result<(), ModelFlaw> {
        match bytes.cmp(&self.bytes) {
            std::cmp::Ordering::Equal => Ok(()),
            std::cmp::Ordering::Less => {
                Err(ModelFlaw::Short { file: self.name, bytes, expected: self.bytes })
            }
            std::cmp::Ordering::Greater => {
                Err(ModelFlaw::Long { file: self.name, bytes, expected: self.bytes })
            }
        }
    }

    /// Whether a file with this digest is it.
    ///
    /// # Errors
    /// That it is another file.
    pub fn check_digest(&self, digest: Digest) -> Result<(), ModelFlaw> {
        if Digest::from_hex(self.sha256) == Some(digest) {
            return Ok(());
        }
        Err(ModelFlaw::Foreign { file: self.name })
    }
}

/// Why files are not the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelFlaw {
    /// A file is not there, or is no file.
    Missing {
        /// Its name.
        file: &'static str,
    },
    /// A file ends too early.
    Short {
        /// Its name.
        file: &'static str,
        /// Its length.
        bytes: u64,
        /// The length of the published one.
        expected: u64,
    },
    /// A file is longer than the published one.
    Long {
        /// Its name.
        file: &'static str,
        /// Its length.
        bytes: u64,
        /// The length of the published one.
        expected: u64,
    },
    /// A file has other bytes than the published one.
    Foreign {
        /// Its name.
        file: &'static str,
    },
    /// `config.json` describes another network.
    Shape {
        /// The number that differs.
        key: &'static str,
        /// What stands there; `None` where it does not stand at all.
        value: Option<u64>,
        /// What it must be.
        expected: u64,
    },
    /// Nobody compared the files with the published ones.
    Unchecked,
}

impl fmt::Display for ModelFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { file } => write!(f, "'{file}' is missing"),
            Self::Short { file, bytes, expected } => {
                write!(f, "'{file}' is cut off: it has {bytes} of {expected} bytes")
            }
            Self::Long { file, bytes, expected } => {
                write!(f, "'{file}' is another file: it has {bytes} bytes, not {expected}")
            }
            Self::Foreign { file } => write!(f, "'{file}' is not the published file: its SHA-256 differs"),
            Self::Shape { key, value: Some(value), expected } => {
                write!(f, "it is another model: 'config.json' says {key} {value}, not {expected}")
            }
            Self::Shape { key, value: None, expected } => {
                write!(f, "it is another model: 'config.json' has no {key}, which must be {expected}")
            }
            Self::Unchecked => write!(f, "its files were never compared with the published ones"),
        }
    }
}

impl std::error::Error for ModelFlaw {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_digest_of_a_published_file_can_be_read() {
        for file in MINILM.files {
            let digest = Digest::from_hex(file.sha256).unwrap();
            assert_eq!(file.check_digest(digest), Ok(()));
            assert_eq!(file.check_digest(Digest([0; 32])), Err(ModelFlaw::Foreign { file: file.name }));
        }
    }

    #[test]
    fn a_length_that_differs_says_how() {
        assert_eq!(CONFIG.check_length(612), Ok(()));
        let short = CONFIG.check_length(5).unwrap_err();
        assert_eq!(short.to_string(), "'config.json' is cut off: it has 5 of 612 bytes");
        let long = CONFIG.check_length(613).unwrap_err();
        assert_eq!(long.to_string(), "'config.json' is another file: it has 613 bytes, not 612");
    }
}
