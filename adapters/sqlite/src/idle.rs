//! Connections to indexes that wait for their next reader. None is within a transaction: whoever writes an index waits for
//! none of them, and whoever replaces one leaves them on a file that is no longer there.

use crate::connection::Db;
use rusqlite::Connection;
use skillc_fs::Identity;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Connections that wait at a time, of all indexes: agents ask for few things at once. Each may hold pages of up to
/// `CACHE_KIB`.
const IDLE_MAX: usize = 4;

/// Memory for the pages of a connection that is kept: those that a search for a word in 100 sections reads.
const CACHE_KIB: i64 = 1024;

/// Those that wait, the longest first.
#[derive(Default)]
pub struct Idle(Mutex<Vec<Waiting>>);

struct Waiting {
    index: PathBuf,
    file: Identity,
    db: Db,
}

/// Where a connection goes back to: the index that it is of, and the file that it has open.
pub type Home = (Arc<Idle>, PathBuf, Identity);

impl Idle {
    /// One that has this very file of an index open. Those that have another one at its path are closed.
    pub fn take(&self, index: &Path, file: Identity) -> Option<Db> {
        let mut waiting = self.locked();
        let outdated =
            waiting.extract_if(.., |kept| kept.index == index && kept.file != file).collect::<Vec<_>>();
        let found = waiting.iter().rposition(|kept| kept.index == index);
        let found = found.map(|at| waiting.remove(at).db);
        drop(waiting);
        drop(outdated);
        found
    }

    fn give(&self, waiting: Waiting) {
        // An open file cannot be replaced elsewhere.
        if !cfg!(unix) {
            return;
        }
        let mut all = self.locked();
        all.push(waiting);
        let longest = (all.len() > IDLE_MAX).then(|| all.remove(0));
        drop(all);
        drop(longest);
    }

    fn locked(&self) -> MutexGuard<'_, Vec<Waiting>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection within its transaction, which ends with the lease.
pub struct Lease {
    /// There until the lease ends.
    db: Option<Db>,
    home: Option<Home>,
}

impl Lease {
    /// Of a new connection, which goes home when it is no longer needed, where it has one.
    pub fn new(db: Db, home: Option<Home>) -> Self {
        if home.is_some() {
            // Where that fails there are more pages, and no other answer.
            let _ = db.pragma_update(None, "cache_size", -CACHE_KIB);
        }
        Self { db: Some(db), home }
    }

    /// Of a connection that was home.
    pub fn again(db: Db, home: Home) -> Self {
        Self { db: Some(db), home: Some(home) }
    }

    /// Does not go back: something is wrong with the file.
    pub fn spoil(&mut self) {
        self.home = None;
    }
}

impl Deref for Lease {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.db.as_ref().expect("it is taken by dropping only")
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let (Some(db), Some((idle, index, file))) = (self.db.take(), self.home.take()) else { return };
        let committed = db.prepare_cached("COMMIT").and_then(|mut commit| commit.execute([]));
        if committed.is_ok() && db.is_autocommit() {
            idle.give(Waiting { index, file, db });
        }
    }
}
