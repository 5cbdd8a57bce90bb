//! The file `discovery.db`: opened when first asked, kept open, and begun anew where it is damaged.

use super::{schema, vec0};
use crate::connection::{Db, failure, is_corruption, make_parent, open_or_create, with_suffix};
use rusqlite::{Connection, Error, Result as SqlResult, ffi};
use skillc_fs::{Folder, Identity};
use skillc_ports::{ErrorKind, PortError, SkillIndexVersion};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// A database that holds nothing but what can be made anew.
pub struct Database {
    place: Place,
    open: Mutex<Option<Open>>,
    /// How often it was opened.
    opened: AtomicU64,
}

enum Place {
    File(PathBuf),
    Memory,
}

struct Open {
    connection: Db,
    /// Of the file that was opened, which may no longer be the one at the path.
    identity: Option<Identity>,
}

impl Database {
    /// The one at a path. Nothing is opened yet.
    pub fn at(path: &Path) -> Self {
        Self::of(Place::File(path.to_owned()))
    }

    /// One that ends with this value.
    pub fn in_memory() -> Self {
        Self::of(Place::Memory)
    }

    fn of(place: Place) -> Self {
        Self { place, open: Mutex::default(), opened: AtomicU64::default() }
    }

    /// Stands for all that is in it: other connections' changes show in `data_version`, our own in `total_changes`.
    pub fn version(&self) -> Result<SkillIndexVersion, PortError> {
        self.with("read", |db| self.version_of(db))
    }

    /// The same, of the open database.
    pub fn version_of(&self, db: &Connection) -> SqlResult<SkillIndexVersion> {
        let of_others: i64 = db.pragma_query_value(None, "data_version", |row| row.get(0))?;
        let opened = self.opened.load(Ordering::Relaxed);
        Ok(SkillIndexVersion([opened, of_others.cast_unsigned(), db.total_changes()]))
    }

    /// The file, if it is one.
    pub fn path(&self) -> Option<&Path> {
        match &self.place {
            Place::File(path) => Some(path),
            Place::Memory => None,
        }
    }

    /// Does something with the open database. Where that meets damage the database is begun anew, and it is done once more.
    pub fn with<T>(
        &self,
        doing: &str,
        mut work: impl FnMut(&mut Connection) -> SqlResult<T>,
    ) -> Result<T, PortError> {
        // A panic of another call leaves no transaction behind: it was rolled back when it was dropped.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        match self.opened(&mut open).and_then(&mut work) {
            Err(error) if is_beyond_use(&error) => {}
            done => return done.map_err(|error| self.failure(doing, error)),
        }
        let broken = open.take().and_then(|open| open.identity);
        self.begin_anew(broken)?;
        self.opened(&mut open).and_then(work).map_err(|error| self.failure(doing, error))
    }

    fn opened<'a>(&self, open: &'a mut Option<Open>) -> SqlResult<&'a mut Connection> {
        if let Place::File(path) = &self.place
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
        let Place::File(path) = &self.place else {
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

    /// Removes a damaged file, unless another process did so already: `broken` is what was met.
    fn begin_anew(&self, broken: Option<Identity>) -> Result<(), PortError> {
        let Place::File(path) = &self.place else { return Ok(()) };
        let (folder, name) = Folder::of_file(path)?;
        let lock = folder.open_or_create_file(with_suffix(&name, ".lock"))?;
        // Without locks two processes may both begin anew, which costs work and loses nothing.
        let _ = lock.lock();
        if broken.is_some() && Identity::at(path) != broken {
            return Ok(());
        }
        for suffix in ["", "-wal", "-shm", "-journal", ".vec"] {
            folder.remove_file(with_suffix(&name, suffix))?;
        }
        Ok(())
    }

    fn failure(&self, doing: &str, error: Error) -> PortError {
        match &self.place {
            Place::File(path) => failure(doing, path, error),
            Place::Memory => PortError::new(ErrorKind::Failed, doing).caused_by(error),
        }
    }
}

/// Whether the file is damaged, or has not the tables that it should have.
fn is_beyond_use(error: &Error) -> bool {
    is_corruption(error) || schema::is_foreign(error)
}
