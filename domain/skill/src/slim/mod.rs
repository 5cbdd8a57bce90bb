//! What would make skills cost less, by what happened (RFC-0014:C-SLIM): one file for each sort of proposal.
//!
//! Pure: texts and counts go in, new texts come out. Nothing that was read is moved.

pub mod disable;
pub mod move_sections;
pub mod reads;
pub mod shorten;
pub mod tokens;

pub use disable::{IdleSkill, idle_skills};
pub use move_sections::{MovedSection, SlimmedFile, move_unread_sections};
pub use reads::FileReads;
pub use shorten::shortened;
pub use tokens::{CHARS_PER_TOKEN, tokens_of};
