//! Archives of skills.

use crate::error::PortError;
use crate::named::ReadSeek;
use skillc_domain::archive::{ArchiveListing, ArchiveMember};

/// An archive that was inspected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InspectedArchive {
    /// Its entries and flaws.
    pub listing: ArchiveListing,
    /// The content of the first SKILL.md in it, up to `limits::LOAD_BYTES_MAX` bytes.
    pub skill_md: Option<Vec<u8>>,
}

/// Creates archives, and inspects those of others. Writes no file.
pub trait Archives: Send + Sync {
    /// Packs files in the given order. The bytes depend on names and contents alone, not on the system, time or user.
    ///
    /// # Errors
    /// `Failed` for a name that an archive cannot hold.
    fn pack(&self, members: &[ArchiveMember]) -> Result<Vec<u8>, PortError>;

    /// Whether these bytes are an archive that `pack` created.
    fn is_packed(&self, bytes: &[u8]) -> bool;

    /// Lists an archive and reads all contents once. Memory is bounded whatever the archive declares: at most
    /// `limits::ARCHIVE_ENTRIES_MAX` entries and `limits::ARCHIVE_UNPACKED_BYTES_MAX` bytes are read. Nested archives
    /// are not opened.
    ///
    /// # Errors
    /// `Corrupt` if it is not an archive or its directory cannot be read. All other damage is in the listing.
    fn inspect(&self, source: Box<dyn ReadSeek>) -> Result<InspectedArchive, PortError>;
}
