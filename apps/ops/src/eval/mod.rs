//! Measures how well skills are found, with queries whose answers are known, over a folder of skills in every mode
//! (RFC-0011:C-EVAL).

mod corpus;
mod measure;
mod models;
mod queries;
mod reply;
mod trigger;

pub use corpus::{Corpus, corpus, corpus_skill};
pub use measure::{Meanings, Measured, Measurement, Miss, QualityRow, check_answers, measure};
pub use models::{EvalModel, models};
pub use queries::{Expected, Queries, Question, Trial, queries};
pub use reply::DiscoveryReply;
pub use trigger::{Triggered, triggers};
