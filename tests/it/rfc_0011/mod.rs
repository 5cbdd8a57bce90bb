//! RFC-0011: finding skills. `contract/directory.rs` tests what every directory promises.

mod both_scores;
mod discovery_index;
mod eval;
mod find;
mod python_skill_discovery;
mod stored_vectors;
