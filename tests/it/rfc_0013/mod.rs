//! RFC-0013: the models for semantic search.

mod choice;
mod model;
mod vectors;
