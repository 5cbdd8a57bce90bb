//! Proposals that make skills cost less, based on recorded use (RFC-0014:C-SLIM): one file per kind of proposal.
//!
//! Pure: texts and counts go in, new texts come out. Sections that were read are not moved.

pub mod disable;
pub mod join_sections;
pub mod linked;
pub mod move_sections;
pub mod reads;
pub mod sessions;
pub mod shorten;
pub mod split_file;
pub mod tokens;

pub use disable::{IdleSkill, idle_skills};
pub use join_sections::{JoinedSections, ReadMarkdown, join_sections};
pub use linked::{MovedSection, SlimmedFile};
pub use move_sections::move_unread_sections;
pub use reads::FileReads;
pub use sessions::SectionSessions;
pub use shorten::shortened;
pub use split_file::split_file;
pub use tokens::{CHARS_PER_TOKEN, READ_TOKENS, tokens_of};
