//! What the kernel tells of folders. The queue is read when somebody asks, and not by a thread: a change stands in it
//! before the call that made it returns, so whoever has emptied it knows of everything that was done until then.

use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init, remove_watch};
use rustix::fs::{StatFs, fstatfs, statfs};
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::Path;

/// A folder that is watched, by the kernel's number.
pub(crate) type WatchId = i32;

/// Bytes of events that are taken at a time; the longest has 272.
const BUFFER_BYTES: usize = 16 * 1024;

/// Everything that changes a survey of a folder. The closing of a file that was open for writing stands for writes that
/// are told by nothing else: those through a memory map, and asynchronous ones.
const CHANGES: WatchFlags = WatchFlags::CREATE
    .union(WatchFlags::DELETE)
    .union(WatchFlags::MODIFY)
    .union(WatchFlags::ATTRIB)
    .union(WatchFlags::CLOSE_WRITE)
    .union(WatchFlags::MOVE)
    .union(WatchFlags::DELETE_SELF)
    .union(WatchFlags::MOVE_SELF)
    .union(WatchFlags::ONLYDIR);

/// The queue.
pub(crate) struct Events(OwnedFd);

/// What happened since the queue was last read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Happened {
    /// Folders in which something changed that matters.
    pub(crate) in_folders: BTreeSet<WatchId>,
    /// Folders that are watched no longer, since they are gone.
    pub(crate) gone: BTreeSet<WatchId>,
    /// Whether anything may have changed: the queue was too long, or cannot be read.
    pub(crate) is_anything: bool,
}

/// The events of one folder.
pub(crate) struct Event<'a> {
    /// The folder.
    pub(crate) folder: WatchId,
    /// The name in it; `None` when it is about the folder itself.
    pub(crate) name: Option<&'a [u8]>,
    /// Whether a name came or went, and not only what stands behind it changed.
    pub(crate) is_of_names: bool,
}

/// Names that come and go.
const OF_NAMES: ReadFlags =
    ReadFlags::CREATE.union(ReadFlags::DELETE).union(ReadFlags::MOVED_FROM).union(ReadFlags::MOVED_TO);

impl Events {
    /// An empty queue; `None` where there is none to be had.
    pub(crate) fn new() -> Option<Self> {
        init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok().map(Self)
    }

    /// Watches an open folder, whatever its path leads to by now. `None` where the system does not, or would not tell all:
    /// folders that other machines change, or of whose file system that is not known.
    pub(crate) fn watch(&self, folder: impl AsFd) -> Option<WatchId> {
        if !fstatfs(&folder).is_ok_and(|fs| tells_all(&fs)) {
            return None;
        }
        add_watch(&self.0, format!("/proc/self/fd/{}", folder.as_fd().as_raw_fd()), CHANGES).ok()
    }

    /// Watches the folder to which a path leads; it lies where all is told (see `is_told`).
    pub(crate) fn watch_at(&self, folder: &Path) -> Option<WatchId> {
        add_watch(&self.0, folder, CHANGES).ok()
    }

    /// Watches a folder no longer.
    pub(crate) fn forget(&self, watch: WatchId) {
        // It may be gone already.
        let _ = remove_watch(&self.0, watch);
    }

    /// Empties the queue; of what happened in a folder only that is told which matters.
    pub(crate) fn take(&self, matters: impl Fn(&Event<'_>) -> bool) -> Happened {
        let mut buffer = [MaybeUninit::uninit(); BUFFER_BYTES];
        let mut reader = Reader::new(&self.0, &mut buffer);
        let mut happened = Happened::default();
        loop {
            let event = match reader.next() {
                Ok(event) => event,
                Err(Errno::AGAIN) => return happened,
                Err(Errno::INTR) => continue,
                Err(_) => return Happened { is_anything: true, ..happened },
            };
            if event.events().contains(ReadFlags::QUEUE_OVERFLOW) {
                happened.is_anything = true;
            }
            if event.events().contains(ReadFlags::IGNORED) {
                happened.gone.insert(event.wd());
            }
            let flags = event.events();
            let name = event.file_name().map(|name| name.to_bytes());
            if matters(&Event { folder: event.wd(), name, is_of_names: flags.intersects(OF_NAMES) }) {
                happened.in_folders.insert(event.wd());
            }
        }
    }
}

/// Whether all that changes in the folder to which a path leads is told.
pub(crate) fn is_told(folder: &Path) -> bool {
    statfs(folder).is_ok_and(|fs| tells_all(&fs))
}

/// Whether a file system is one of this machine alone whose every change is told, by its magic number in statfs(2).
fn tells_all(fs: &StatFs) -> bool {
    const EXT: u32 = 0xef53;
    const XFS: u32 = 0x5846_5342;
    const BTRFS: u32 = 0x9123_683e;
    const F2FS: u32 = 0xf2f5_2010;
    const TMPFS: u32 = 0x0102_1994;
    // The magic numbers have 32 bits; the field's width and sign differ between processors.
    matches!(fs.f_type as u32, EXT | XFS | BTRFS | F2FS | TMPFS)
}
