//! The section index port on SQLite FTS5.

use crate::open::open;
use crate::pool::ConnectionPool;
use crate::write::{IndexEdit, NewIndex};
use async_trait::async_trait;
use skillc_domain::plan::IndexState;
use skillc_ports::{IndexChange, IndexReader, IndexWriter, PortError, SectionIndex};
use std::path::Path;
use std::sync::Arc;

/// Section indexes in SQLite files.
#[derive(Clone, Default)]
pub struct SqliteSectionIndex {
    pool: Option<Arc<ConnectionPool>>,
}

impl SqliteSectionIndex {
    /// Keeps connections open between readers, for long-running processes.
    pub fn pooled() -> Self {
        Self { pool: Some(Arc::default()) }
    }
}

#[async_trait]
impl SectionIndex for SqliteSectionIndex {
    async fn open(&self, index: &Path) -> IndexState<Box<dyn IndexReader>> {
        open(index, self.pool.as_ref()).map(|reader| Box::new(reader) as Box<dyn IndexReader>)
    }

    async fn writer(&self, index: &Path, change: IndexChange) -> Result<Box<dyn IndexWriter>, PortError> {
        Ok(match change {
            IndexChange::Replace(tokenizer) => Box::new(NewIndex::begin(index, tokenizer)?),
            IndexChange::Edit { removed } => Box::new(IndexEdit::begin(index, &removed)?),
        })
    }
}
