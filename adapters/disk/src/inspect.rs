//! Information about files and folders, without opening or changing them.

use crate::clock::unix_ns;
use skillc_fs::{EntryKind, Folder, FolderEntry};
use skillc_ports::error::{ErrorKind, PortError};
use skillc_ports::inspection::{FolderSize, InspectedEntry, InspectedKind, Inspector};
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// The file system of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskInspector;

impl Inspector for DiskInspector {
    fn entry(&self, path: &Path) -> Result<Option<InspectedEntry>, PortError> {
        let Some((folder, name)) = present(Folder::of_file(path))? else { return Ok(None) };
        Ok(folder.entry(name)?.map(|entry| inspected(path.to_owned(), &entry)))
    }

    fn entries(&self, folder: &Path) -> Result<Vec<InspectedEntry>, PortError> {
        let Some(folder) = present(Folder::open(folder))? else { return Ok(Vec::new()) };
        let mut names: Vec<_> = folder.entries()?.into_iter().map(|(name, _)| name).collect();
        names.sort_unstable();
        let entry = |name| {
            let entry = folder.entry(&name).transpose()?;
            Some(entry.map(|entry| inspected(folder.path().join(name), &entry)))
        };
        names.into_iter().filter_map(entry).collect()
    }

    fn is_loop(&self, link: &Path) -> bool {
        fs::metadata(link).is_err_and(|error| is_loop(&error))
    }

    fn is_program(&self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && is_executable(&metadata))
    }

    fn size(&self, folder: &Path) -> FolderSize {
        let files = WalkDir::new(folder).into_iter().flatten().filter(|entry| entry.file_type().is_file());
        let sizes = files.filter_map(|entry| Some(entry.metadata().ok()?.len()));
        sizes.fold(FolderSize::default(), |sum, bytes| FolderSize {
            files: sum.files + 1,
            bytes: sum.bytes + bytes,
        })
    }
}

/// Converts `NotFound` to `None`.
fn present<T>(opened: Result<T, PortError>) -> Result<Option<T>, PortError> {
    match opened {
        Err(error) if error.kind == ErrorKind::NotFound => Ok(None),
        opened => opened.map(Some),
    }
}

fn inspected(path: PathBuf, entry: &FolderEntry) -> InspectedEntry {
    let kind = match entry.kind {
        EntryKind::File => InspectedKind::File,
        EntryKind::Folder => InspectedKind::Folder,
        EntryKind::Link => InspectedKind::Link,
        EntryKind::Other => InspectedKind::Special,
    };
    let modified = entry.metadata.modified().ok().map(cap_std::time::SystemTime::into_std);
    InspectedEntry {
        path,
        kind,
        is_world_writable: kind != InspectedKind::Link && is_world_writable(&entry.metadata),
        modified_ns: modified.map(unix_ns).unwrap_or_default(),
    }
}

#[cfg(unix)]
fn is_world_writable(metadata: &cap_std::fs::Metadata) -> bool {
    use cap_std::fs::MetadataExt;
    /// The permission bit that lets all other users write.
    const OTHERS_WRITE: u32 = 0o002;
    /// The sticky bit: only the owner of an entry can replace it.
    const STICKY: u32 = 0o1000;
    metadata.mode() & OTHERS_WRITE != 0 && metadata.mode() & STICKY == 0
}

#[cfg(not(unix))]
fn is_world_writable(_: &cap_std::fs::Metadata) -> bool {
    false
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    true
}

#[cfg(unix)]
fn is_loop(error: &std::io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error())
}

#[cfg(not(unix))]
fn is_loop(_: &std::io::Error) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn entries_are_seen_as_they_are_and_links_are_not_followed() {
        let home = tempfile::tempdir().unwrap();
        let at = fs::canonicalize(home.path()).unwrap();
        fs::create_dir(at.join("open")).unwrap();
        fs::set_permissions(at.join("open"), fs::Permissions::from_mode(0o777)).unwrap();
        fs::write(at.join(".hidden"), "12345").unwrap();
        symlink("round", at.join("round")).unwrap();
        symlink("nothing", at.join("dead")).unwrap();
        let found = DiskInspector.entries(&at).unwrap();
        let names: Vec<_> =
            found.iter().map(|e| (e.path.file_name().unwrap().to_str().unwrap(), e.kind)).collect();
        assert_eq!(
            names,
            [
                (".hidden", InspectedKind::File),
                ("dead", InspectedKind::Link),
                ("open", InspectedKind::Folder),
                ("round", InspectedKind::Link)
            ]
        );
        assert_eq!(found.iter().filter(|e| e.is_world_writable).count(), 1);
        assert!(DiskInspector.is_loop(&at.join("round")) && !DiskInspector.is_loop(&at.join("dead")));
        assert_eq!(DiskInspector.size(&at), FolderSize { files: 1, bytes: 5 });
        assert!(!DiskInspector.is_program(&at.join(".hidden")));
        fs::set_permissions(at.join(".hidden"), fs::Permissions::from_mode(0o755)).unwrap();
        assert!(DiskInspector.is_program(&at.join(".hidden")));
        assert!(DiskInspector.entries(&at.join("missing")).unwrap().is_empty());
        assert!(DiskInspector.entry(&at.join("missing/x")).unwrap().is_none());
        assert_eq!(DiskInspector.entries(&at.join("round/x")).unwrap_err().kind, ErrorKind::Linked);
    }
}
