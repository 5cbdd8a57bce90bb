//! The trash: one folder per entry, holding the item and a record of its origin.

use crate::receipt::{self, DiskReceipt};
use crate::transfer::move_entry;
use skillc_domain::limits::RUNTIME_FILE_BYTES_MAX;
use skillc_domain::time::{UnixNs, parse_rfc3339, rfc3339};
use skillc_fs::Folder;
use skillc_ports::error::{ErrorKind, PortError};
use skillc_ports::trash::{Receipt, Trash, TrashEntry, TrashSlot};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The record file: the item's hidden name next to its origin, a line break, and the origin's path.
const RECORD: &str = "origin";
const ITEM: &str = "item";
/// Prefix of the hidden name of an item next to its origin. Nothing deletes entries with this prefix.
const ASIDE: &str = ".skillc-replaced-";

/// The trash on the local file system.
#[derive(Clone, Debug)]
pub struct DiskTrash {
    folder: PathBuf,
}

impl DiskTrash {
    /// Uses a folder, which is created on first use.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    fn record(&self, id: &str) -> Option<TrashSlot> {
        let bytes = Folder::open(&self.folder.join(id)).ok()?.read(RECORD, RUNTIME_FILE_BYTES_MAX).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        let (aside, place) = text.split_once('\n')?;
        Some(TrashSlot { id: id.to_owned(), place: PathBuf::from(place), aside: aside.to_owned() })
    }

    fn ids(&self) -> Result<Vec<String>, PortError> {
        let Some(folder) = Folder::open_existing(&self.folder)? else { return Ok(Vec::new()) };
        Ok(folder.entries()?.into_iter().filter_map(|(id, _)| id.into_string().ok()).collect())
    }

    fn forget(&self, id: &str) -> Result<(), PortError> {
        Folder::open(&self.folder)?.remove_all(id)
    }

    /// A new id that sorts after all existing ones.
    fn new_id(&self) -> Result<String, PortError> {
        let chance = getrandom::u32().map_err(|error| {
            PortError::new(ErrorKind::Failed, "draw a random number").caused_by(error.to_string())
        })?;
        let newest = self.ids()?.iter().filter_map(|id| time_of(id)).max();
        Ok(format!("{}-{chance:08x}", stamp(crate::clock::unix_ns(SystemTime::now()), newest)))
    }

    /// Whether a slot contains an item. A slot whose command ended after reserving it does not.
    fn is_filled(&self, slot: &TrashSlot) -> bool {
        let is_in_trash =
            || Folder::open(&self.folder.join(&slot.id)).is_ok_and(|entry| entry.kind(ITEM).is_some());
        let is_aside =
            || Folder::of_file(&slot.place).is_ok_and(|(beside, _)| beside.kind(&slot.aside).is_some());
        is_in_trash() || is_aside()
    }

    /// Reads an entry of either kind.
    fn entry(&self, id: String) -> Option<TrashEntry> {
        if let Some(slot) = self.record(&id) {
            let is_filled = self.is_filled(&slot);
            return is_filled.then_some(TrashEntry { id: slot.id, place: slot.place, receipt: None });
        }
        let (place, summary) = receipt::summary(&Folder::open(&self.folder.join(&id)).ok()?)?;
        Some(TrashEntry { id, place, receipt: Some(summary) })
    }
}

impl Trash for DiskTrash {
    fn reserve(&self, place: &Path) -> Result<TrashSlot, PortError> {
        let failed = |why: &str| {
            PortError::new(ErrorKind::Failed, format!("keep '{}'", place.display())).caused_by(why)
        };
        let id = self.new_id()?;
        let text = place.to_str().ok_or_else(|| failed("its path is not UTF-8"))?;
        let slot = TrashSlot { aside: format!("{ASIDE}{id}"), place: place.to_owned(), id };
        let entry = Folder::create(&self.folder.join(&slot.id))?;
        entry.write_durable(RECORD, format!("{}\n{text}", slot.aside).as_bytes())?;
        Ok(slot)
    }

    fn take(&self, slot: &TrashSlot) -> Result<(), PortError> {
        let (beside, _) = Folder::of_file(&slot.place)?;
        if beside.kind(&slot.aside).is_none() {
            return self.forget(&slot.id);
        }
        move_entry(
            &beside,
            OsStr::new(&slot.aside),
            &Folder::open(&self.folder.join(&slot.id))?,
            OsStr::new(ITEM),
        )
    }

    fn put(&self, place: &Path) -> Result<TrashEntry, PortError> {
        let (beside, name) = Folder::of_file(place)?;
        if beside.kind(&name).is_none() {
            return Err(PortError::new(ErrorKind::NotFound, format!("keep '{}'", place.display())));
        }
        let slot = self.reserve(place)?;
        if let Err(error) = beside.rename_new(&name, &slot.aside) {
            self.forget(&slot.id)?;
            return Err(error);
        }
        self.take(&slot)?;
        Ok(TrashEntry { id: slot.id, place: slot.place, receipt: None })
    }

    fn delete(&self, entry: &TrashEntry) -> Result<(), PortError> {
        match self.entry(entry.id.clone()) {
            Some(entry) => self.forget(&entry.id),
            None => Ok(()),
        }
    }

    fn entries(&self) -> Result<Vec<TrashEntry>, PortError> {
        let mut entries: Vec<TrashEntry> = self.ids()?.into_iter().filter_map(|id| self.entry(id)).collect();
        entries.sort_by(|one, other| other.id.cmp(&one.id));
        Ok(entries)
    }

    fn restore(&self, entry: &TrashEntry) -> Result<(), PortError> {
        let none = || PortError::new(ErrorKind::NotFound, format!("take back '{}'", entry.id));
        let slot = self.record(&entry.id).ok_or_else(none)?;
        let (to, name) = Folder::create_of_file(&slot.place)?;
        if to.kind(&name).is_some() {
            let doing = format!("take back '{}'", slot.place.display());
            return Err(PortError::new(ErrorKind::AlreadyExists, doing));
        }
        let trash = Folder::open(&self.folder.join(&slot.id))?;
        // If the process was killed, the item may still be next to its origin.
        match trash.kind(ITEM) {
            Some(_) => move_entry(&trash, OsStr::new(ITEM), &to, &name)?,
            None => to.rename_new(&slot.aside, &name)?,
        }
        self.forget(&slot.id)
    }

    fn begin_receipt(&self, command: &str) -> Result<Box<dyn Receipt>, PortError> {
        let id = self.new_id()?;
        let folder = Folder::create(&self.folder.join(&id))?;
        Ok(Box::new(DiskReceipt::begin(id, folder, command)?))
    }

    fn restore_receipt(&self, entry: &TrashEntry) -> Result<Vec<PathBuf>, PortError> {
        let none = || PortError::new(ErrorKind::NotFound, format!("take back '{}'", entry.id));
        self.entry(entry.id.clone()).filter(|entry| entry.receipt.is_some()).ok_or_else(none)?;
        let left = receipt::restore(
            &|place| self.put(place).map(drop),
            &Folder::open(&self.folder.join(&entry.id))?,
        )?;
        if left.is_empty() {
            self.forget(&entry.id)?;
        }
        Ok(left)
    }
}

/// The time with which an id begins: the current one, or just after the newest entry if the clock is not later.
fn stamp(now: UnixNs, newest: Option<UnixNs>) -> String {
    let at = now.max(newest.map_or(now, |newest| newest.saturating_add(1)));
    let second = rfc3339(at).replace(':', "");
    format!("{}.{:09}Z", second.trim_end_matches('Z'), at.rem_euclid(1_000_000_000))
}

/// Parses the time with which an id begins, including whole seconds, as older versions wrote.
fn time_of(id: &str) -> Option<UnixNs> {
    let (day, time) = id.rsplit_once('-')?.0.split_once('T')?;
    let (hour, minute, second) = (time.get(..2)?, time.get(2..4)?, time.get(4..)?);
    parse_rfc3339(&format!("{day}T{hour}:{minute}:{second}"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::transfer::copy_entry;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    struct Scene {
        home: tempfile::TempDir,
        trash: DiskTrash,
    }

    impl Scene {
        fn new() -> Self {
            let home = tempfile::tempdir().unwrap();
            fs::create_dir_all(home.path().join("skills/x/sub")).unwrap();
            fs::write(home.path().join("skills/x/sub/notes.md"), "mine").unwrap();
            fs::set_permissions(home.path().join("skills/x/sub/notes.md"), PermissionsExt::from_mode(0o640))
                .unwrap();
            symlink("../nowhere", home.path().join("skills/x/link")).unwrap();
            Self { trash: DiskTrash::at(home.path().join(".skillc/trash")), home }
        }

        fn place(&self) -> PathBuf {
            self.home.path().join("skills/x")
        }

        fn is_whole(&self) -> bool {
            let notes = self.place().join("sub/notes.md");
            fs::read(&notes).is_ok_and(|bytes| bytes == b"mine")
                && fs::metadata(&notes).unwrap().permissions().mode() & 0o777 == 0o640
                && fs::read_link(self.place().join("link")).is_ok_and(|to| to == Path::new("../nowhere"))
        }
    }

    /// D2
    #[test]
    fn an_entry_put_into_the_trash_comes_back_whole() {
        let scene = Scene::new();
        let entry = scene.trash.put(&scene.place()).unwrap();
        assert!(!scene.place().exists());
        assert_eq!(scene.trash.entries().unwrap(), std::slice::from_ref(&entry));
        fs::create_dir(scene.place()).unwrap();
        assert_eq!(scene.trash.restore(&entry).unwrap_err().kind, ErrorKind::AlreadyExists);
        fs::remove_dir(scene.place()).unwrap();
        scene.trash.restore(&entry).unwrap();
        assert!(scene.is_whole() && scene.trash.entries().unwrap().is_empty());
        assert_eq!(scene.trash.restore(&entry).unwrap_err().kind, ErrorKind::NotFound);
        assert_eq!(scene.trash.put(Path::new("/no/such")).unwrap_err().kind, ErrorKind::NotFound);
    }

    /// D2
    #[test]
    fn after_a_kill_before_the_trash_took_it_it_still_comes_back() {
        let scene = Scene::new();
        let slot = scene.trash.reserve(&scene.place()).unwrap();
        fs::rename(scene.place(), scene.place().with_file_name(&slot.aside)).unwrap();
        let entry = scene.trash.entries().unwrap().remove(0);
        scene.trash.restore(&entry).unwrap();
        assert!(scene.is_whole());
    }

    #[test]
    fn entries_of_one_moment_and_of_a_clock_that_was_set_back_sort_by_their_age() {
        let now = parse_rfc3339("2026-11-23T12:45:34.000000007Z").unwrap();
        assert_eq!(stamp(now, None), "2026-11-23T124534.000000007Z");
        assert_eq!(stamp(now, Some(now)), "2026-11-23T124534.000000008Z");
        assert_eq!(stamp(now, Some(now + 60_000_000_000)), "2026-11-23T124634.000000008Z");
        assert_eq!(time_of("2026-11-23T124534.000000007Z-0a0b0c0d"), Some(now));
        assert_eq!(time_of("2026-11-23T124534Z-0a0b0c0d"), Some(now - 7));
        for other in ["", "notes", "a-T-b", "2026-11-23T12é534Z-0a0b0c0d"] {
            assert_eq!(time_of(other), None, "{other}");
        }
        let scene = Scene::new();
        let filled = |slot: TrashSlot| {
            fs::write(scene.place().with_file_name(&slot.aside), "").unwrap();
            slot.id
        };
        let ids: Vec<String> =
            (0..20).map(|_| filled(scene.trash.reserve(&scene.place()).unwrap())).collect();
        let newest_first: Vec<String> = scene.trash.entries().unwrap().into_iter().map(|e| e.id).collect();
        assert_eq!(newest_first, ids.into_iter().rev().collect::<Vec<_>>());
    }

    #[test]
    fn a_slot_whose_command_was_killed_before_it_moved_anything_is_no_entry() {
        let scene = Scene::new();
        scene.trash.reserve(&scene.place()).unwrap();
        assert!(scene.trash.entries().unwrap().is_empty());
    }

    #[test]
    fn a_slot_that_was_not_needed_leaves_no_entry() {
        let scene = Scene::new();
        let slot = scene.trash.reserve(&scene.place()).unwrap();
        scene.trash.take(&slot).unwrap();
        assert!(scene.is_whole() && scene.trash.entries().unwrap().is_empty());
    }

    #[test]
    fn across_file_systems_a_copy_keeps_rights_and_links() {
        let scene = Scene::new();
        let from = Folder::open(&scene.home.path().join("skills")).unwrap();
        let to = Folder::create(&scene.home.path().join("elsewhere")).unwrap();
        copy_entry(&from, OsStr::new("x"), &to, OsStr::new("item")).unwrap();
        from.remove_all("x").unwrap();
        to.rename("item", &from, "x").unwrap();
        assert!(scene.is_whole());
    }
}
