//! Files that the user names on the command line.

use skillc_fs::{Folder, NamedFile, ReplacePolicy, read_bounded};
use skillc_ports::error::{ErrorKind, PortError};
use skillc_ports::named::{NamedFiles, ReadSeek, WriteOptions};
use std::any::Any;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Size in bytes up to which a file is read before it is replaced; another program made a larger one.
const REPLACED_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// Named files on the local file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskNamedFiles;

impl NamedFiles for DiskNamedFiles {
    fn read(&self, path: &Path, bytes_max: u64) -> Result<Vec<u8>, PortError> {
        bounded(open(path)?, bytes_max, &|| reading(path))
    }

    fn open(&self, path: &Path) -> Result<Box<dyn ReadSeek>, PortError> {
        Ok(Box::new(open(path)?))
    }

    fn write(&self, path: &Path, bytes: &[u8], writing: &WriteOptions<'_>) -> Result<(), PortError> {
        let file = replaceable(path, writing)?;
        file.folder.write_durable(&file.name, bytes)
    }

    fn resolved(&self, path: &Path, writing: &WriteOptions<'_>) -> Result<PathBuf, PortError> {
        let file = find(path, writing)?;
        Ok(file.folder.path().join(file.name))
    }

    fn remove(&self, path: &Path, writing: &WriteOptions<'_>) -> Result<(), PortError> {
        let file = replaceable(path, writing)?;
        file.folder.remove_file(&file.name).map(drop)
    }

    fn input(&self, bytes_max: u64) -> Result<Vec<u8>, PortError> {
        bounded(std::io::stdin().lock(), bytes_max, &|| "read standard input".to_owned())
    }

    fn hold(&self, folder: &Path) -> Option<Box<dyn Any + Send>> {
        // Locks the folder, since a lock on the file would not survive replacing the file.
        let lock = Folder::open(folder).ok()?.to_lock().ok()?;
        lock.lock().ok()?;
        Some(Box::new(lock))
    }
}

fn open(path: &Path) -> Result<fs::File, PortError> {
    let metadata = fs::metadata(path).map_err(|e| PortError::io(reading(path), e))?;
    // Checked before opening, since opening a FIFO would block.
    if !metadata.is_file() {
        return Err(PortError::new(ErrorKind::NotAFile, reading(path)));
    }
    fs::File::open(path).map_err(|e| PortError::io(reading(path), e))
}

fn reading(path: &Path) -> String {
    format!("read '{}'", path.display())
}

fn find(path: &Path, writing: &WriteOptions<'_>) -> Result<NamedFile, PortError> {
    let policy = if writing.follows { ReplacePolicy::FollowOwn } else { ReplacePolicy::SameFolder };
    NamedFile::find(path, writing.root, policy)
}

/// Finds a named file, and checks whether it may be replaced.
fn replaceable(path: &Path, writing: &WriteOptions<'_>) -> Result<NamedFile, PortError> {
    let file = find(path, writing)?;
    match file.folder.read(&file.name, REPLACED_BYTES_MAX) {
        Ok(old) if !old.is_empty() && !(writing.may_replace)(&old) => {
            Err(PortError::new(ErrorKind::AlreadyExists, format!("write '{}'", path.display())))
        }
        Err(error) if error.kind != ErrorKind::NotFound => Err(error),
        _ => Ok(file),
    }
}

fn bounded(file: impl Read, bytes_max: u64, doing: &dyn Fn() -> String) -> Result<Vec<u8>, PortError> {
    let bytes = read_bounded(file, bytes_max, 0).map_err(|e| PortError::io(doing(), e))?;
    bytes.ok_or_else(|| PortError::new(ErrorKind::TooLarge, doing()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, bytes: &[u8]) -> Result<(), ErrorKind> {
        let writing =
            WriteOptions { root: None, follows: false, may_replace: &|old| old.starts_with(b"ours") };
        DiskNamedFiles.write(path, bytes, &writing).map_err(|error| error.kind)
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_replaced_keeps_its_rights() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret.json");
        for mode in [0o600, 0o640] {
            fs::write(&path, b"ours").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            write(&path, b"ours too").unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
        }
    }

    /// D13
    #[test]
    fn only_what_may_be_replaced_is_and_an_empty_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        fs::write(&path, b"mine").unwrap();
        assert_eq!(write(&path, b"ours"), Err(ErrorKind::AlreadyExists));
        assert_eq!(fs::read(&path).unwrap(), b"mine");
        fs::write(&path, b"").unwrap();
        write(&path, b"ours").unwrap();
        write(&path, b"ours again").unwrap();
    }

    #[test]
    fn a_file_is_written_whole_and_read_back_and_nothing_else_is_touched() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        assert_eq!(DiskNamedFiles.read(&path, 9).unwrap_err().kind, ErrorKind::NotFound);
        write(&path, b"ours").unwrap();
        assert_eq!(DiskNamedFiles.read(&path, 4).unwrap(), b"ours");
        assert_eq!(DiskNamedFiles.read(&path, 3).unwrap_err().kind, ErrorKind::TooLarge);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        for taken in [folder.path().to_owned(), Path::new("/dev/null").to_owned()] {
            assert_eq!(write(&taken, b"x"), Err(ErrorKind::NotAFile));
            assert_eq!(DiskNamedFiles.read(&taken, 9).unwrap_err().kind, ErrorKind::NotAFile);
        }
        let missing = folder.path().join("no/a.json");
        assert_eq!(write(&missing, b"x"), Err(ErrorKind::NotFound));
    }
}
