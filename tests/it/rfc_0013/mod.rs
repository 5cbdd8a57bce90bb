//! RFC-0013: the models behind search by meaning.

mod choice;
mod model;
mod vectors;
