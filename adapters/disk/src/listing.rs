//! Opens folders and lists them.

use cap_std::fs::Dir;
use skillc_fs::EntryKind;
use std::ffi::{OsStr, OsString};
use std::io;
use std::ops::ControlFlow;

/// Size in bytes of the buffer for one system call: a hundred entries or more.
#[cfg(target_os = "linux")]
const BUFFER_BYTES: usize = 16 * 1024;

/// A buffer for listings, reused for each folder.
#[derive(Debug, Default)]
pub(crate) struct ListingBuffer {
    #[cfg(target_os = "linux")]
    bytes: Vec<u8>,
}

/// Opens a folder below a root for listing; the empty path is the root itself. Follows links that stay inside.
#[cfg(target_os = "linux")]
pub(crate) fn open(root: &Dir, path: &OsStr) -> io::Result<Dir> {
    use cap_std::fs::{OpenOptions, OpenOptionsExt};
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(rustix::fs::OFlags::DIRECTORY.bits() as i32);
    Ok(Dir::from_std_file(root.open_with(or_itself(path), &options)?.into_std()))
}

/// Opens a folder below a root; the empty path is the root itself. Follows links that stay inside.
#[cfg(not(target_os = "linux"))]
pub(crate) fn open(root: &Dir, path: &OsStr) -> io::Result<Dir> {
    root.open_dir(or_itself(path))
}

fn or_itself(path: &OsStr) -> &OsStr {
    if path.is_empty() { OsStr::new(".") } else { path }
}

/// Lists a folder that was just opened: name and kind of each entry, unordered. The kind is `None` if the file system
/// does not report it. Takes two system calls for most folders; the portable way takes five.
#[cfg(target_os = "linux")]
pub(crate) fn each_entry(
    folder: &Dir,
    buffer: &mut ListingBuffer,
    mut take: impl FnMut(OsString, Option<EntryKind>) -> ControlFlow<()>,
) -> io::Result<()> {
    use rustix::fs::RawDir;
    use std::os::unix::ffi::OsStringExt;
    buffer.bytes.clear();
    buffer.bytes.reserve(BUFFER_BYTES);
    let mut entries = RawDir::new(folder, buffer.bytes.spare_capacity_mut());
    while let Some(entry) = entries.next() {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        let is_folder_itself = matches!(name, b"." | b"..");
        if !is_folder_itself && take(OsString::from_vec(name.to_vec()), kind(entry.file_type())).is_break() {
            break;
        }
    }
    Ok(())
}

#[cfg(target_os = "linux")]
fn kind(kind: rustix::fs::FileType) -> Option<EntryKind> {
    use rustix::fs::FileType;
    match kind {
        FileType::RegularFile => Some(EntryKind::File),
        FileType::Directory => Some(EntryKind::Folder),
        FileType::Symlink => Some(EntryKind::Link),
        FileType::Unknown => None,
        _ => Some(EntryKind::Other),
    }
}

/// Lists an open folder: name and kind of each entry, unordered.
#[cfg(not(target_os = "linux"))]
pub(crate) fn each_entry(
    folder: &Dir,
    _: &mut ListingBuffer,
    mut take: impl FnMut(OsString, Option<EntryKind>) -> ControlFlow<()>,
) -> io::Result<()> {
    for entry in folder.entries()? {
        let entry = entry?;
        if take(entry.file_name(), kind_of(entry.file_type()?)).is_break() {
            break;
        }
    }
    Ok(())
}

/// The kind of an entry; `None` if the file system does not report it.
pub(crate) fn kind_of(kind: cap_std::fs::FileType) -> Option<EntryKind> {
    match kind {
        kind if kind.is_file() => Some(EntryKind::File),
        kind if kind.is_dir() => Some(EntryKind::Folder),
        kind if kind.is_symlink() => Some(EntryKind::Link),
        kind if kind == cap_std::fs::FileType::unknown() => None,
        _ => Some(EntryKind::Other),
    }
}
