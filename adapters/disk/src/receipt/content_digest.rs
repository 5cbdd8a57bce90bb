//! The digest of everything at a path.

use sha2::{Digest, Sha256};
use skillc_fs::{EntryKind, Folder};
use skillc_ports::error::{ErrorKind, PortError};
use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;

/// Stands for the digest of a path without content.
pub(super) const NOTHING: &str = "-";

/// The digest of a path's content.
pub(super) fn digest_at(place: &Path) -> Result<String, PortError> {
    match Folder::of_file(place) {
        Ok((beside, name)) => digest_in(&beside, &name),
        Err(error) if error.kind == ErrorKind::NotFound => Ok(NOTHING.to_owned()),
        Err(error) => Err(error),
    }
}

/// The digest of an entry: of a file's bytes, a link's target, or everything below a folder. The entry's own name
/// does not matter.
pub(super) fn digest_in(folder: &Folder, name: &OsStr) -> Result<String, PortError> {
    if folder.kind(name).is_none() {
        return Ok(NOTHING.to_owned());
    }
    let mut hash = Sha256::new();
    add(folder, name, &mut hash)?;
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn add(folder: &Folder, name: &OsStr, hash: &mut Sha256) -> Result<(), PortError> {
    match folder.kind(name) {
        Some(EntryKind::File) => {
            hash.update(b"file");
            add_file(folder, name, hash)?;
        }
        Some(EntryKind::Link) => {
            let to = folder.read_link(name)?;
            part(hash, b"link", to.as_os_str().as_encoded_bytes());
        }
        Some(EntryKind::Folder) => {
            let inner = folder.subfolder(name)?;
            let mut names: Vec<_> = inner.entries()?.into_iter().map(|(name, _)| name).collect();
            names.sort_unstable();
            for name in names {
                part(hash, b"entry", name.as_encoded_bytes());
                add(&inner, &name, hash)?;
            }
            hash.update(b"end");
        }
        Some(EntryKind::Other) | None => hash.update(b"other"),
    }
    Ok(())
}

fn part(hash: &mut Sha256, kind: &[u8], bytes: &[u8]) {
    hash.update(kind);
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

fn add_file(folder: &Folder, name: &OsStr, hash: &mut Sha256) -> Result<(), PortError> {
    let mut file = folder.open_file(name)?;
    let mut content = Sha256::new();
    let mut buffer = vec![0; 65_536];
    loop {
        let read = file.read(&mut buffer);
        match read.map_err(|error| PortError::io(format!("read '{}'", folder.path().display()), error))? {
            0 => break,
            count => content.update(&buffer[..count]),
        }
    }
    hash.update(content.finalize());
    Ok(())
}
