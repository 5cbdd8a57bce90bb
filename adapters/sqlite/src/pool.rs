//! A pool of idle connections to indexes.
//!
//! An idle connection is not in a transaction, so no writer waits for it. When an index is replaced, its idle
//! connections still refer to the unlinked file.

use crate::connection::Db;
use rusqlite::Connection;
use skillc_fs::Identity;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum number of idle connections to all indexes, since agents use few skills at once. Each may hold `CACHE_KIB`
/// of pages.
const IDLE_MAX: usize = 4;

/// Size in KiB of a pooled connection's page cache: the pages read by a search for a word in 100 sections.
const CACHE_KIB: i64 = 1024;

/// Idle connections, oldest first.
#[derive(Default)]
pub struct ConnectionPool(Mutex<Vec<IdleConnection>>);

struct IdleConnection {
    slot: PoolSlot,
    db: Db,
}

/// Identifies interchangeable connections: the path of an index and the file found there.
#[derive(PartialEq, Eq)]
struct PoolSlot {
    index: PathBuf,
    file: Identity,
}

impl ConnectionPool {
    fn put(&self, connection: IdleConnection) {
        // On other systems an open file cannot be replaced.
        if !cfg!(unix) {
            return;
        }
        let mut idle = self.locked();
        idle.push(connection);
        let oldest = (idle.len() > IDLE_MAX).then(|| idle.remove(0));
        drop(idle);
        drop(oldest);
    }

    fn locked(&self) -> MutexGuard<'_, Vec<IdleConnection>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The pool entry for the file of an index, from which a connection is taken and to which it returns.
pub struct PoolEntry {
    pool: Arc<ConnectionPool>,
    slot: PoolSlot,
}

impl PoolEntry {
    /// The entry for the file that is currently at the path of an index.
    pub fn new(pool: &Arc<ConnectionPool>, index: &Path, file: Identity) -> Self {
        Self { pool: pool.clone(), slot: PoolSlot { index: index.to_owned(), file } }
    }

    /// Takes an idle connection to this file, and closes those to a file that it replaced.
    pub fn take(&self) -> Option<Db> {
        let (mut idle, slot) = (self.pool.locked(), &self.slot);
        let is_replaced = |it: &mut IdleConnection| it.slot.index == slot.index && it.slot.file != slot.file;
        let replaced = idle.extract_if(.., is_replaced).collect::<Vec<_>>();
        let found = idle.iter().rposition(|it| it.slot == *slot).map(|at| idle.remove(at).db);
        drop(idle);
        drop(replaced);
        found
    }
}

/// A connection in a read transaction, which ends when this is dropped.
pub struct PooledConnection {
    /// Present until drop.
    db: Option<Db>,
    entry: Option<PoolEntry>,
}

impl PooledConnection {
    /// A connection that returns to its pool, if it has one.
    pub fn new(db: Db, entry: Option<PoolEntry>) -> Self {
        Self { db: Some(db), entry }
    }

    /// Closes the connection on drop instead of returning it to the pool.
    pub fn discard(&mut self) {
        self.entry = None;
    }
}

/// Bounds the page cache of a new connection that will be pooled.
pub fn limit_cache(db: &Connection) {
    // If this fails, the connection uses more memory.
    let _ = db.pragma_update(None, "cache_size", -CACHE_KIB);
}

impl Deref for PooledConnection {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.db.as_ref().expect("present until drop")
    }
}

impl Drop for PooledConnection {
    fn drop(&mut self) {
        let (Some(db), Some(entry)) = (self.db.take(), self.entry.take()) else { return };
        let committed = db.prepare_cached("COMMIT").and_then(|mut commit| commit.execute([]));
        if committed.is_ok() && db.is_autocommit() {
            entry.pool.put(IdleConnection { slot: entry.slot, db });
        }
    }
}
