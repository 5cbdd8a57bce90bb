//! Opening databases, and what their failures mean.

use crate::vfs;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, ffi};
use skillc_fs::{EntryKind, Folder};
use skillc_ports::{ErrorKind, PortError};
use std::ffi::{OsStr, OsString};
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::time::Duration;

/// How long another process may hold a lock before that is an error; no build holds one for so long.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// An open database, and the folder through which SQLite reaches its files.
pub struct Db {
    connection: Connection,
    _folder: Option<Folder>,
}

impl Db {
    /// A database that ends with this value.
    pub fn in_memory() -> rusqlite::Result<Self> {
        Ok(Self { connection: Connection::open_in_memory()?, _folder: None })
    }

    /// Closes it, and says whether that could be done.
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

/// Opens a database that is there: to read and write, since a reader may have to roll back what a killed process left;
/// where that is not allowed, to read only.
pub fn open_existing(path: &Path) -> rusqlite::Result<Db> {
    let flags = |mode| mode | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = open(path, flags(OpenFlags::SQLITE_OPEN_READ_WRITE))
        .or_else(|_| open(path, flags(OpenFlags::SQLITE_OPEN_READ_ONLY)))?;
    db.busy_timeout(BUSY_TIMEOUT)?;
    Ok(db)
}

/// Opens a database that nobody writes, in a folder where SQLite can make no files beside it.
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

/// Opens a database to write, and makes it if need be.
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
    let vfs = vfs::name().ok_or_else(|| cannot_open("SQLite has no file layer".into()))?;
    let opened = Connection::open_with_flags_and_vfs(path, flags, vfs);
    // While the folder is still open: SQLite does not say why it cannot open a file.
    let connection = opened.map_err(|error| out_of_descriptors().map_or(error, no_folder))?;
    distrust(&connection)?;
    Ok(Db { connection, _folder: Some(folder) })
}

/// A database may have come with a cloned repository: what its maker had in mind for those who open it must not run, such
/// as a trigger or a view without end.
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

/// A database's folder, held open, and its name there, after a look at what SQLite would find.
fn place(path: &Path) -> rusqlite::Result<(Folder, OsString)> {
    let (folder, name) = Folder::of_file(path).map_err(no_folder)?;
    refuse_odd_files(&folder, &name)?;
    Ok((folder, name))
}

/// What may not stand where SQLite expects its files: a link would lead writes to somebody else's file, and SQLite would
/// wait for a FIFO, and take a folder in the journal's place for a journal that cannot be read.
pub fn refuse_odd_files(folder: &Folder, name: &OsStr) -> rusqlite::Result<()> {
    let is_odd =
        |suffix: &str| folder.kind(with_suffix(name, suffix)).is_some_and(|kind| kind != EntryKind::File);
    match ["", "-journal", "-wal", "-shm"].into_iter().any(is_odd) {
        true => Err(cannot_open("what stands in its place, or beside it, is not a file".to_owned())),
        false => Ok(()),
    }
}

/// The failure of a folder, carried through the driver's type so that `failure` gives it back as it is.
fn no_folder(error: PortError) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(Box::new(error))
}

fn cannot_open(why: String) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CANTOPEN), Some(why))
}

/// Makes the folders above a file.
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

/// The name of a file beside a database.
pub fn with_suffix(name: &OsStr, suffix: &str) -> OsString {
    let mut name = name.to_owned();
    name.push(suffix);
    name
}

/// Whether a failure says that the file is no sound database.
pub fn is_corruption(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// A driver's failure as the port tells it.
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

/// The failure to open as many files as SQLite takes beside a database, where this process has too many open.
fn out_of_descriptors() -> Option<PortError> {
    let beside: Result<Vec<Folder>, PortError> = (0..3).map(|_| Folder::open(Path::new("/"))).collect();
    beside.err().filter(|error| error.kind == ErrorKind::TooManyOpenFiles)
}

/// Nor why it cannot write one, where this process has a limit on the size of files.
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

/// Elsewhere it stays a failure of the system.
#[cfg(not(target_os = "linux"))]
fn is_limited_write(_: &rusqlite::Error) -> bool {
    false
}
