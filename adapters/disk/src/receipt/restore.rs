//! Restores the paths of a receipt.

use super::place_content::{PlaceContent, content_at, content_in};
use super::record::{ITEM, Record, Stored, records};
use crate::transfer::move_entry;
use skillc_fs::{EntryKind, Folder};
use skillc_ports::error::{ErrorKind, PortError};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A folder that a restore removed from its path; deleted together with the record.
const DISCARDED: &str = "discarded";

/// Suffixes of files that belong to a database and change together with it.
const SIDE_FILES: [&str; 3] = ["-wal", "-shm", "-journal"];
/// The side file that is derived from the others and changes when the database is read.
const SHARED_MEMORY: &str = "-shm";

/// Restores the paths of a receipt, last one first; returns those that have changed since. `put` moves the current
/// content of a path to a trash entry of its own.
pub(crate) fn restore(
    put: &dyn Fn(&Path) -> Result<(), PortError>,
    receipt: &Folder,
) -> Result<Vec<PathBuf>, PortError> {
    let mut units: BTreeMap<PathBuf, Vec<Record>> = BTreeMap::new();
    let mut order = Vec::new();
    for record in records(receipt)?.into_iter().rev() {
        let unit = unit(&record.place);
        if !units.contains_key(&unit) {
            order.push(unit.clone());
        }
        units.entry(unit).or_default().push(record);
    }
    let mut left = Vec::new();
    for unit in order {
        let records = units.remove(&unit).unwrap_or_default();
        match restore_unit(put, receipt, &records)? {
            true => {}
            false => left.push(unit),
        }
    }
    Ok(left)
}

/// The path together with which a path changes: for a file that belongs to a database, the database.
fn unit(place: &Path) -> PathBuf {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    match SIDE_FILES.iter().find_map(|end| name.strip_suffix(end)) {
        Some(database) => place.with_file_name(database),
        None => place.to_owned(),
    }
}

fn is_side_file(place: &Path) -> bool {
    unit(place) != place
}

/// Restores paths that change together; returns false if something else has changed one of them.
fn restore_unit(
    put: &dyn Fn(&Path) -> Result<(), PortError>,
    receipt: &Folder,
    records: &[Record],
) -> Result<bool, PortError> {
    for record in records {
        match status(receipt, record)? {
            PlaceStatus::Changed => return Ok(false),
            // The command was killed in the middle of a change.
            PlaceStatus::Unknown => put(&record.place)?,
            PlaceStatus::AsChanged => {}
        }
    }
    // A database must never be next to the write-ahead log of another state.
    let (side_files, others): (Vec<&Record>, Vec<&Record>) =
        records.iter().partition(|record| is_side_file(&record.place));
    for record in &side_files {
        if !is_restored(&receipt.subfolder(&record.name)?, record) {
            remove(&record.place)?;
        }
    }
    for record in others.into_iter().chain(side_files) {
        put_back(receipt, record)?;
        receipt.remove_all(&record.name)?;
    }
    Ok(true)
}

/// The current content of a path, compared with the recorded one.
enum PlaceStatus {
    /// Nothing, or the content after the command.
    AsChanged,
    /// Something, but the content after the command is not recorded.
    Unknown,
    /// Something other than the content after the command.
    Changed,
}

fn status(receipt: &Folder, record: &Record) -> Result<PlaceStatus, PortError> {
    let now = content_at(&record.place)?;
    let folder = receipt.subfolder(&record.name)?;
    let is_derived = record.place.to_string_lossy().ends_with(SHARED_MEMORY);
    if now == PlaceContent::Nothing || is_derived || is_restored(&folder, record) {
        return Ok(PlaceStatus::AsChanged);
    }
    Ok(match record.stored {
        Stored::Moved => PlaceStatus::Changed,
        Stored::Copied | Stored::Absent => match &record.after {
            Some(after) if *after == now => PlaceStatus::AsChanged,
            _ if now == content_in(&folder, OsStr::new(ITEM))? => PlaceStatus::AsChanged,
            Some(_) => PlaceStatus::Changed,
            None => PlaceStatus::Unknown,
        },
    })
}

/// Whether the old content is already back: a restore was killed before it deleted the record, or the command before
/// it moved the content.
fn is_restored(folder: &Folder, record: &Record) -> bool {
    record.stored != Stored::Absent && folder.kind(ITEM).is_none()
}

/// Replaces the current content of a path by the recorded one.
fn put_back(receipt: &Folder, record: &Record) -> Result<(), PortError> {
    let folder = receipt.subfolder(&record.name)?;
    let item = OsStr::new(ITEM);
    match (record.stored, folder.kind(item)) {
        (Stored::Absent, _) => at_place(&record.place, |beside, name| discard(beside, name, &folder)),
        (Stored::Copied | Stored::Moved, None) => Ok(()),
        (Stored::Copied | Stored::Moved, Some(kind)) => {
            let (to, name) = Folder::create_of_file(&record.place)?;
            let is_over_file = kind != EntryKind::Folder && to.kind(&name) != Some(EntryKind::Folder);
            if is_over_file && folder.rename(item, &to, &name).is_ok() {
                return Ok(());
            }
            discard(&to, &name, &folder)?;
            move_entry(&folder, item, &to, &name)
        }
    }
}

/// Removes the current content of a path. A folder is moved away as a whole: half deleted, it would look like a change
/// by someone else.
fn discard(beside: &Folder, name: &OsStr, record: &Folder) -> Result<(), PortError> {
    record.remove_all(DISCARDED)?;
    if beside.kind(name) == Some(EntryKind::Folder) && beside.rename(name, record, DISCARDED).is_ok() {
        return Ok(());
    }
    beside.remove_all(name)
}

fn remove(place: &Path) -> Result<(), PortError> {
    at_place(place, |beside, name| beside.remove_all(name))
}

/// Applies a function to the entry at a path, unless its folder is gone.
fn at_place(
    place: &Path,
    act: impl FnOnce(&Folder, &OsStr) -> Result<(), PortError>,
) -> Result<(), PortError> {
    match Folder::of_file(place) {
        Ok((beside, name)) => act(&beside, &name),
        Err(error) if error.kind == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}
