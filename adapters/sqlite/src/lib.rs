//! Indexes and logs in SQLite files, one each per skill, and one file for the discovery of all skills.
//!
//! Knows tables and transactions, but no rules about skills.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

mod bookmarks;
mod connection;
mod corruption;
mod discovery;
pub mod fts5;
mod guard;
mod index;
mod log;
mod open;
mod opencode;
mod pool;
mod rank;
mod read;
mod schema;
mod sessions;
mod snippet;
mod snippet_text;
mod vfs;
mod write;

pub use bookmarks::SqliteHistoryBookmarks;
pub use discovery::{
    PythonSkillError, SkillDiscoveryIndex, SkillSearchResult, SqliteScanCache, SqliteSkillIndexes,
};
pub use index::SqliteSectionIndex;
pub use log::SqliteLocalLogs;
pub use opencode::OpenCodeHistory;
pub use sessions::SqliteSessions;
pub use snippet_text::Beginnings;
