//! Small functions over text that several modules share, each in a module named after what it does.

pub mod case_fold;
pub mod counted;
pub mod edit_distance;
pub mod excerpt;
pub mod invisible;
pub mod lines;
pub mod shell;
