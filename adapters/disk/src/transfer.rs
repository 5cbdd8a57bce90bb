//! Moves and copies entries between folders, even across file systems.

use skillc_fs::{EntryKind, Folder};
use skillc_ports::error::{ErrorKind, PortError};
use std::ffi::OsStr;
use std::io;

/// Moves an entry to another folder; copies and deletes it if that is on another file system.
pub(crate) fn move_entry(from: &Folder, name: &OsStr, to: &Folder, new: &OsStr) -> Result<(), PortError> {
    match from.rename(name, to, new) {
        Err(error) if is_across_devices(&error) => {
            copy_entry(from, name, to, new)?;
            from.remove_all(name)
        }
        renamed => renamed,
    }
}

fn is_across_devices(error: &PortError) -> bool {
    let source = error.source.as_ref().and_then(|source| source.downcast_ref::<io::Error>());
    source.is_some_and(|error| error.kind() == io::ErrorKind::CrossesDevices)
}

/// Copies files with their permissions, folders recursively, and links as links.
pub(crate) fn copy_entry(from: &Folder, name: &OsStr, to: &Folder, new: &OsStr) -> Result<(), PortError> {
    match from.kind(name) {
        Some(EntryKind::File) => copy_file(from, name, to, new),
        Some(EntryKind::Folder) => {
            let (old, made) = (from.subfolder(name)?, to.create_subfolder(new)?);
            old.entries()?.iter().try_for_each(|(name, _)| copy_entry(&old, name, &made, name))
        }
        #[cfg(unix)]
        Some(EntryKind::Link) => to.make_link(new, &from.read_link(name)?),
        _ => {
            let doing = format!("copy '{}'", from.path().join(name).display());
            Err(PortError::new(ErrorKind::NotAFile, doing))
        }
    }
}

fn copy_file(from: &Folder, name: &OsStr, to: &Folder, new: &OsStr) -> Result<(), PortError> {
    let failed = |error| PortError::io(format!("copy '{}'", from.path().join(name).display()), error);
    let mut old = from.open_file(name)?;
    let mut copy = to.create_file(new, 0o600)?;
    io::copy(&mut old, &mut copy).map_err(failed)?;
    let metadata = old.metadata().map_err(failed)?;
    copy.set_permissions(metadata.permissions()).map_err(failed)?;
    if let Ok(modified) = metadata.modified() {
        copy.set_modified(modified).map_err(failed)?;
    }
    copy.sync_all().map_err(failed)
}
