//! Receipts: trash entries with several paths. Each path has a numbered folder with its record, its old content, and
//! the digest of its content after the change.

use crate::transfer::{copy_entry, move_entry};
use sha2::{Digest, Sha256};
use skillc_domain::limits::RUNTIME_FILE_BYTES_MAX;
use skillc_fs::{EntryKind, Folder};
use skillc_ports::error::{ErrorKind, PortError};
use skillc_ports::trash::{Receipt, ReceiptSummary};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The file with the command that made the changes. Its presence makes a trash folder a receipt.
const COMMAND: &str = "command";
/// The file with a record: how the content is stored, a line break, and the path.
const PLACE: &str = "place";
/// The path's content before the change.
const ITEM: &str = "item";
/// The file with the digest of the path's content after the change.
const AFTER: &str = "after";
/// A folder that a restore removed from its path; deleted together with the record.
const DISCARDED: &str = "discarded";
/// Stands for the digest of a path without content.
const NOTHING: &str = "-";
/// Suffixes of files that belong to a database and change together with it.
const SIDE_FILES: [&str; 3] = ["-wal", "-shm", "-journal"];
/// The one that is derived from the others and changes when the database is read.
const SHARED_MEMORY: &str = "-shm";

/// How the old content of a path is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stored {
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
struct Record {
    /// The name of its folder in the receipt.
    name: String,
    stored: Stored,
    place: PathBuf,
    /// The digest after the change; `None` if the command was killed before recording it.
    after: Option<String>,
}

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

/// The name of a folder, formatted so that names sort by number.
fn number(number: usize) -> String {
    format!("{number:08}")
}

fn write_record(folder: &Folder, stored: Stored, place: &Path) -> Result<(), PortError> {
    let text = place.to_str().ok_or_else(|| {
        PortError::new(ErrorKind::Failed, format!("keep '{}'", place.display()))
            .caused_by("its path is not UTF-8")
    })?;
    folder.write_durable(PLACE, format!("{}\n{text}", stored.word()).as_bytes())
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
            let after = digest_at(&record.place)?;
            if after == digest_in(&folder, OsStr::new(ITEM))? {
                self.numbers.remove(&record.place);
                self.folder.remove_all(number(unsealed))?;
            } else {
                folder.write_durable(AFTER, after.as_bytes())?;
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

fn records(folder: &Folder) -> Result<Vec<Record>, PortError> {
    let mut names: Vec<String> =
        folder.entries()?.into_iter().filter_map(|(name, _)| name.into_string().ok()).collect();
    names.sort_unstable();
    Ok(names.into_iter().filter_map(|name| record(folder, name)).collect())
}

/// Reads a record; `None` if it was incomplete when the command was killed, so that nothing was changed there.
fn record(receipt: &Folder, name: String) -> Option<Record> {
    let folder = receipt.subfolder(&name).ok()?;
    let read = |name: &str| String::from_utf8(folder.read(name, RUNTIME_FILE_BYTES_MAX).ok()?).ok();
    let text = read(PLACE)?;
    let (word, place) = text.split_once('\n')?;
    let stored = Stored::WORDS.iter().find(|(_, known)| *known == word).map(|(stored, _)| *stored)?;
    Some(Record { name, stored, place: PathBuf::from(place), after: read(AFTER) })
}

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

/// The path that a path changes together with: for a file that belongs to a database, the database.
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
    /// Nothing, or what the command left there.
    AsChanged,
    /// Something, but the content after the command is not recorded.
    Unknown,
    /// Something that the command did not leave there.
    Changed,
}

fn status(receipt: &Folder, record: &Record) -> Result<PlaceStatus, PortError> {
    let now = digest_at(&record.place)?;
    let folder = receipt.subfolder(&record.name)?;
    let is_derived = record.place.to_string_lossy().ends_with(SHARED_MEMORY);
    if now == NOTHING || is_derived || is_restored(&folder, record) {
        return Ok(PlaceStatus::AsChanged);
    }
    Ok(match record.stored {
        Stored::Moved => PlaceStatus::Changed,
        Stored::Copied | Stored::Absent => match &record.after {
            Some(after) if *after == now => PlaceStatus::AsChanged,
            _ if now == digest_in(&folder, OsStr::new(ITEM))? => PlaceStatus::AsChanged,
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

/// Removes the current content of a path. A folder is moved away as a whole: half deleted, it would look like a
/// change by somebody else.
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

/// The digest of a path's content.
fn digest_at(place: &Path) -> Result<String, PortError> {
    match Folder::of_file(place) {
        Ok((beside, name)) => digest_in(&beside, &name),
        Err(error) if error.kind == ErrorKind::NotFound => Ok(NOTHING.to_owned()),
        Err(error) => Err(error),
    }
}

/// The digest of an entry: of a file's bytes, a link's target, or everything below a folder. The entry's own name
/// does not matter.
fn digest_in(folder: &Folder, name: &OsStr) -> Result<String, PortError> {
    if folder.kind(name).is_none() {
        return Ok(NOTHING.to_owned());
    }
    let mut hash = Sha256::new();
    add(folder, name, &mut hash)?;
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn add(folder: &Folder, name: &OsStr, hash: &mut Sha256) -> Result<(), PortError> {
    match folder.kind(name) {
        Some(EntryKind::File) => {
            hash.update(b"file");
            add_file(folder, name, hash)?;
        }
        Some(EntryKind::Link) => {
            let to = folder.read_link(name)?;
            part(hash, b"link", to.as_os_str().as_encoded_bytes());
        }
        Some(EntryKind::Folder) => {
            let inner = folder.subfolder(name)?;
            let mut names: Vec<_> = inner.entries()?.into_iter().map(|(name, _)| name).collect();
            names.sort_unstable();
            for name in names {
                part(hash, b"entry", name.as_encoded_bytes());
                add(&inner, &name, hash)?;
            }
            hash.update(b"end");
        }
        Some(EntryKind::Other) | None => hash.update(b"other"),
    }
    Ok(())
}

fn part(hash: &mut Sha256, kind: &[u8], bytes: &[u8]) {
    hash.update(kind);
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

fn add_file(folder: &Folder, name: &OsStr, hash: &mut Sha256) -> Result<(), PortError> {
    let mut file = folder.open_file(name)?;
    let mut content = Sha256::new();
    let mut buffer = vec![0; 65_536];
    loop {
        let read = file.read(&mut buffer);
        match read.map_err(|error| PortError::io(format!("read '{}'", folder.path().display()), error))? {
            0 => break,
            count => content.update(&buffer[..count]),
        }
    }
    hash.update(content.finalize());
    Ok(())
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
    fn what_was_changed_since_stays_and_remains_in_the_receipt() {
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
