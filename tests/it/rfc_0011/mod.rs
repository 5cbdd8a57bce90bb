//! RFC-0011: finding skills. What the directory promises on every adapter stands in `contract/directory.rs`.

mod both_scores;
mod discovery_index;
mod eval;
mod find;
mod python_skill_discovery;
