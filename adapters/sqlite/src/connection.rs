//! Opening databases, and what their failures mean.

use rusqlite::{Connection, ErrorCode, OpenFlags, ffi};
use skillc_ports::{ErrorKind, PortError};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long another process may hold a lock before that is an error; no build holds one for so long.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Opens a database that is there: to read and write, since a reader may have to roll back what a killed process left;
/// where that is not allowed, to read only.
pub fn open_existing(path: &Path) -> rusqlite::Result<Connection> {
    refuse_odd_files(path)?;
    let flags = |mode| mode | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags(OpenFlags::SQLITE_OPEN_READ_WRITE))
        .or_else(|_| Connection::open_with_flags(path, flags(OpenFlags::SQLITE_OPEN_READ_ONLY)))?;
    db.busy_timeout(BUSY_TIMEOUT)?;
    Ok(db)
}

/// Opens a database to write, and makes it if need be.
pub fn open_or_create(path: &Path) -> rusqlite::Result<Connection> {
    refuse_odd_files(path)?;
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags)?;
    db.busy_timeout(BUSY_TIMEOUT)?;
    Ok(db)
}

/// What may not stand where SQLite expects its files.
fn refuse_odd_files(path: &Path) -> rusqlite::Result<()> {
    refuse_links(path)?;
    refuse_odd_journal(path)
}

/// A link in the place of a database, or of a file beside it, would lead writes to somebody else's file.
fn refuse_links(path: &Path) -> rusqlite::Result<()> {
    let is_link = |path: &Path| path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
    if is_link(path) || ["-journal", "-wal", "-shm"].iter().any(|suffix| is_link(&beside(path, suffix))) {
        let error = ffi::Error::new(ffi::SQLITE_CANTOPEN);
        return Err(rusqlite::Error::SqliteFailure(error, Some("a link stands in its place".to_owned())));
    }
    Ok(())
}

/// SQLite would wait for a FIFO in the journal's place, and take a folder there for a journal that cannot be read.
fn refuse_odd_journal(path: &Path) -> rusqlite::Result<()> {
    match beside(path, "-journal").metadata() {
        Ok(metadata) if !metadata.is_file() => {
            let error = ffi::Error::new(ffi::SQLITE_CANTOPEN);
            Err(rusqlite::Error::SqliteFailure(error, Some("the journal is not a file".to_owned())))
        }
        _ => Ok(()),
    }
}

/// Makes the folders above a file. A link in the place of the last one would lead writes elsewhere, so it is refused.
pub fn make_parent(path: &Path) -> Result<(), PortError> {
    let Some(parent) = path.parent() else { return Ok(()) };
    let doing = || format!("create '{}'", parent.display());
    if std::fs::symlink_metadata(parent).is_ok_and(|metadata| metadata.is_symlink()) {
        return Err(PortError::new(ErrorKind::Denied, doing()));
    }
    std::fs::create_dir_all(parent).map_err(|e| PortError::io(doing(), e))
}

/// A file beside a database, such as its journal.
pub fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Whether a failure says that the file is no sound database.
pub fn is_corruption(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// A driver's failure as the port tells it.
pub fn failure(doing: &str, path: &Path, error: rusqlite::Error) -> PortError {
    let kind = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => ErrorKind::Busy,
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => ErrorKind::Denied,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => ErrorKind::Corrupt,
        _ => ErrorKind::Failed,
    };
    PortError::new(kind, format!("{doing} '{}'", path.display())).caused_by(error)
}
