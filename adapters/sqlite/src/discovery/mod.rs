//! Discovery of skills in one SQLite file: words in FTS5, vectors in vec0 and, for many, in a file beside it.

mod database;
mod held;
mod index;
mod lexical;
mod many;
mod matrix;
mod rebuild;
mod scans;
mod schema;
mod semantic;
mod skill_index;
mod vec0;
mod write;

pub use index::{PythonSkillError, SkillDiscoveryIndex, SkillSearchResult};
pub use rebuild::{
    SkillSources, extract_builtin_skill_text, extract_markdown_skill_text, extract_python_skill_text,
    rebuild_skill_index,
};
pub use scans::SqliteScanCache;
pub use skill_index::{SqliteSkillIndex, SqliteSkillIndexes};
