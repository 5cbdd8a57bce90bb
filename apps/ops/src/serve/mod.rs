//! Serves the skills of the stores over a protocol: their files as resources with digests of their exact bytes, and
//! the parts of line-framed JSON-RPC that the servers share. It knows no protocol's types and performs no I/O.
//!
//! Every answer reflects the current state of the disk; the caches only avoid reading files whose stamp is unchanged.
//! What is not served, and why, is returned as warnings.

mod introduction;
pub mod json_rpc;
mod list;
mod metadata;
mod page;
mod read;
mod served_skill;
mod served_skills;
mod snapshot;
mod uri;

pub use crate::source::skill_file;
pub use introduction::{introduction, similar_names};
pub use list::{Child, FolderPage, ListPage, entries, entry, file_names, folder, listed, names};
pub use metadata::ServedMetadata;
pub use page::Page;
pub use read::{ResourceContent, ServedFile, read};
pub use served_skill::{ListedFile, ServedSkill, SkillEntry};
pub use served_skills::ServedSkills;
pub use snapshot::{ServedSnapshot, watched_folders};
pub use uri::uri_of;
