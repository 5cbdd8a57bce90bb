//! Skill discovery in one SQLite file, `discovery.db`: words in FTS5, vectors in vec0 or as codes, and cached scans of
//! skill folders.

mod coded;
mod database;
mod document;
mod lexical;
mod matrix;
mod nearest;
mod scans;
mod schema;
mod skill_index;
mod stored_scan;
mod vec0;
mod write;

pub use document::{PythonSkillError, SkillSearchResult};
pub use scans::SqliteScanCache;
pub use skill_index::{SkillDiscoveryIndex, SqliteSkillIndexes};
