//! Changes below folders, reported by the system through `notify`.

use notify::event::{AccessKind, AccessMode, EventKind};
use notify::{Config, Event, RecommendedWatcher, RecursiveMode, Watcher as _};
use skillc_ports::{Changed, ErrorKind, PortError, Watch, Watcher};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Watches through inotify, FSEvents or ReadDirectoryChangesW.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskWatcher;

/// Stops watching when dropped.
struct DiskWatch {
    _watcher: RecommendedWatcher,
}

impl Watch for DiskWatch {}

impl Watcher for DiskWatcher {
    fn watch(&self, folders: &BTreeSet<PathBuf>, changed: Changed) -> Result<Box<dyn Watch>, PortError> {
        let watched = folders.clone();
        let on_event = move |event: notify::Result<Event>| {
            // If the system lost events, anything may have changed.
            if event.map_or(true, |event| event.need_rescan() || concerns(&event, &watched)) {
                changed();
            }
        };
        // A link may lead to the file system's root.
        let config = Config::default().with_follow_symlinks(false);
        let mut watcher = RecommendedWatcher::new(on_event, config).map_err(failure)?;
        for folder in folders {
            let (there, mode) = nearest(folder);
            watcher.watch(there, mode).map_err(failure)?;
        }
        Ok(Box::new(DiskWatch { _watcher: watcher }))
    }
}

/// The folder itself with everything below it, or its nearest existing parent.
fn nearest(folder: &Path) -> (&Path, RecursiveMode) {
    if folder.is_dir() {
        return (folder, RecursiveMode::Recursive);
    }
    let above = folder.ancestors().skip(1).find(|above| above.is_dir());
    (above.unwrap_or(folder), RecursiveMode::NonRecursive)
}

/// Whether an event is about something in one of the folders, or in a parent of one.
fn concerns(event: &Event, folders: &BTreeSet<PathBuf>) -> bool {
    let is_near = |path: &PathBuf| {
        folders.iter().any(|folder| path.starts_with(folder) || folder.starts_with(path.as_path()))
    };
    is_change(event.kind) && event.paths.iter().any(is_near)
}

/// Whether an event is a change. Reads are not; closing a file that was open for writing is.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(access) => access == AccessKind::Close(AccessMode::Write),
        EventKind::Any
        | EventKind::Create(_)
        | EventKind::Modify(_)
        | EventKind::Remove(_)
        | EventKind::Other => true,
    }
}

fn failure(error: notify::Error) -> PortError {
    PortError::new(ErrorKind::Failed, "watch the stores for changes").caused_by(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::event::{CreateKind, ModifyKind};

    #[test]
    fn reads_and_other_folders_are_no_concern() {
        let folders = BTreeSet::from([PathBuf::from("/h/.skillc/skills")]);
        let concerned = |kind, path: &str| concerns(&Event::new(kind).add_path(path.into()), &folders);
        let made = EventKind::Create(CreateKind::Any);
        assert!(concerned(made, "/h/.skillc/skills/x/SKILL.md"));
        assert!(concerned(made, "/h/.skillc"));
        assert!(!concerned(made, "/h/.bash_history"));
        assert!(!concerned(made, "/h/.skillc/runtime"));
        let path = "/h/.skillc/skills/x";
        assert!(concerned(EventKind::Modify(ModifyKind::Any), path));
        assert!(concerned(EventKind::Access(AccessKind::Close(AccessMode::Write)), path));
        assert!(!concerned(EventKind::Access(AccessKind::Open(AccessMode::Read)), path));
        assert!(!concerned(EventKind::Access(AccessKind::Close(AccessMode::Read)), path));
    }

    #[test]
    fn for_a_missing_folder_the_one_above_it_is_watched() {
        let root = tempfile::TempDir::new().unwrap();
        let (there, mode) = (root.path().join("a/b"), RecursiveMode::NonRecursive);
        assert_eq!(nearest(&there), (root.path(), mode));
        std::fs::create_dir_all(&there).unwrap();
        assert_eq!(nearest(&there), (there.as_path(), RecursiveMode::Recursive));
    }
}
