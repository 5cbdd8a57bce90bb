//! Edits an existing index in one transaction with a rollback journal. Readers see the old state until it commits. If
//! the process is killed, the next reader rolls its journal back.

use super::rows::RowWriter;
use crate::connection::{Db, failure, open_existing};
use crate::schema;
use async_trait::async_trait;
use rusqlite::{Connection, Result as SqlResult};
use skillc_domain::path::RelPath;
use skillc_ports::{IndexWriter, IndexedFile, PortError, Publication};
use std::path::{Path, PathBuf};

/// Edits an index. Dropping it closes the connection, which rolls back.
pub struct IndexEdit {
    db: Db,
    rows: RowWriter,
    index: PathBuf,
}

impl IndexEdit {
    /// Begins the transaction and deletes files from the index.
    pub fn begin(index: &Path, removed: &[RelPath]) -> Result<Self, PortError> {
        let failed = |error| edit_failure(index, error);
        let db = open_existing(index).map_err(failed)?;
        let rows = begin(&db, removed).map_err(failed)?;
        Ok(Self { db, rows, index: index.to_owned() })
    }
}

fn begin(db: &Connection, removed: &[RelPath]) -> SqlResult<RowWriter> {
    // Pages stay in memory until the commit, so that readers are locked out only then.
    db.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA cache_spill = OFF; BEGIN IMMEDIATE;")?;
    let rows = RowWriter::after_last(db)?;
    for path in removed {
        RowWriter::remove(db, path)?;
    }
    Ok(rows)
}

fn edit_failure(index: &Path, error: rusqlite::Error) -> PortError {
    failure("edit the index", index, error)
}

#[async_trait]
impl IndexWriter for IndexEdit {
    async fn put(&mut self, file: IndexedFile) -> Result<(), PortError> {
        self.rows.replace(&self.db, &file).map_err(|error| edit_failure(&self.index, error))
    }

    async fn commit(self: Box<Self>, publication: &Publication) -> Result<(), PortError> {
        let committed = schema::publish(&self.db, publication)
            .and_then(|()| schema::merge_some(&self.db))
            .and_then(|()| self.db.execute_batch("COMMIT"));
        committed.map_err(|error| edit_failure(&self.index, error))
    }
}
