//! Archives of skills, as their directories list them.

use std::fmt;

/// A file that is put into an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveMember {
    /// Its name in the archive: a path with `/` as separator.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl ArchiveMember {
    /// Its permissions, decided by its content alone, so that they are the same on every system and for every umask: 0755 for
    /// a script with `#!` and for a program, else 0644.
    pub fn mode(&self) -> u32 {
        const PROGRAMS: [&[u8]; 4] = [b"#!", b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"];
        if PROGRAMS.iter().any(|magic| self.bytes.starts_with(magic)) { 0o755 } else { 0o644 }
    }
}

/// What an entry of an archive is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchivedKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
}

/// An entry of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveEntry {
    /// As written; bytes that are not text are replaced.
    pub name: String,
    /// What it is.
    pub kind: ArchivedKind,
    /// Bytes of the content, as declared.
    pub bytes: u64,
    /// Whether the name is ASCII, or marked as UTF-8.
    pub has_portable_name: bool,
    /// Whether a password is needed.
    pub is_encrypted: bool,
}

impl ArchiveEntry {
    /// A regular file.
    pub fn file(name: impl Into<String>, bytes: u64) -> Self {
        let kind = ArchivedKind::File;
        Self { name: name.into(), kind, bytes, has_portable_name: true, is_encrypted: false }
    }

    /// Whether it is a regular file.
    pub fn is_file(&self) -> bool {
        self.kind == ArchivedKind::File
    }

    /// The last segment of the name.
    pub fn file_name(&self) -> &str {
        self.name.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
    }
}

/// What is wrong with an archive whatever it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveFlaw {
    /// It declares more entries than are read.
    TooManyEntries {
        /// The declared number.
        count: u64,
    },
    /// It unpacks to more than is read.
    TooLarge {
        /// Bytes at which reading stopped.
        bytes_max: u64,
    },
    /// An entry unpacks to far more than it is packed.
    Bomb {
        /// Its name.
        name: String,
    },
    /// An entry is cut, does not match its checksum, or is listed differently in its two headers.
    Damaged {
        /// Its name; empty for the directory of the archive.
        name: String,
        /// In lower case, without a full stop.
        message: String,
    },
}

impl fmt::Display for ArchiveFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyEntries { count } => write!(f, "the archive has {count} entries"),
            Self::TooLarge { bytes_max } => write!(f, "the archive unpacks to more than {bytes_max} bytes"),
            Self::Bomb { name } => write!(f, "'{name}' unpacks to more than a hundred times its size"),
            Self::Damaged { name, message } if name.is_empty() => f.write_str(message),
            Self::Damaged { name, message } => write!(f, "'{name}' is damaged: {message}"),
        }
    }
}

/// The content of an archive, without what the files hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArchiveListing {
    /// In the order of the archive; a name may occur twice.
    pub entries: Vec<ArchiveEntry>,
    /// Bytes of the archive itself; `None` before it is made.
    pub archive_bytes: Option<u64>,
    /// What is wrong with it.
    pub flaws: Vec<ArchiveFlaw>,
}

impl ArchiveListing {
    /// The regular files.
    pub fn files(&self) -> impl Iterator<Item = &ArchiveEntry> {
        self.entries.iter().filter(|entry| entry.is_file())
    }

    /// Bytes of all files, unpacked, as declared.
    pub fn bytes(&self) -> u64 {
        self.files().map(|file| file.bytes).fold(0, u64::saturating_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0015:C-ARCHIVE
    #[test]
    fn permissions_follow_from_the_content() {
        for (bytes, mode) in
            [(&b"#!/bin/sh\n"[..], 0o755), (b"\x7fELF\x02", 0o755), (b"# Demo\n", 0o644), (b"", 0o644)]
        {
            let member = ArchiveMember { name: "x".to_owned(), bytes: bytes.to_vec() };
            assert_eq!(member.mode(), mode, "{bytes:?}");
        }
    }
}
