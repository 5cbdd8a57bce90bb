//! The file `discovery.db`: opened on first use, kept open, and replaced by an empty one if it is damaged.

use super::{schema, vec0};
use crate::connection::{Db, failure, is_corruption, make_parent, open_or_create, with_suffix};
use rusqlite::{Connection, Error, Result as SqlResult, ffi};
use skillc_fs::{Folder, Identity};
use skillc_ports::{ErrorKind, PortError, SkillIndexVersion};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// A database whose content can be computed again.
pub struct Database {
    location: DatabaseLocation,
    open: Mutex<Option<Open>>,
    /// Number of connections opened so far, for `version`.
    opened: AtomicU64,
}

enum DatabaseLocation {
    File(PathBuf),
    Memory,
}

struct Open {
    connection: Db,
    /// The file that was opened; its path may lead to another one by now.
    identity: Option<Identity>,
}

impl Database {
    /// A database at a path, opened by the first call of `with`.
    pub fn at(path: &Path) -> Self {
        Self::of(DatabaseLocation::File(path.to_owned()))
    }

    /// A database in memory.
    pub fn in_memory() -> Self {
        Self::of(DatabaseLocation::Memory)
    }

    fn of(location: DatabaseLocation) -> Self {
        Self { location, open: Mutex::default(), opened: AtomicU64::default() }
    }

    /// Identifies the content: `data_version` counts commits of other connections, `total_changes` those of this one.
    pub fn version(&self) -> Result<SkillIndexVersion, PortError> {
        self.with("read", |db| self.version_of(db))
    }

    /// Like `version`, for a database that is already open.
    pub fn version_of(&self, db: &Connection) -> SqlResult<SkillIndexVersion> {
        let of_others: i64 = db.pragma_query_value(None, "data_version", |row| row.get(0))?;
        let opened = self.opened.load(Ordering::Relaxed);
        Ok(SkillIndexVersion([opened, of_others.cast_unsigned(), db.total_changes()]))
    }

    /// The path; `None` if the database is in memory.
    pub fn path(&self) -> Option<&Path> {
        match &self.location {
            DatabaseLocation::File(path) => Some(path),
            DatabaseLocation::Memory => None,
        }
    }

    /// Runs `work` on the open database. If that finds damage, replaces the file and runs it once more.
    pub fn with<T>(
        &self,
        doing: &str,
        mut work: impl FnMut(&mut Connection) -> SqlResult<T>,
    ) -> Result<T, PortError> {
        // A panic in another call left no transaction open: dropping it rolled it back.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        match self.opened(&mut open).and_then(&mut work) {
            Err(error) if is_unusable(&error) => {}
            done => return done.map_err(|error| self.failure(doing, error)),
        }
        let broken = open.take().and_then(|open| open.identity);
        self.replace(broken)?;
        self.opened(&mut open).and_then(work).map_err(|error| self.failure(doing, error))
    }

    fn opened<'a>(&self, open: &'a mut Option<Open>) -> SqlResult<&'a mut Connection> {
        if let DatabaseLocation::File(path) = &self.location
            && open.as_ref().is_some_and(|open| open.identity != Identity::at(path))
        {
            *open = None;
        }
        let open = match open {
            Some(open) => open,
            None => {
                self.opened.fetch_add(1, Ordering::Relaxed);
                open.insert(self.fresh()?)
            }
        };
        Ok(&mut open.connection)
    }

    fn fresh(&self) -> SqlResult<Open> {
        let DatabaseLocation::File(path) = &self.location else {
            let mut connection = Db::in_memory()?;
            vec0::register(&connection)?;
            schema::create(&mut connection)?;
            return Ok(Open { connection, identity: None });
        };
        make_parent(path).map_err(|error| {
            Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CANTOPEN), Some(error.to_string()))
        })?;
        let mut connection = open_or_create(path)?;
        let identity = Identity::at(path);
        vec0::register(&connection)?;
        schema::prepare(&mut connection)?;
        Ok(Open { connection, identity })
    }

    /// Removes a damaged file, unless another process has already replaced `broken`.
    fn replace(&self, broken: Option<Identity>) -> Result<(), PortError> {
        let DatabaseLocation::File(path) = &self.location else { return Ok(()) };
        let (folder, name) = Folder::of_file(path)?;
        let lock = folder.open_or_create_file(with_suffix(&name, ".lock"))?;
        // Without locks, two processes may both replace it, which costs time but loses nothing.
        let _ = lock.lock();
        if broken.is_some() && Identity::at(path) != broken {
            return Ok(());
        }
        for suffix in ["", "-wal", "-shm", "-journal"] {
            folder.remove_file(with_suffix(&name, suffix))?;
        }
        Ok(())
    }

    fn failure(&self, doing: &str, error: Error) -> PortError {
        match &self.location {
            DatabaseLocation::File(path) => failure(doing, path, error),
            DatabaseLocation::Memory => PortError::new(ErrorKind::Failed, doing).caused_by(error),
        }
    }
}

/// Whether the file is damaged, or its tables belong to another program.
fn is_unusable(error: &Error) -> bool {
    is_corruption(error) || schema::is_foreign(error)
}
