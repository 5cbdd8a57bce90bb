//! Errors of ports.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

/// The kinds of failure that callers distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The requested object does not exist.
    NotFound,
    /// The object to create already exists.
    AlreadyExists,
    /// The path, or a link on it, leads out of the skill.
    Escapes,
    /// There is a link on the path to a place that skc owns.
    Linked,
    /// A file was requested, but the path is a folder, a FIFO, a socket or a device.
    NotAFile,
    /// The content is larger than the caller permits.
    TooLarge,
    /// The system denies access, or the place is read-only.
    Denied,
    /// Another process still holds the object after waiting.
    Busy,
    /// The content differs from what the caller has read.
    Changed,
    /// The object can be opened, but its content is damaged or of another format.
    Corrupt,
    /// No server answers, or the connection was lost.
    Unreachable,
    /// A server has stopped sending, or sends too slowly.
    Stalled,
    /// A server refuses the required encryption.
    Insecure,
    /// A server has not been set up, or only by an older version.
    NotReady,
    /// The object was written by a newer version.
    Newer,
    /// The caller's `Patience` ran out.
    OutOfTime,
    /// An argument, such as an address, is malformed.
    Invalid,
    /// This build of the program does not support the call.
    Unsupported,
    /// The disk or the user's quota is full.
    DiskFull,
    /// The process or the machine has too many open files.
    TooManyOpenFiles,
    /// The file would exceed a limit of the file system or of the process.
    FileSizeLimit,
    /// A name is longer than the file system allows.
    NameTooLong,
    /// Any other failure, such as a broken device.
    Failed,
}

/// A failure: its kind, the attempted action, and the error of the system or driver.
#[derive(Debug)]
pub struct PortError {
    /// The kind, for decisions of callers.
    pub kind: ErrorKind,
    /// The attempted action, such as `write '/home/x/SKILL.md'`; begins with a verb.
    pub doing: String,
    /// The file or folder that caused the failure, unless it is the requested one.
    pub at: Option<PathBuf>,
    /// The underlying error; its text appears with `-v`, never in a message.
    pub source: Option<Box<dyn Error + Send + Sync>>,
}

impl PortError {
    /// A failure without an underlying error.
    pub fn new(kind: ErrorKind, doing: impl Into<String>) -> Self {
        Self { kind, doing: doing.into(), at: None, source: None }
    }

    /// Adds the file or folder that caused the failure.
    pub fn at(mut self, path: &Path) -> Self {
        self.at = Some(path.to_owned());
        self
    }

    /// Adds the underlying error.
    pub fn caused_by(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Converts an error of the file system.
    pub fn io(doing: impl Into<String>, error: std::io::Error) -> Self {
        use std::io::ErrorKind as Io;
        let kind = match error.kind() {
            _ if is_out_of_descriptors(&error) => ErrorKind::TooManyOpenFiles,
            Io::StorageFull | Io::QuotaExceeded => ErrorKind::DiskFull,
            Io::FileTooLarge => ErrorKind::FileSizeLimit,
            Io::InvalidFilename => ErrorKind::NameTooLong,
            Io::NotFound | Io::NotADirectory => ErrorKind::NotFound,
            Io::AlreadyExists => ErrorKind::AlreadyExists,
            Io::PermissionDenied | Io::ReadOnlyFilesystem => ErrorKind::Denied,
            Io::IsADirectory => ErrorKind::NotAFile,
            Io::WouldBlock | Io::ResourceBusy => ErrorKind::Busy,
            _ => ErrorKind::Failed,
        };
        Self::new(kind, doing).caused_by(error)
    }

    /// The kind as a phrase for messages.
    pub fn reason(&self) -> &'static str {
        match self.kind {
            ErrorKind::NotFound => "not found",
            ErrorKind::AlreadyExists => "already exists",
            ErrorKind::Escapes => "it leads out of the skill",
            ErrorKind::Linked => "a component of the path is a link",
            ErrorKind::NotAFile => "not a regular file",
            ErrorKind::TooLarge => "too large",
            ErrorKind::Denied => "permission denied or read-only",
            ErrorKind::Busy => "in use by another process",
            ErrorKind::Changed => "it was changed in between",
            ErrorKind::Corrupt => "its content is not valid",
            ErrorKind::Unreachable => "no server answers",
            ErrorKind::Stalled => "the server stopped sending",
            ErrorKind::Insecure => "the server refuses encryption",
            ErrorKind::NotReady => "it has not been set up",
            ErrorKind::OutOfTime => "it took too long",
            ErrorKind::Newer => "it was created by a newer version",
            ErrorKind::Invalid => "it cannot be read",
            ErrorKind::DiskFull => "the disk is full or the quota is used up",
            ErrorKind::TooManyOpenFiles => "too many open files",
            ErrorKind::FileSizeLimit => "the file would exceed the size limit",
            ErrorKind::NameTooLong => "the name is too long",
            ErrorKind::Unsupported => "this program was built without it",
            ErrorKind::Failed => "the system reported a failure",
        }
    }
}

/// Whether it is EMFILE or ENFILE, which have no kind of their own in the standard library. The numbers are the same
/// on every Unix.
#[cfg(unix)]
fn is_out_of_descriptors(error: &std::io::Error) -> bool {
    matches!(error.raw_os_error(), Some(23 | 24))
}

/// Whether it is ERROR_TOO_MANY_OPEN_FILES.
#[cfg(not(unix))]
fn is_out_of_descriptors(error: &std::io::Error) -> bool {
    error.raw_os_error() == Some(4)
}

impl fmt::Display for PortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {}: {}", self.doing, self.reason())
    }
}

impl Error for PortError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|e| e as &(dyn Error + 'static))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// L7
    #[test]
    fn exhausted_resources_have_a_kind_and_a_message() {
        // ENFILE, EMFILE, EFBIG, ENOSPC, EDQUOT and ENAMETOOLONG on Linux; the first four numbers are the same on
        // every Unix.
        let mut expected = vec![
            (23, ErrorKind::TooManyOpenFiles),
            (24, ErrorKind::TooManyOpenFiles),
            (27, ErrorKind::FileSizeLimit),
            (28, ErrorKind::DiskFull),
        ];
        if cfg!(target_os = "linux") {
            expected.extend([(122, ErrorKind::DiskFull), (36, ErrorKind::NameTooLong)]);
        }
        for (errno, kind) in expected {
            let error = PortError::io("write 'x'", std::io::Error::from_raw_os_error(errno));
            assert_eq!(error.kind, kind, "{errno}");
            assert!(!error.to_string().contains("the system reported a failure"), "{error}");
        }
    }
}
