//! Writes an index: either a new one that is renamed over the old, or an edit in one transaction.

mod edit;
mod new;
mod rows;

pub use edit::IndexEdit;
pub use new::NewIndex;
