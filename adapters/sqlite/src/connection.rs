//! Opening databases, and what their failures mean.

use rusqlite::config::DbConfig;
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
    distrust(db)
}

/// Opens a database that nobody writes, in a folder where SQLite can make no files beside it.
pub fn open_unwritable(path: &Path) -> rusqlite::Result<Connection> {
    refuse_odd_files(path)?;
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                uri.push(char::from(*byte))
            }
            other => uri.push_str(&format!("%{other:02x}")),
        }
    }
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    distrust(Connection::open_with_flags(uri + "?immutable=1", flags)?)
}

/// Opens a database to write, and makes it if need be.
pub fn open_or_create(path: &Path) -> rusqlite::Result<Connection> {
    refuse_odd_files(path)?;
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags)?;
    db.busy_timeout(BUSY_TIMEOUT)?;
    distrust(db)
}

/// A database may have come with a cloned repository: what its maker had in mind for those who open it must not run, such
/// as a trigger or a view without end.
fn distrust(db: Connection) -> rusqlite::Result<Connection> {
    use DbConfig::{
        SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_TRUSTED_SCHEMA,
    };
    for allowed in
        [SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_TRUSTED_SCHEMA]
    {
        db.set_db_config(allowed, false)?;
    }
    Ok(db)
}

/// What may not stand where SQLite expects its files: a link would lead writes to somebody else's file, and SQLite would
/// wait for a FIFO, and take a folder in the journal's place for a journal that cannot be read.
pub fn refuse_odd_files(path: &Path) -> rusqlite::Result<()> {
    let beside = ["-journal", "-wal", "-shm"].map(|suffix| beside(path, suffix));
    let is_odd = |path: &Path| path.symlink_metadata().is_ok_and(|metadata| !metadata.is_file());
    if is_odd(path) || beside.iter().any(|path| is_odd(path)) {
        let error = ffi::Error::new(ffi::SQLITE_CANTOPEN);
        let what = "what stands in its place, or beside it, is not a file".to_owned();
        return Err(rusqlite::Error::SqliteFailure(error, Some(what)));
    }
    Ok(())
}

/// Makes the folders above a file. A link in the place of the last one would lead writes elsewhere, so it is refused.
pub fn make_parent(path: &Path) -> Result<(), PortError> {
    refuse_linked_parent(path)?;
    let Some(parent) = path.parent() else { return Ok(()) };
    std::fs::create_dir_all(parent).map_err(|e| PortError::io(format!("create '{}'", parent.display()), e))
}

/// A link in the place of a file's folder would lead writes elsewhere.
pub fn refuse_linked_parent(path: &Path) -> Result<(), PortError> {
    match path.parent() {
        Some(parent) if std::fs::symlink_metadata(parent).is_ok_and(|metadata| metadata.is_symlink()) => {
            Err(PortError::new(ErrorKind::Denied, format!("write below the link '{}'", parent.display())))
        }
        _ => Ok(()),
    }
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
        // Among them a full disk.
        _ => ErrorKind::Failed,
    };
    PortError::new(kind, format!("{doing} '{}'", path.display())).caused_by(error)
}
