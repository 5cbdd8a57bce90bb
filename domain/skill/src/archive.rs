//! Archives of skills, as their directories list them.

use std::fmt;

/// A file that is put into an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveMember {
    /// Path in the archive, with `/` as separator.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl ArchiveMember {
    /// The permission bits. They depend on the content alone, so that they are the same on every system and for every
    /// umask: 0755 for scripts with `#!` and for executables, otherwise 0644.
    pub fn mode(&self) -> u32 {
        const PROGRAMS: [&[u8]; 4] = [b"#!", b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"];
        if PROGRAMS.iter().any(|magic| self.bytes.starts_with(magic)) { 0o755 } else { 0o644 }
    }
}

/// The type of an archive entry.
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
    /// The path as written in the archive; bytes that are not valid UTF-8 are replaced.
    pub name: String,
    /// Whether it is a file, a folder or a link.
    pub kind: ArchivedKind,
    /// Uncompressed size in bytes, as declared.
    pub bytes: u64,
    /// Whether the name is ASCII or flagged as UTF-8.
    pub has_portable_name: bool,
    /// Whether a password is needed to read it.
    pub is_encrypted: bool,
}

impl ArchiveEntry {
    /// A regular file that is neither encrypted nor oddly named.
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

/// What is wrong with an archive, regardless of its receiver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveFlaw {
    /// It declares more entries than the program is willing to read.
    TooManyEntries {
        /// The declared number of entries.
        count: u64,
    },
    /// Its content is larger than the program is willing to unpack.
    TooLarge {
        /// The limit in bytes at which reading stopped.
        bytes_max: u64,
    },
    /// The compression ratio of an entry is implausibly high.
    Bomb {
        /// Path of the entry.
        name: String,
    },
    /// An entry is truncated, does not match its checksum, or has two headers that disagree.
    Damaged {
        /// Path of the entry; empty if the central directory is damaged.
        name: String,
        /// The reason, in lower case, without a full stop.
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

/// The entries of an archive, without the contents of files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArchiveListing {
    /// In archive order; a name may occur twice.
    pub entries: Vec<ArchiveEntry>,
    /// Size of the archive itself in bytes; `None` before it is written.
    pub archive_bytes: Option<u64>,
    /// Problems found while reading it.
    pub flaws: Vec<ArchiveFlaw>,
}

impl ArchiveListing {
    /// The regular files.
    pub fn files(&self) -> impl Iterator<Item = &ArchiveEntry> {
        self.entries.iter().filter(|entry| entry.is_file())
    }

    /// Total uncompressed size of the files in bytes, as declared.
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

    /// RFC-0015:C-ARCHIVE
    #[test]
    fn programs_of_apple_are_executable_too() {
        for bytes in [b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"] {
            assert_eq!(ArchiveMember { name: "x".into(), bytes: bytes.to_vec() }.mode(), 0o755);
        }
    }

    /// RFC-0015:C-CHECK
    #[test]
    fn only_files_count_towards_the_size() {
        let other = |kind| ArchiveEntry { kind, ..ArchiveEntry::file("x/y/", 100) };
        let entries = vec![
            ArchiveEntry::file("x/a.md", 7),
            other(ArchivedKind::Folder),
            other(ArchivedKind::Link),
            ArchiveEntry::file("b.md", 5),
        ];
        let names: Vec<&str> = entries.iter().map(ArchiveEntry::file_name).collect();
        assert_eq!(names, ["a.md", "y", "y", "b.md"]);
        let listing = ArchiveListing { entries, ..ArchiveListing::default() };
        assert_eq!((listing.files().count(), listing.bytes()), (2, 12));
        let huge = vec![ArchiveEntry::file("a", u64::MAX), ArchiveEntry::file("b", 1)];
        assert_eq!(ArchiveListing { entries: huge, ..ArchiveListing::default() }.bytes(), u64::MAX);
    }

    /// RFC-0015:C-SAFE
    #[test]
    fn a_flaw_names_the_entry_if_it_is_about_one() {
        let damaged = |name: &str| ArchiveFlaw::Damaged { name: name.into(), message: "it is cut".into() };
        for (flaw, text) in [
            (damaged("a.md"), "'a.md' is damaged: it is cut"),
            (damaged(""), "it is cut"),
            (ArchiveFlaw::TooManyEntries { count: 7 }, "the archive has 7 entries"),
            (ArchiveFlaw::TooLarge { bytes_max: 7 }, "the archive unpacks to more than 7 bytes"),
            (ArchiveFlaw::Bomb { name: "a".into() }, "'a' unpacks to more than a hundred times its size"),
        ] {
            assert_eq!(flaw.to_string(), text);
        }
    }
}
