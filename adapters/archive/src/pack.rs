//! Creates archives whose bytes depend on nothing but names and contents.

use skillc_domain::archive::ArchiveMember;
use skillc_ports::{ErrorKind, PortError};
use std::io::{Cursor, Write};
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipWriter};

/// The comment at the end of an archive, which identifies those made by skc.
const COMMENT: &[u8] = b"made by skc pack";
/// The first bytes of every zip file with an entry.
const MAGIC: &[u8] = b"PK\x03\x04";
/// Compression level: the usual balance between time and size.
const LEVEL: i64 = 6;

pub(crate) fn pack(members: &[ArchiveMember]) -> Result<Vec<u8>, PortError> {
    write(members).map_err(|error| PortError::new(ErrorKind::Failed, "make an archive").caused_by(error))
}

pub(crate) fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) && bytes.ends_with(COMMENT)
}

fn write(members: &[ArchiveMember]) -> ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    archive.set_raw_comment(COMMENT.into())?;
    for member in members {
        // Without these, the library records the time and system of this machine.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(LEVEL))
            .last_modified_time(DateTime::default())
            .system(System::Unix)
            .unix_permissions(member.mode());
        archive.start_file(member.name.as_str(), options)?;
        archive.write_all(&member.bytes)?;
    }
    Ok(archive.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, bytes: &[u8]) -> ArchiveMember {
        ArchiveMember { name: name.to_owned(), bytes: bytes.to_vec() }
    }

    /// RFC-0015:C-ARCHIVE
    #[test]
    fn an_archive_is_recognized_by_its_comment() {
        let bytes = pack(&[member("demo/SKILL.md", b"x")]).unwrap();
        assert!(is_packed(&bytes));
        assert!(!is_packed(&bytes[..bytes.len() - 1]) && !is_packed(COMMENT) && !is_packed(b""));
    }

    /// RFC-0015:C-ARCHIVE
    #[test]
    fn entries_have_fixed_times_permissions_and_marked_names() {
        let bytes = pack(&[member("demo/SKILL.md", b"x"), member("demo/größe.sh", b"#!/bin/sh\n")]).unwrap();
        let mut archive = zip::ZipArchive::new(Cursor::new(&bytes)).unwrap();
        let mut found = Vec::new();
        for at in 0..archive.len() {
            let file = archive.by_index(at).unwrap();
            assert_eq!(file.last_modified(), Some(DateTime::default()));
            assert_eq!(file.system(), System::Unix);
            found.push((file.name().unwrap().into_owned(), file.unix_mode(), file.flags().as_u16()));
        }
        let (plain, utf8) = (0, 0x800);
        assert_eq!(
            found,
            [
                ("demo/SKILL.md".to_owned(), Some(0o100_644), plain),
                ("demo/größe.sh".to_owned(), Some(0o100_755), utf8)
            ]
        );
    }
}
