//! Archives of skills.

use crate::error::PortError;
use crate::named::ReadSeek;
use skillc_domain::archive::{ArchiveListing, ArchiveMember};

/// An archive that was looked through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InspectedArchive {
    /// Its entries, and what is wrong with it.
    pub listing: ArchiveListing,
    /// The content of the first SKILL.md in it, up to `limits::LOAD_BYTES_MAX` bytes.
    pub skill_md: Option<Vec<u8>>,
}

/// Makes archives, and looks through those of others. Writes no file.
pub trait Archives: Send + Sync {
    /// Packs files in their order. The bytes depend on names and contents alone: not on the system, the time, or the user.
    ///
    /// # Errors
    /// `Failed`, for a name that no archive can hold.
    fn pack(&self, members: &[ArchiveMember]) -> Result<Vec<u8>, PortError>;

    /// Whether these bytes are an archive that `pack` made.
    fn is_packed(&self, bytes: &[u8]) -> bool;

    /// Lists an archive and reads every content once, in bounded memory whatever it declares: not more entries than
    /// `limits::ARCHIVE_ENTRIES_MAX`, not more bytes than `limits::ARCHIVE_UNPACKED_BYTES_MAX`. Archives inside are not opened.
    ///
    /// # Errors
    /// `Corrupt` for what is no archive, and for one without a readable directory. All other damage is in the listing.
    fn inspect(&self, source: Box<dyn ReadSeek>) -> Result<InspectedArchive, PortError>;
}
