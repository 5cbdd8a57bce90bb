//! Opens databases and converts SQLite errors to port errors.

use crate::vfs;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, ffi};
use skillc_fs::{EntryKind, Folder};
use skillc_ports::{ErrorKind, PortError};
use std::ffi::{OsStr, OsString};
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::time::Duration;

/// How long to wait for another process's lock. No build holds one that long.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// An open database, and the folder through which SQLite reaches its files.
pub struct Db {
    connection: Connection,
    _folder: Option<Folder>,
}

impl Db {
    /// An empty database in memory.
    pub fn in_memory() -> rusqlite::Result<Self> {
        Ok(Self { connection: Connection::open_in_memory()?, _folder: None })
    }

    /// Closes the database and reports whether that succeeded.
    pub fn close(self) -> rusqlite::Result<()> {
        self.connection.close().map_err(|(_, error)| error)
    }
}

impl Deref for Db {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl DerefMut for Db {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

/// Opens an existing database for reading and writing, since a reader may have to roll back what a killed process
/// left. Falls back to read-only if writing is not permitted.
pub fn open_existing(path: &Path) -> rusqlite::Result<Db> {
    let flags = |mode| mode | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = open(path, flags(OpenFlags::SQLITE_OPEN_READ_WRITE))
        .or_else(|_| open(path, flags(OpenFlags::SQLITE_OPEN_READ_ONLY)))?;
    db.busy_timeout(BUSY_TIMEOUT)?;
    Ok(db)
}

/// Opens a database that belongs to another program, for reading.
pub fn open_read_only(path: &Path) -> rusqlite::Result<Db> {
    open(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)
}

/// Opens a database that no process writes, in a folder where SQLite cannot create files.
pub fn open_unwritable(path: &Path) -> rusqlite::Result<Db> {
    let (folder, name) = place(path)?;
    let mut uri = String::from("file:");
    for byte in folder.path_through_descriptor(&name).as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                uri.push(char::from(*byte))
            }
            other => uri.push_str(&format!("%{other:02x}")),
        }
    }
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    connect(Path::new(&(uri + "?immutable=1")), flags, folder)
}

/// Opens a database for writing, and creates it if needed.
pub fn open_or_create(path: &Path) -> rusqlite::Result<Db> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = open(path, flags)?;
    db.busy_timeout(BUSY_TIMEOUT)?;
    Ok(db)
}

fn open(path: &Path, flags: OpenFlags) -> rusqlite::Result<Db> {
    let (folder, name) = place(path)?;
    connect(&folder.path_through_descriptor(&name), flags, folder)
}

fn connect(path: &Path, flags: OpenFlags, folder: Folder) -> rusqlite::Result<Db> {
    let vfs = vfs::name().ok_or_else(|| cannot_open("SQLite has no VFS".into()))?;
    let opened = Connection::open_with_flags_and_vfs(path, flags, vfs);
    // Checked while the folder is still open, since SQLite does not report why it cannot open a file.
    let connection = opened.map_err(|error| out_of_descriptors().map_or(error, no_folder))?;
    distrust(&connection)?;
    Ok(Db { connection, _folder: Some(folder) })
}

/// Disables triggers and views: the database may come from a cloned repository, and its author's code must not run.
fn distrust(db: &Connection) -> rusqlite::Result<()> {
    use DbConfig::{
        SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_TRUSTED_SCHEMA,
    };
    for allowed in
        [SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_TRUSTED_SCHEMA]
    {
        db.set_db_config(allowed, false)?;
    }
    Ok(())
}

/// The open folder of a database and its file name, after a check of the files that SQLite would open.
fn place(path: &Path) -> rusqlite::Result<(Folder, OsString)> {
    let (folder, name) = Folder::of_file(path).map_err(no_folder)?;
    refuse_odd_files(&folder, &name)?;
    Ok((folder, name))
}

/// Refuses anything but regular files where SQLite expects its files. A link would redirect writes, a FIFO would
/// block SQLite, and it would treat a folder as an unreadable journal.
pub fn refuse_odd_files(folder: &Folder, name: &OsStr) -> rusqlite::Result<()> {
    let is_odd =
        |suffix: &str| folder.kind(with_suffix(name, suffix)).is_some_and(|kind| kind != EntryKind::File);
    match ["", "-journal", "-wal", "-shm"].into_iter().any(is_odd) {
        true => Err(cannot_open("it, or a file next to it, is not a regular file".to_owned())),
        false => Ok(()),
    }
}

/// Wraps the error of a folder in the driver's type; `failure` unwraps it.
fn no_folder(error: PortError) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(Box::new(error))
}

fn cannot_open(why: String) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CANTOPEN), Some(why))
}

/// Creates the parent folders of a file.
pub fn make_parent(path: &Path) -> Result<Folder, PortError> {
    Ok(Folder::create_of_file(path)?.0)
}

/// Refuses a file that is reached through a link.
pub fn refuse_links(path: &Path) -> Result<(), PortError> {
    match path.parent() {
        Some(parent) => Folder::open_existing(parent).map(drop),
        None => Ok(()),
    }
}

/// The name of a file that belongs to a database, such as its journal.
pub fn with_suffix(name: &OsStr, suffix: &str) -> OsString {
    let mut name = name.to_owned();
    name.push(suffix);
    name
}

/// Whether an error means that the file is not a sound database.
pub fn is_corruption(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// Converts a driver's error to a port error.
pub fn failure(doing: &str, path: &Path, error: rusqlite::Error) -> PortError {
    let error = match error {
        rusqlite::Error::ToSqlConversionFailure(inner) => match inner.downcast::<PortError>() {
            Ok(folder) => return *folder,
            Err(inner) => rusqlite::Error::ToSqlConversionFailure(inner),
        },
        error => error,
    };
    let kind = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => ErrorKind::DiskFull,
        Some(ErrorCode::CannotOpen) if out_of_descriptors().is_some() => ErrorKind::TooManyOpenFiles,
        Some(ErrorCode::SystemIoFailure) if is_limited_write(&error) => ErrorKind::FileSizeLimit,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => ErrorKind::Busy,
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => ErrorKind::Denied,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => ErrorKind::Corrupt,
        _ => ErrorKind::Failed,
    };
    PortError::new(kind, format!("{doing} '{}'", path.display())).caused_by(error)
}

/// The error to report if this process cannot open as many more files as SQLite needs; SQLite itself does not report
/// that reason.
fn out_of_descriptors() -> Option<PortError> {
    let beside: Result<Vec<Folder>, PortError> = (0..3).map(|_| Folder::open(Path::new("/"))).collect();
    beside.err().filter(|error| error.kind == ErrorKind::TooManyOpenFiles)
}

/// Whether a failed write exceeded this process's limit on file sizes, which SQLite does not report either.
#[cfg(target_os = "linux")]
fn is_limited_write(error: &rusqlite::Error) -> bool {
    use rustix::process::{Resource, getrlimit};
    let writes = [
        rusqlite::ffi::SQLITE_IOERR_WRITE,
        rusqlite::ffi::SQLITE_IOERR_TRUNCATE,
        rusqlite::ffi::SQLITE_IOERR_SHMSIZE,
    ];
    let code = error.sqlite_error().map(|error| error.extended_code);
    code.is_some_and(|code| writes.contains(&code)) && getrlimit(Resource::Fsize).current.is_some()
}

/// Always false: other systems have no such limit.
#[cfg(not(target_os = "linux"))]
fn is_limited_write(_: &rusqlite::Error) -> bool {
    false
}
