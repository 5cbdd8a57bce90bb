//! Reports changes in folders through the kernel's event queue.
//!
//! The queue is read on demand, without a thread. An event is in it before the call that made the change returns, so
//! a caller that has emptied the queue knows of every change made so far.

use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init, remove_watch};
use rustix::fs::{StatFs, fstatfs, statfs};
use rustix::io::Errno;
use skillc_domain::discovery::scan::PYTHON_SKILL_FILE;
use skillc_domain::places::{META_DIR, SKILL_FILE};
use std::collections::BTreeSet;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::Path;

/// The kernel's number for a watched folder.
pub(crate) type WatchId = i32;

/// Size in bytes of the event buffer; the longest event has 272.
const BUFFER_BYTES: usize = 16 * 1024;

/// The events that can affect a survey of a folder. Writes through a memory map and asynchronous writes are reported
/// only when the file is closed.
const CHANGES: WatchFlags = WatchFlags::CREATE
    .union(WatchFlags::DELETE)
    .union(WatchFlags::MODIFY)
    .union(WatchFlags::ATTRIB)
    .union(WatchFlags::CLOSE_WRITE)
    .union(WatchFlags::MOVE)
    .union(WatchFlags::DELETE_SELF)
    .union(WatchFlags::MOVE_SELF)
    .union(WatchFlags::ONLYDIR);

/// A queue of events.
pub(crate) struct Events(OwnedFd);

/// The changes since the queue was last read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct FolderChanges {
    /// Folders with a relevant change.
    pub(crate) in_folders: BTreeSet<WatchId>,
    /// Folders that no longer exist; their watches have ended.
    pub(crate) gone: BTreeSet<WatchId>,
    /// Whether events were lost, because the queue overflowed or could not be read: anything may have changed.
    pub(crate) is_unknown: bool,
}

/// An event in a folder.
pub(crate) struct Event<'a> {
    pub(crate) folder: WatchId,
    /// The entry's name; `None` for the folder itself.
    pub(crate) name: Option<&'a [u8]>,
    /// Whether an entry was added or removed; otherwise only its content or metadata changed.
    pub(crate) is_of_names: bool,
}

/// Which events in a folder are relevant. Each filter includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum EventFilter {
    /// The manifest of a build; logs in the same folder are not relevant.
    Manifest,
    /// Added and removed names, and the content of the files that make a folder a skill.
    SkillFiles,
    /// Also the content of Markdown files, which can be single-file skills.
    MarkdownFiles,
    /// All except hidden names, which no survey includes and editors write to often.
    Visible,
}

impl EventFilter {
    /// Whether an event is relevant. Events about the folder itself always are.
    pub(crate) fn includes(self, event: &Event<'_>) -> bool {
        let Some(name) = event.name else { return true };
        match self {
            Self::Manifest => name == MANIFEST,
            Self::SkillFiles => event.is_of_names || is_skill_file(name),
            Self::MarkdownFiles => event.is_of_names || is_skill_file(name) || name.ends_with(b".md"),
            Self::Visible => !name.starts_with(b"."),
        }
    }
}

/// The file in `META_DIR` that makes a SKILL.md a stub.
const MANIFEST: &[u8] = b"manifest.json";

fn is_skill_file(name: &[u8]) -> bool {
    [SKILL_FILE, PYTHON_SKILL_FILE, META_DIR].iter().any(|file| name == file.as_bytes())
}

const OF_NAMES: ReadFlags =
    ReadFlags::CREATE.union(ReadFlags::DELETE).union(ReadFlags::MOVED_FROM).union(ReadFlags::MOVED_TO);

impl Events {
    /// An empty queue; `None` if the system does not provide one.
    pub(crate) fn new() -> Option<Self> {
        init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok().map(Self)
    }

    /// Watches an open folder, wherever its path leads by now. `None` if the system refuses, or if the file system
    /// may not report every change because other machines can write to it or its type is unknown.
    pub(crate) fn watch(&self, folder: impl AsFd) -> Option<WatchId> {
        if !fstatfs(&folder).is_ok_and(|fs| reports_changes(&fs)) {
            return None;
        }
        add_watch(&self.0, format!("/proc/self/fd/{}", folder.as_fd().as_raw_fd()), CHANGES).ok()
    }

    /// Watches the folder at a path, for which `reports_changes_at` must be true.
    pub(crate) fn watch_at(&self, folder: &Path) -> Option<WatchId> {
        add_watch(&self.0, folder, CHANGES).ok()
    }

    /// Ends a watch.
    pub(crate) fn forget(&self, watch: WatchId) {
        // The watch may have ended with its folder.
        let _ = remove_watch(&self.0, watch);
    }

    /// Empties the queue; irrelevant events are dropped.
    pub(crate) fn take(&self, is_relevant: impl Fn(&Event<'_>) -> bool) -> FolderChanges {
        let mut buffer = [MaybeUninit::uninit(); BUFFER_BYTES];
        let mut reader = Reader::new(&self.0, &mut buffer);
        let mut changes = FolderChanges::default();
        loop {
            let event = match reader.next() {
                Ok(event) => event,
                Err(Errno::AGAIN) => return changes,
                Err(Errno::INTR) => continue,
                Err(_) => return FolderChanges { is_unknown: true, ..changes },
            };
            if event.events().contains(ReadFlags::QUEUE_OVERFLOW) {
                changes.is_unknown = true;
            }
            if event.events().contains(ReadFlags::IGNORED) {
                changes.gone.insert(event.wd());
            }
            let flags = event.events();
            let name = event.file_name().map(|name| name.to_bytes());
            if is_relevant(&Event { folder: event.wd(), name, is_of_names: flags.intersects(OF_NAMES) }) {
                changes.in_folders.insert(event.wd());
            }
        }
    }
}

/// Whether every change in the folder at a path is reported.
pub(crate) fn reports_changes_at(folder: &Path) -> bool {
    statfs(folder).is_ok_and(|fs| reports_changes(&fs))
}

/// Whether a file system, identified by its magic number from statfs(2), is local and reports every change.
fn reports_changes(fs: &StatFs) -> bool {
    const EXT: u32 = 0xef53;
    const XFS: u32 = 0x5846_5342;
    const BTRFS: u32 = 0x9123_683e;
    const F2FS: u32 = 0xf2f5_2010;
    const TMPFS: u32 = 0x0102_1994;
    // Magic numbers have 32 bits; the field's width and sign differ between processors.
    matches!(fs.f_type as u32, EXT | XFS | BTRFS | F2FS | TMPFS)
}
