//! The journal: a folder with one file per record, locked by the process that makes the change.

use crate::lock::lock_exclusive;
use skillc_domain::limits::RUNTIME_FILE_BYTES_MAX;
use skillc_fs::{EntryKind, Folder, Identity, is_temporary};
use skillc_ports::error::{ErrorKind, PortError};
use skillc_ports::journal::{InterruptedChange, Journal, JournalGuard, JournalRecord};
use std::ffi::OsString;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

/// Permissions of a record, which contains names of the user's folders.
const MODE: u32 = 0o600;

/// A journal in a folder, which is created on first use.
#[derive(Clone, Debug)]
pub struct DiskJournal {
    folder: PathBuf,
}

/// The file that a process locks while it renames or removes a skill. It is not a record.
const LOCK: &str = "lock";

/// The lock on [`LOCK`]. Closing the file releases it.
struct JournalLock {
    _file: File,
}

impl JournalGuard for JournalLock {}

/// A locked record. Closing its file, or the end of the process, releases the lock.
struct LockedRecord {
    folder: Folder,
    name: OsString,
    _file: File,
}

impl DiskJournal {
    /// Uses this folder.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }
}

impl Journal for DiskJournal {
    fn begin(&self, change: &[u8]) -> Result<Box<dyn JournalRecord>, PortError> {
        let failed = |error| PortError::io(format!("write into '{}'", self.folder.display()), error);
        let chance = getrandom::u64().map_err(|error| {
            PortError::new(ErrorKind::Failed, "draw a random number").caused_by(error.to_string())
        })?;
        let (folder, name) = (Folder::create(&self.folder)?, OsString::from(format!("{chance:016x}")));
        let mut new = folder.begin_file(MODE)?;
        new.file.write_all(change).and_then(|()| new.file.sync_all()).map_err(failed)?;
        // The clone shares the lock of the file that is being written.
        let file = new.file.try_clone().map_err(failed)?;
        new.persist_new(&name)?;
        folder.sync();
        Ok(Box::new(LockedRecord { folder, name, _file: file }))
    }

    fn exclusive(&self) -> Result<Box<dyn JournalGuard>, PortError> {
        let file = Folder::create(&self.folder)?.open_or_create_file(LOCK)?;
        let failed = |error| PortError::io(format!("lock '{}'", self.folder.display()), error);
        lock_exclusive(&file).map_err(failed)?;
        Ok(Box::new(JournalLock { _file: file }))
    }

    fn interrupted(&self) -> Vec<InterruptedChange> {
        let Ok(Some(folder)) = Folder::open_existing(&self.folder) else { return Vec::new() };
        if folder.entries().is_ok_and(|entries| !entries.is_empty()) {
            // Records that a killed process left incomplete: their changes had not begun.
            folder.remove_abandoned();
        }
        record_names(&folder).filter_map(|name| self.interrupted_record(name)).collect()
    }

    fn peek(&self) -> Vec<Vec<u8>> {
        let Ok(Some(folder)) = Folder::open_existing(&self.folder) else { return Vec::new() };
        // The lock of each record is released when this call ends.
        let records = record_names(&folder).filter_map(|name| self.interrupted_record(name));
        records.map(|record| record.change).collect()
    }
}

/// The names of all records.
fn record_names(folder: &Folder) -> impl Iterator<Item = OsString> {
    let entries = folder.entries().unwrap_or_default().into_iter();
    let records =
        entries.filter(|(name, kind)| *kind == EntryKind::File && !is_temporary(name) && name != LOCK);
    records.map(|(name, _)| name)
}

impl DiskJournal {
    /// A record that no process has locked; `None` if one has, and on file systems without locks.
    fn interrupted_record(&self, name: OsString) -> Option<InterruptedChange> {
        let folder = Folder::open(&self.folder).ok()?;
        let file = folder.open_file(&name).ok()?;
        file.try_lock().ok()?;
        // Its process may just have closed it.
        if Identity::of_open(&file) != Identity::at(&self.folder.join(&name)) {
            return None;
        }
        let change = folder.read(&name, RUNTIME_FILE_BYTES_MAX).ok()?;
        Some(InterruptedChange { change, record: Box::new(LockedRecord { folder, name, _file: file }) })
    }
}

impl JournalRecord for LockedRecord {
    fn close(self: Box<Self>) -> Result<(), PortError> {
        self.folder.remove_file(&self.name).map(drop)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;

    fn names(journal: &DiskJournal) -> Vec<OsString> {
        fs::read_dir(&journal.folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    }

    /// RFC-0007:C-RENAME
    #[test]
    fn a_record_is_returned_once_its_process_has_ended_and_until_it_is_closed() {
        let home = tempfile::tempdir().unwrap();
        let journal = DiskJournal::at(home.path().join("journal"));
        assert!(journal.interrupted().is_empty());
        assert!(!home.path().join("journal").exists(), "reading creates nothing");
        let record = journal.begin(b"one").unwrap();
        assert_eq!(names(&journal).len(), 1, "no temporary file is left");
        assert!(journal.interrupted().is_empty(), "it is under way");
        // Has the same effect as the end of the process.
        drop(record);
        assert_eq!(journal.peek(), [b"one"], "it stays");
        let mut interrupted = journal.interrupted();
        assert_eq!(interrupted[0].change, b"one");
        assert!(journal.peek().is_empty(), "this process has it");
        assert!(journal.interrupted().is_empty(), "one process has it");
        interrupted.remove(0).record.close().unwrap();
        assert!(names(&journal).is_empty());
        journal.begin(b"two").unwrap().close().unwrap();
        assert!(journal.interrupted().is_empty() && names(&journal).is_empty());
    }

    #[test]
    fn files_that_are_no_records_are_left_alone() {
        let home = tempfile::tempdir().unwrap();
        let journal = DiskJournal::at(home.path().join("journal"));
        fs::create_dir_all(journal.folder.join("folder")).unwrap();
        fs::write(journal.folder.join(".skillc-tmp-0123456789abcdef"), "half").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", journal.folder.join("link")).unwrap();
        assert!(journal.interrupted().is_empty());
        assert_eq!(names(&journal).len(), 2, "what was half written is deleted");
        fs::remove_dir_all(&journal.folder).unwrap();
        fs::write(&journal.folder, "a file").unwrap();
        assert!(journal.interrupted().is_empty() && journal.begin(b"one").is_err());
    }
}
