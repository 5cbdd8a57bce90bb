//! Archives of skills as zip files. Opens no file, and unpacks nothing to the disk.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

mod bounded;
mod inspect;
mod pack;

use skillc_domain::archive::ArchiveMember;
use skillc_ports::{Archives, InspectedArchive, PortError, ReadSeek};

/// Implements `Archives` with zip files.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZipArchives;

impl Archives for ZipArchives {
    fn pack(&self, members: &[ArchiveMember]) -> Result<Vec<u8>, PortError> {
        pack::pack(members)
    }

    fn is_packed(&self, bytes: &[u8]) -> bool {
        pack::is_packed(bytes)
    }

    fn inspect(&self, source: Box<dyn ReadSeek>) -> Result<InspectedArchive, PortError> {
        inspect::inspect(source)
    }
}
