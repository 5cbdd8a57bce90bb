//! The record of one path in a receipt, as files.

use super::place_content::PlaceContent;
use skillc_domain::limits::RUNTIME_FILE_BYTES_MAX;
use skillc_fs::Folder;
use skillc_ports::error::{ErrorKind, PortError};
use std::path::{Path, PathBuf};

/// The file with a record: how the content is stored, a line break, and the path.
const PLACE: &str = "place";
/// The path's content before the change.
pub(super) const ITEM: &str = "item";
/// The file with the digest of the path's content after the change.
pub(super) const AFTER: &str = "after";

/// How the old content of a path is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    Copied,
    Moved,
    Absent,
}

impl Stored {
    const WORDS: [(Self, &'static str); 3] =
        [(Self::Copied, "copied"), (Self::Moved, "moved"), (Self::Absent, "absent")];

    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(stored, _)| *stored == self).map_or("", |(_, word)| word)
    }
}

/// The record of one path.
pub(super) struct Record {
    /// The name of its folder in the receipt.
    pub name: String,
    pub stored: Stored,
    pub place: PathBuf,
    /// The content after the change; `None` if the command was killed before recording it.
    pub after: Option<PlaceContent>,
}

/// The name of a folder, formatted so that names sort by number.
pub(super) fn number(number: usize) -> String {
    format!("{number:08}")
}

pub(super) fn write_record(folder: &Folder, stored: Stored, place: &Path) -> Result<(), PortError> {
    let text = place.to_str().ok_or_else(|| {
        PortError::new(ErrorKind::Failed, format!("keep '{}'", place.display()))
            .caused_by("its path is not UTF-8")
    })?;
    folder.write_durable(PLACE, format!("{}\n{text}", stored.word()).as_bytes())
}

pub(super) fn records(folder: &Folder) -> Result<Vec<Record>, PortError> {
    let mut names: Vec<String> =
        folder.entries()?.into_iter().filter_map(|(name, _)| name.into_string().ok()).collect();
    names.sort_unstable();
    Ok(names.into_iter().filter_map(|name| record(folder, name)).collect())
}

/// Reads a record; `None` if it was incomplete when the command was killed, so that nothing was changed there.
pub(super) fn record(receipt: &Folder, name: String) -> Option<Record> {
    let folder = receipt.subfolder(&name).ok()?;
    let read = |name: &str| String::from_utf8(folder.read(name, RUNTIME_FILE_BYTES_MAX).ok()?).ok();
    let text = read(PLACE)?;
    let (word, place) = text.split_once('\n')?;
    let stored = Stored::WORDS.iter().find(|(_, known)| *known == word).map(|(stored, _)| *stored)?;
    Some(Record { name, stored, place: PathBuf::from(place), after: read(AFTER).map(PlaceContent::parse) })
}
