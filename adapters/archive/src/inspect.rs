//! Inspects archives from untrusted sources.
//!
//! Entries are listed one at a time and contents are unpacked through a small buffer, so memory stays bounded
//! whatever the archive declares.

use crate::bounded::{Allowance, BoundedReader};
use skillc_domain::archive::{ArchiveEntry, ArchiveFlaw, ArchivedKind};
use skillc_domain::limits::{
    ARCHIVE_BOMB_BYTES_MIN, ARCHIVE_ENTRIES_MAX, ARCHIVE_RATIO_MAX, ARCHIVE_UNPACKED_BYTES_MAX,
    LOAD_BYTES_MAX,
};
use skillc_domain::places::SKILL_FILE;
use skillc_ports::{ErrorKind, InspectedArchive, PortError, ReadSeek};
use std::io::{BufReader, Read};
use zip::ZipReadOptions;
use zip::read::{ArchiveOffset, Config, ZipFileEntry};
use zip::result::ZipError;
use zip::unstable::read::ZipIterable;

/// Maximum number of bytes read to find the directory. The library searches for it if the end of the file does not
/// say where it is.
const OPENING_BYTES_MAX: u64 = 2 * 1024 * 1024;
/// Maximum number of bytes read for listing: enough for the headers of all listed entries, with names of common length.
const LISTING_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Maximum number of compressed bytes read from all contents. An archive within the limit of uncompressed bytes has
/// fewer.
const CONTENT_BYTES_MAX: u64 = 2 * ARCHIVE_UNPACKED_BYTES_MAX;
/// Size in bytes of the buffer through which contents pass.
const BUFFER_BYTES: usize = 64 * 1024;

type Reader = BoundedReader<BufReader<Box<dyn ReadSeek>>>;

pub(crate) fn inspect(mut source: Box<dyn ReadSeek>) -> Result<InspectedArchive, PortError> {
    let size =
        source.seek(std::io::SeekFrom::End(0)).map_err(|error| PortError::io("read the archive", error))?;
    let allowance = Allowance::new(OPENING_BYTES_MAX);
    let reader = BoundedReader::new(BufReader::new(source), allowance.clone());
    let config = Config { archive_offset: ArchiveOffset::Detect };
    let archive = ZipIterable::try_new(reader, config)
        .map_err(|error| PortError::new(ErrorKind::Corrupt, "read the archive").caused_by(error))?;
    let mut inspection = Inspection {
        archive: archive.enforce_header_consistency(true),
        allowance,
        found: InspectedArchive::default(),
    };
    inspection.found.listing.archive_bytes = Some(size);
    inspection.list();
    if inspection.found.listing.flaws.is_empty() {
        inspection.unpack();
    }
    Ok(inspection.found)
}

struct Inspection {
    archive: ZipIterable<Reader>,
    allowance: Allowance,
    found: InspectedArchive,
}

impl Inspection {
    fn list(&mut self) {
        let count = self.archive.len() as u64;
        if count > ARCHIVE_ENTRIES_MAX {
            self.found.listing.flaws.push(ArchiveFlaw::TooManyEntries { count });
        }
        self.allowance.renew(LISTING_BYTES_MAX);
        let Ok(entries) = self.archive.files() else { return };
        for entry in entries.take(usize::try_from(ARCHIVE_ENTRIES_MAX).unwrap_or(usize::MAX)) {
            match entry {
                Ok(entry) => self.found.listing.entries.push(listed(&entry)),
                Err(error) => {
                    let (name, message) =
                        (String::new(), format!("the directory is damaged: {}", reason(&error)));
                    return self.found.listing.flaws.push(ArchiveFlaw::Damaged { name, message });
                }
            }
        }
    }

    /// Reads every content once, up to the limits, and keeps that of the first SKILL.md.
    fn unpack(&mut self) {
        if self.found.listing.bytes() > ARCHIVE_UNPACKED_BYTES_MAX {
            let bytes_max = ARCHIVE_UNPACKED_BYTES_MAX;
            return self.found.listing.flaws.push(ArchiveFlaw::TooLarge { bytes_max });
        }
        self.allowance.renew(CONTENT_BYTES_MAX);
        let mut left = ARCHIVE_UNPACKED_BYTES_MAX;
        let Ok(entries) = self.archive.files() else { return };
        while let Some(Ok(entry)) = entries.next() {
            let listed = listed(&entry);
            if !listed.is_file() || listed.is_encrypted {
                continue;
            }
            let is_skill_md = listed.file_name() == SKILL_FILE && self.found.skill_md.is_none();
            let packed = entry.compressed_size();
            let unpacked = entry
                .with_reader(entries.reader_mut(), ZipReadOptions::new())
                .map_err(|error| damaged(&listed.name, &error))
                .and_then(|file| unpack(file, &listed.name, packed, &mut left, is_skill_md));
            match unpacked {
                Ok(Some(skill_md)) => self.found.skill_md = Some(skill_md),
                Ok(None) => {}
                Err(flaw) => return self.found.listing.flaws.push(flaw),
            }
        }
    }
}

/// Unpacks one entry; returns its content if it is to be kept.
fn unpack(
    mut file: impl Read,
    name: &str,
    packed: u64,
    left: &mut u64,
    is_retained: bool,
) -> Result<Option<Vec<u8>>, ArchiveFlaw> {
    let (mut buffer, mut content, mut total) = (vec![0; BUFFER_BYTES], Vec::new(), 0_u64);
    loop {
        let count = file.read(&mut buffer).map_err(|error| damaged(name, &ZipError::Io(error)))?;
        if count == 0 {
            return Ok(is_retained.then_some(content));
        }
        total += count as u64;
        if total > ARCHIVE_BOMB_BYTES_MIN && total / packed.max(1) > ARCHIVE_RATIO_MAX {
            return Err(ArchiveFlaw::Bomb { name: name.to_owned() });
        }
        *left = left
            .checked_sub(count as u64)
            .ok_or(ArchiveFlaw::TooLarge { bytes_max: ARCHIVE_UNPACKED_BYTES_MAX })?;
        if is_retained && total <= LOAD_BYTES_MAX {
            content.extend_from_slice(&buffer[..count]);
        }
    }
}

fn damaged(name: &str, error: &ZipError) -> ArchiveFlaw {
    ArchiveFlaw::Damaged { name: name.to_owned(), message: reason(error) }
}

/// The library's error message without its prefix.
fn reason(error: &ZipError) -> String {
    match error {
        ZipError::InvalidArchive(message) => message.to_string(),
        ZipError::UnsupportedArchive(message) => (*message).to_owned(),
        ZipError::CompressionMethodNotSupported(method) => format!("unknown compression method {method}"),
        ZipError::Io(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            "it is truncated".to_owned()
        }
        other => other.to_string(),
    }
}

fn listed(entry: &ZipFileEntry<'_>) -> ArchiveEntry {
    let raw = entry.name_raw();
    let name =
        entry.name().map_or_else(|_| String::from_utf8_lossy(raw).into_owned(), |name| name.into_owned());
    ArchiveEntry {
        kind: kind(entry),
        bytes: entry.size(),
        has_portable_name: raw.is_ascii() || is_marked_utf8(entry),
        is_encrypted: entry.encrypted(),
        name,
    }
}

fn is_marked_utf8(entry: &ZipFileEntry<'_>) -> bool {
    const LANGUAGE_ENCODING: u16 = 1 << 11;
    entry.flags().as_u16() & LANGUAGE_ENCODING != 0 && std::str::from_utf8(entry.name_raw()).is_ok()
}

/// The entry's type, from its Unix mode. Archives of other systems have no mode, and mark folders by their names.
fn kind(entry: &ZipFileEntry<'_>) -> ArchivedKind {
    const TYPE: u32 = 0o170_000;
    const FILE: u32 = 0o100_000;
    const FOLDER: u32 = 0o040_000;
    match entry.unix_mode().map_or(0, |mode| mode & TYPE) {
        0 | FILE | FOLDER if entry.is_dir() => ArchivedKind::Folder,
        0 | FILE => ArchivedKind::File,
        FOLDER => ArchivedKind::Folder,
        _ => ArchivedKind::Link,
    }
}
