//! The content of a path, identified by a digest of everything there.

use sha2::{Digest, Sha256};
use skillc_fs::{EntryKind, Folder};
use skillc_ports::error::{ErrorKind, PortError};
use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;

/// The content of a path, as far as a receipt compares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlaceContent {
    /// The path does not exist.
    Nothing,
    /// SHA-256 of everything at the path, in hexadecimal digits.
    Digest(String),
}

impl PlaceContent {
    const NOTHING: &'static str = "-";

    /// The text in a record.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Nothing => Self::NOTHING,
            Self::Digest(digest) => digest,
        }
    }

    /// Parses the text in a record.
    pub(super) fn parse(text: String) -> Self {
        if text == Self::NOTHING { Self::Nothing } else { Self::Digest(text) }
    }
}

/// The current content of a path.
pub(super) fn content_at(place: &Path) -> Result<PlaceContent, PortError> {
    match Folder::of_file(place) {
        Ok((beside, name)) => content_in(&beside, &name),
        Err(error) if error.kind == ErrorKind::NotFound => Ok(PlaceContent::Nothing),
        Err(error) => Err(error),
    }
}

/// The current content of an entry. Its digest covers a file's bytes, a link's target, or everything below a folder, but
/// not the entry's own name.
pub(super) fn content_in(folder: &Folder, name: &OsStr) -> Result<PlaceContent, PortError> {
    if folder.kind(name).is_none() {
        return Ok(PlaceContent::Nothing);
    }
    let mut hash = Sha256::new();
    add(folder, name, &mut hash)?;
    Ok(PlaceContent::Digest(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()))
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
