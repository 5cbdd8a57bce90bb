//! Index and log in SQLite files, one for each skill. Knows tables and transactions, and no rule about skills.

mod connection;
mod guard;
mod identity;
mod idle;
mod index;
mod log;
mod read;
mod schema;
mod write;

pub use index::{KeptSectionIndex, SqliteSectionIndex};
pub use log::{KeptLocalLogs, SqliteLocalLogs};
