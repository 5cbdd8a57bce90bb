//! Writes an index: a new one beside the old and renamed over it, or an edit in one transaction.

mod edit;
mod new;
mod rows;

pub use edit::IndexEdit;
pub use new::NewIndex;
