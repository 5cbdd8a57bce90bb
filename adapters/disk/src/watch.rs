//! Changes below folders, reported by the system through `notify`.

use notify::event::{AccessKind, AccessMode, EventKind};
use notify::{Config, Event, RecommendedWatcher, RecursiveMode, Watcher as _};
use skillc_ports::{Changed, ErrorKind, PortError, Watch, Watcher};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Watches by the means of the system: inotify, FSEvents, ReadDirectoryChangesW.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskWatcher;

/// Ends with the watcher that it holds.
struct DiskWatch {
    _watcher: RecommendedWatcher,
}

impl Watch for DiskWatch {}

impl Watcher for DiskWatcher {
    fn watch(&self, folders: &BTreeSet<PathBuf>, changed: Changed) -> Result<Box<dyn Watch>, PortError> {
        let wanted = folders.clone();
        let tell = move |event: notify::Result<Event>| {
            // What the system lost count of may be anything.
            if event.map_or(true, |event| event.need_rescan() || concerns(&event, &wanted)) {
                changed();
            }
        };
        // A link may lead to the root of everything.
        let config = Config::default().with_follow_symlinks(false);
        let mut watcher = RecommendedWatcher::new(tell, config).map_err(failure)?;
        for folder in folders {
            let (there, mode) = nearest(folder);
            watcher.watch(there, mode).map_err(failure)?;
        }
        Ok(Box::new(DiskWatch { _watcher: watcher }))
    }
}

/// The folder itself with all below it, or the nearest one above it that is there.
fn nearest(folder: &Path) -> (&Path, RecursiveMode) {
    if folder.is_dir() {
        return (folder, RecursiveMode::Recursive);
    }
    let above = folder.ancestors().skip(1).find(|above| above.is_dir());
    (above.unwrap_or(folder), RecursiveMode::NonRecursive)
}

/// Whether something changed in a wanted folder, or on the way to it.
fn concerns(event: &Event, wanted: &BTreeSet<PathBuf>) -> bool {
    let is_near = |path: &PathBuf| {
        wanted.iter().any(|folder| path.starts_with(folder) || folder.starts_with(path.as_path()))
    };
    is_change(event.kind) && event.paths.iter().any(is_near)
}

/// Reading is none; closing what was open for writing is one.
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
    fn reading_and_what_lies_elsewhere_concern_nobody() {
        let wanted = BTreeSet::from([PathBuf::from("/h/.skillc/skills")]);
        let concerned = |kind, path: &str| concerns(&Event::new(kind).add_path(path.into()), &wanted);
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
    fn a_missing_folder_is_stood_for_by_the_one_above_it() {
        let root = tempfile::TempDir::new().unwrap();
        let (there, mode) = (root.path().join("a/b"), RecursiveMode::NonRecursive);
        assert_eq!(nearest(&there), (root.path(), mode));
        std::fs::create_dir_all(&there).unwrap();
        assert_eq!(nearest(&there), (there.as_path(), RecursiveMode::Recursive));
    }
}
