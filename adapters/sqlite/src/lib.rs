//! Index and log in SQLite files, one for each skill. Knows tables and transactions, and no rule about skills.

mod connection;
mod guard;
mod index;
mod log;
mod read;
mod schema;
mod write;

pub use index::SqliteSectionIndex;
pub use log::SqliteLocalLogs;
