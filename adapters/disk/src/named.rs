//! Files that the user names on the command line.

use skillc_ports::error::{ErrorKind, PortError};
use skillc_ports::named::NamedFiles;
use std::any::Any;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Files of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskNamedFiles;

impl NamedFiles for DiskNamedFiles {
    fn read(&self, path: &Path, bytes_max: u64) -> Result<Vec<u8>, PortError> {
        let doing = || format!("read '{}'", path.display());
        let metadata = fs::metadata(path).map_err(|e| PortError::io(doing(), e))?;
        // Looked at before it is opened: to open a FIFO would block.
        if !metadata.is_file() {
            return Err(PortError::new(ErrorKind::NotAFile, doing()));
        }
        let mut bytes = Vec::new();
        let file = fs::File::open(path).map_err(|e| PortError::io(doing(), e))?;
        file.take(bytes_max.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|e| PortError::io(doing(), e))?;
        if bytes.len() as u64 > bytes_max {
            return Err(PortError::new(ErrorKind::TooLarge, doing()));
        }
        Ok(bytes)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), PortError> {
        let doing = || format!("write '{}'", path.display());
        let path = target(path).map_err(|e| PortError::io(doing(), e))?;
        let old = fs::metadata(&path).ok();
        if old.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            return Err(PortError::new(ErrorKind::NotAFile, doing()));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let write = || {
            let mut file = crate::runtime::temporary(folder)?;
            // Before the first byte: what only its owner may read is not to be seen for a moment.
            if let Some(old) = &old {
                file.as_file().set_permissions(old.permissions())?;
            }
            file.write_all(bytes)?;
            file.as_file().sync_all()?;
            file.persist(&path).map_err(|e| e.error)
        };
        write().map(|_| ()).map_err(|e| PortError::io(doing(), e))
    }

    fn input(&self, bytes_max: u64) -> Result<Vec<u8>, PortError> {
        let doing = || "read standard input".to_owned();
        let mut bytes = Vec::new();
        let input = std::io::stdin().lock();
        input
            .take(bytes_max.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|e| PortError::io(doing(), e))?;
        if bytes.len() as u64 > bytes_max {
            return Err(PortError::new(ErrorKind::TooLarge, doing()));
        }
        Ok(bytes)
    }

    fn hold(&self, folder: &Path) -> Option<Box<dyn Any + Send>> {
        // The folder itself: a file in it is replaced, and a lock of the old one keeps nobody out.
        let held = fs::File::open(folder).ok().filter(|_| folder.is_dir())?;
        held.lock().ok()?;
        Some(Box::new(held))
    }
}

/// What a link leads to is meant, and stays where it is; one that leads nowhere is not replaced.
fn target(path: &Path) -> std::io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Err(error) if fs::symlink_metadata(path).is_ok() => Err(error),
        found => Ok(found.unwrap_or_else(|_| path.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_replaced_keeps_its_rights() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret.json");
        for mode in [0o600, 0o640] {
            fs::write(&path, b"one").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            DiskNamedFiles.write(&path, b"two").unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
        }
    }

    #[test]
    fn a_file_is_written_whole_and_read_back_and_nothing_else_is_touched() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        assert_eq!(DiskNamedFiles.read(&path, 9).unwrap_err().kind, ErrorKind::NotFound);
        DiskNamedFiles.write(&path, b"one").unwrap();
        DiskNamedFiles.write(&path, b"two").unwrap();
        assert_eq!(DiskNamedFiles.read(&path, 3).unwrap(), b"two");
        assert_eq!(DiskNamedFiles.read(&path, 2).unwrap_err().kind, ErrorKind::TooLarge);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        for taken in [folder.path().to_owned(), Path::new("/dev/null").to_owned()] {
            assert_eq!(DiskNamedFiles.write(&taken, b"x").unwrap_err().kind, ErrorKind::NotAFile);
            assert_eq!(DiskNamedFiles.read(&taken, 9).unwrap_err().kind, ErrorKind::NotAFile);
        }
        let missing = folder.path().join("no/a.json");
        assert_eq!(DiskNamedFiles.write(&missing, b"x").unwrap_err().kind, ErrorKind::NotFound);
    }
}
