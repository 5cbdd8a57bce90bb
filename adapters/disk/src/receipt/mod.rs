//! Receipts: trash entries with several paths. Each path has a numbered folder with its record, its old content, and
//! the digest of its content after the change.

mod place_content;
mod record;
mod restore;

use crate::transfer::{copy_entry, move_entry};
use place_content::{content_at, content_in};
use record::{AFTER, ITEM, Stored, number, record, records, write_record};
pub(crate) use restore::restore;
use skillc_domain::limits::RUNTIME_FILE_BYTES_MAX;
use skillc_fs::{EntryKind, Folder};
use skillc_ports::error::{ErrorKind, PortError};
use skillc_ports::trash::{Receipt, ReceiptSummary};
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The file with the command that made the changes. Its presence makes a trash folder a receipt.
const COMMAND: &str = "command";

/// A receipt that is being written.
pub(crate) struct DiskReceipt {
    id: String,
    folder: Folder,
    /// The folder numbers of copied and of absent paths.
    numbers: HashMap<PathBuf, usize>,
    unsealed: BTreeSet<usize>,
    next: usize,
}

impl DiskReceipt {
    pub(crate) fn begin(id: String, folder: Folder, command: &str) -> Result<Self, PortError> {
        folder.write_durable(COMMAND, command.as_bytes())?;
        Ok(Self { id, folder, numbers: HashMap::new(), unsealed: BTreeSet::new(), next: 0 })
    }

    /// Creates the folder for another path.
    fn begin_record(&mut self) -> Result<(usize, Folder), PortError> {
        self.next += 1;
        Ok((self.next, self.folder.create_subfolder(number(self.next))?))
    }
}

impl Receipt for DiskReceipt {
    fn id(&self) -> &str {
        &self.id
    }

    fn copy(&mut self, place: &Path) -> Result<(), PortError> {
        let (place, kind) = existing(place)?;
        if let Some(known) = self.numbers.get(&place) {
            self.unsealed.insert(*known);
            return self.folder.subfolder(number(*known))?.remove_file(AFTER).map(drop);
        }
        let (new, folder) = self.begin_record()?;
        match kind {
            None => write_record(&folder, Stored::Absent, &place)?,
            Some(_) => {
                let (beside, name) = Folder::of_file(&place)?;
                copy_entry(&beside, &name, &folder, OsStr::new(ITEM))?;
                write_record(&folder, Stored::Copied, &place)?;
            }
        }
        self.numbers.insert(place, new);
        self.unsealed.insert(new);
        Ok(())
    }

    fn take(&mut self, place: &Path) -> Result<(), PortError> {
        let (beside, name) = Folder::of_file(place)?;
        if beside.kind(&name).is_none() {
            return Err(PortError::new(ErrorKind::NotFound, format!("keep '{}'", place.display())));
        }
        let (_, folder) = self.begin_record()?;
        write_record(&folder, Stored::Moved, place)?;
        move_entry(&beside, &name, &folder, OsStr::new(ITEM))
    }

    fn seal(&mut self) -> Result<(), PortError> {
        for unsealed in std::mem::take(&mut self.unsealed) {
            let folder = self.folder.subfolder(number(unsealed))?;
            let Some(record) = record(&self.folder, number(unsealed)) else { continue };
            let after = content_at(&record.place)?;
            if after == content_in(&folder, OsStr::new(ITEM))? {
                self.numbers.remove(&record.place);
                self.folder.remove_all(number(unsealed))?;
            } else {
                folder.write_durable(AFTER, after.text().as_bytes())?;
            }
        }
        Ok(())
    }

    fn close(mut self: Box<Self>) -> Result<(), PortError> {
        self.seal()?;
        if records(&self.folder)?.is_empty() {
            let (trash, name) = Folder::of_file(self.folder.path())?;
            trash.remove_all(name)?;
        }
        Ok(())
    }
}

/// The path whose content must be stored before `place` is changed: if parent folders are missing, the topmost of
/// them, since the change creates it.
fn existing(place: &Path) -> Result<(PathBuf, Option<EntryKind>), PortError> {
    let mut missing = place;
    loop {
        match Folder::of_file(missing) {
            Ok((beside, name)) => {
                return Ok((missing.to_owned(), beside.entry(name)?.map(|entry| entry.kind)));
            }
            Err(error) if error.kind == ErrorKind::NotFound => match missing.parent() {
                Some(parent) => missing = parent,
                None => return Err(error),
            },
            Err(error) => return Err(error),
        }
    }
}

/// The first path of a receipt and its summary; `None` if the entry is not a receipt.
pub(crate) fn summary(folder: &Folder) -> Option<(PathBuf, ReceiptSummary)> {
    let command = String::from_utf8(folder.read(COMMAND, RUNTIME_FILE_BYTES_MAX).ok()?).ok()?;
    let records = records(folder).ok()?;
    let place = records.first()?.place.clone();
    Some((place, ReceiptSummary { command, places: records.len() }))
}

#[cfg(all(test, unix))]
mod tests {
    use crate::DiskTrash;
    use skillc_ports::{Trash, TrashEntry};
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::{Path, PathBuf};

    struct Scene {
        home: tempfile::TempDir,
        trash: DiskTrash,
    }

    impl Scene {
        fn new() -> Self {
            let home = tempfile::tempdir().unwrap();
            let trash = DiskTrash::at(home.path().join(".skillc/trash"));
            let scene = Self { home, trash };
            scene.write("logs.db", "before");
            scene.write("logs.db-wal", "tail");
            scene.write("copy/SKILL.md", "old stub");
            symlink("../nowhere", scene.at("link")).unwrap();
            scene
        }

        fn at(&self, path: &str) -> PathBuf {
            self.home.path().join(path)
        }

        fn write(&self, path: &str, text: &str) {
            fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
            fs::write(self.at(path), text).unwrap();
        }

        fn read(&self, path: &str) -> String {
            fs::read_to_string(self.at(path)).unwrap()
        }

        /// Removes the link, changes the rest, and creates a folder.
        fn change(&self, is_sealed: bool) -> TrashEntry {
            let mut receipt = self.trash.begin_receipt("skc doctor --fix").unwrap();
            receipt.take(&self.at("link")).unwrap();
            for place in ["logs.db", "logs.db-wal", "copy", "new/sub/file", "same"] {
                receipt.copy(&self.at(place)).unwrap();
            }
            self.write("logs.db", "after");
            fs::remove_file(self.at("logs.db-wal")).unwrap();
            self.write("copy/SKILL.md", "new stub");
            self.write("new/sub/file", "made");
            if is_sealed {
                receipt.close().unwrap();
            }
            self.trash.entries().unwrap().remove(0)
        }

        #[track_caller]
        fn is_as_before(&self) {
            assert_eq!(fs::read_link(self.at("link")).unwrap(), Path::new("../nowhere"));
            assert_eq!((self.read("logs.db"), self.read("logs.db-wal")), ("before".into(), "tail".into()));
            assert_eq!(self.read("copy/SKILL.md"), "old stub");
            assert!(!self.at("new").exists());
        }
    }

    /// RFC-0016:C-DOCTOR
    #[test]
    fn a_receipt_restores_every_place_and_forgets_those_that_did_not_change() {
        let scene = Scene::new();
        let entry = scene.change(true);
        let summary = entry.receipt.clone().unwrap();
        assert_eq!((summary.command.as_str(), summary.places), ("skc doctor --fix", 5));
        assert!(scene.trash.restore_receipt(&entry).unwrap().is_empty());
        scene.is_as_before();
        assert!(scene.trash.entries().unwrap().is_empty());
        scene.trash.begin_receipt("nothing").unwrap().close().unwrap();
        assert_eq!(fs::read_dir(scene.at(".skillc/trash")).unwrap().count(), 0);
    }

    /// RFC-0016:C-DOCTOR
    #[test]
    fn an_entry_changed_since_stays_and_remains_in_the_receipt() {
        let scene = Scene::new();
        let entry = scene.change(true);
        // A row was appended: database and log stay together.
        scene.write("logs.db-wal", "later");
        scene.write("copy/SKILL.md", "mine");
        let mut left = scene.trash.restore_receipt(&entry).unwrap();
        left.sort();
        assert_eq!(left, [scene.at("copy"), scene.at("logs.db")]);
        assert_eq!((scene.read("logs.db"), scene.read("logs.db-wal")), ("after".into(), "later".into()));
        assert_eq!(scene.read("copy/SKILL.md"), "mine");
        assert!(!scene.at("new").exists() && scene.at("link").symlink_metadata().is_ok());
        fs::remove_file(scene.at("logs.db-wal")).unwrap();
        fs::remove_dir_all(scene.at("copy")).unwrap();
        let entry = scene.trash.entries().unwrap().remove(0);
        assert!(scene.trash.restore_receipt(&entry).unwrap().is_empty());
        scene.is_as_before();
    }

    /// RFC-0016:C-DOCTOR
    #[test]
    fn a_receipt_whose_command_was_killed_restores_what_was_before() {
        let scene = Scene::new();
        let entry = scene.change(false);
        assert!(scene.trash.restore_receipt(&entry).unwrap().is_empty());
        scene.is_as_before();
        // The content in between went to the trash, since anyone may have made it.
        assert!(scene.trash.entries().unwrap().iter().all(|entry| entry.receipt.is_none()));
    }
}
