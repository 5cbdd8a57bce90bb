//! The files of a runtime: stub, manifest, deployments, lock and marker.

use crate::listed_runtimes::ListedRuntimes;
use crate::lock::lock_exclusive;
use crate::runtime_files::{MARKER, marker, read_in};
use skillc_domain::places::META_DIR;
use skillc_fs::Folder;
use skillc_ports::error::{ErrorKind, PortError};
use skillc_ports::runtime::{RuntimeFile, RuntimeGuard, RuntimeStore};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// Locked during a build.
const LOCK: &str = "build.lock";

/// Runtimes on the local file system.
///
/// Nothing is flushed to the disk: the index is authoritative, and a build compares stub and manifest with it.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskRuntimeStore;

/// A locked file. Closing it, or the end of the process, releases the lock.
struct RuntimeLock {
    _file: File,
}

impl RuntimeGuard for RuntimeLock {}

impl RuntimeStore for DiskRuntimeStore {
    fn for_listing(&self) -> Arc<dyn RuntimeStore> {
        Arc::new(ListedRuntimes::of(Arc::new(*self)))
    }

    fn refuse_links(&self, folder: &Path) -> Result<(), PortError> {
        Folder::open_existing(folder).map(drop)
    }

    fn lock(&self, runtime: &Path) -> Result<Box<dyn RuntimeGuard>, PortError> {
        let folder = Folder::create(runtime)?;
        let meta = folder.create_subfolder(META_DIR)?;
        let file = meta.open_or_create_file(LOCK)?;
        let failed = |error| PortError::io(format!("lock '{}'", runtime.display()), error);
        if lock_exclusive(&file).map_err(failed)? {
            // No other build is running, so files left by killed builds are not in use.
            folder.remove_abandoned();
            meta.remove_abandoned();
        }
        Ok(Box::new(RuntimeLock { _file: file }))
    }

    fn try_lock(&self, runtime: &Path) -> Option<Box<dyn RuntimeGuard>> {
        let meta = Folder::open(&runtime.join(META_DIR)).ok()?;
        meta.kind(LOCK)?;
        let file = meta.open_or_create_file(LOCK).ok()?;
        file.try_lock().ok()?;
        Some(Box::new(RuntimeLock { _file: file }))
    }

    fn mark_pending(&self, runtime: &Path, index_name: &str) -> Result<(), PortError> {
        Folder::open(&runtime.join(META_DIR))?.write_atomic(MARKER, index_name.as_bytes())
    }

    fn pending(&self, runtime: &Path) -> Option<String> {
        marker(&Folder::open(&runtime.join(META_DIR)).ok()?)
    }

    fn clear_pending(&self, runtime: &Path) -> Result<(), PortError> {
        match Folder::open_existing(&runtime.join(META_DIR))? {
            Some(meta) => meta.remove_file(MARKER).map(drop),
            None => Ok(()),
        }
    }

    fn read(&self, runtime: &Path, file: RuntimeFile) -> Result<Option<Vec<u8>>, PortError> {
        let (folder, name) = match Folder::of_file(&runtime.join(file.path())) {
            Err(error) if error.kind == ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        read_in(&folder, &name)
    }

    fn write(&self, runtime: &Path, file: RuntimeFile, bytes: &[u8]) -> Result<(), PortError> {
        let (folder, name) = Folder::create_of_file(&runtime.join(file.path()))?;
        folder.write_atomic(name, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tempfile::TempDir;

    const STORE: DiskRuntimeStore = DiskRuntimeStore;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// RFC-0001:C-PUBLISH
    #[test]
    fn a_second_build_waits_for_the_lock() {
        let home = TempDir::new().unwrap();
        let runtime = home.path().join("a/runtime/x");
        assert!(STORE.try_lock(&runtime).is_none());
        assert!(!runtime.exists(), "trying makes nothing");
        let held = STORE.lock(&runtime).unwrap();
        assert!(STORE.try_lock(&runtime).is_none());
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let second = STORE.lock(&runtime).unwrap();
                sender.send(()).unwrap();
                drop(second);
            });
            assert!(receiver.try_recv().is_err());
            drop(held);
            receiver.recv().unwrap();
        });
        assert!(STORE.try_lock(&runtime).is_some());
    }

    /// RFC-0001:C-PUBLISH
    #[test]
    fn the_marker_is_set_read_and_cleared() {
        let runtime = TempDir::new().unwrap();
        let runtime = runtime.path();
        assert_eq!(STORE.pending(runtime), None);
        STORE.clear_pending(runtime).unwrap();
        assert!(STORE.mark_pending(runtime, "search-1.db").is_err(), "only lock and write make folders");
        let _guard = STORE.lock(runtime).unwrap();
        STORE.mark_pending(runtime, "search-1.db").unwrap();
        STORE.mark_pending(runtime, "search-2.db").unwrap();
        assert_eq!(STORE.pending(runtime).as_deref(), Some("search-2.db"));
        STORE.clear_pending(runtime).unwrap();
        assert_eq!(STORE.pending(runtime), None);
    }

    #[test]
    fn an_artifact_is_read_as_it_was_written() {
        let home = TempDir::new().unwrap();
        let runtime = home.path().join("x");
        for file in [RuntimeFile::Stub, RuntimeFile::Manifest, RuntimeFile::Deployments] {
            assert_eq!(STORE.read(&runtime, file).unwrap(), None);
        }
        assert!(!runtime.exists(), "reading makes nothing");
        for file in [RuntimeFile::Stub, RuntimeFile::Manifest, RuntimeFile::Deployments] {
            STORE.write(&runtime, file, b"old").unwrap();
            STORE.write(&runtime, file, b"new").unwrap();
            assert_eq!(STORE.read(&runtime, file).unwrap().as_deref(), Some(&b"new"[..]));
        }
        assert_eq!(names(&runtime), [".skillc-meta", "SKILL.md"]);
        assert_eq!(names(&runtime.join(".skillc-meta")), ["deployed.json", "manifest.json"]);
    }

    /// RFC-0001:C-PUBLISH
    #[test]
    fn the_next_lock_removes_half_written_files_of_killed_builds() {
        let runtime = TempDir::new().unwrap();
        let runtime = runtime.path();
        let meta = runtime.join(META_DIR);
        fs::create_dir(&meta).unwrap();
        for folder in [runtime, &meta] {
            fs::write(folder.join(".skillc-tmp-0123456789abcdef"), "half").unwrap();
            fs::write(folder.join("logs.db"), "kept").unwrap();
        }
        drop(STORE.lock(runtime).unwrap());
        assert_eq!(names(runtime), [".skillc-meta", "logs.db"]);
        assert_eq!(names(&meta), ["build.lock", "logs.db"]);
    }

    #[test]
    fn a_runtime_that_cannot_be_made_is_an_error_that_leaves_nothing() {
        let home = TempDir::new().unwrap();
        let file = home.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(STORE.lock(&file.join("x")).is_err());
        assert!(STORE.write(&file.join("x"), RuntimeFile::Stub, b"s").is_err());
        fs::create_dir(home.path().join("SKILL.md")).unwrap();
        assert!(STORE.write(home.path(), RuntimeFile::Stub, b"s").is_err());
        assert_eq!(names(home.path()), ["SKILL.md", "file"]);
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_an_artifact_as_far_as_the_umask_allows() {
        use std::os::unix::fs::PermissionsExt;
        let runtime = TempDir::new().unwrap();
        STORE.write(runtime.path(), RuntimeFile::Stub, b"s").unwrap();
        fs::write(runtime.path().join("plain"), "").unwrap();
        let mode = |name: &str| fs::metadata(runtime.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode("SKILL.md"), mode("plain"));
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link_that_leads_out_of_the_runtime() {
        use std::os::unix::fs::symlink;
        let home = TempDir::new().unwrap();
        let (runtime, victim) = (home.path().join("x"), home.path().join("victim"));
        fs::create_dir(&runtime).unwrap();
        fs::create_dir(&victim).unwrap();
        fs::write(victim.join("file"), "kept").unwrap();
        symlink(&victim, runtime.join(META_DIR)).unwrap();
        symlink(victim.join("file"), runtime.join("SKILL.md")).unwrap();
        assert_eq!(STORE.lock(&runtime).err().unwrap().kind, ErrorKind::Linked);
        assert_eq!(STORE.write(&runtime, RuntimeFile::Manifest, b"m").unwrap_err().kind, ErrorKind::Linked);
        STORE.write(&runtime, RuntimeFile::Stub, b"stub").unwrap();
        assert_eq!(names(&victim), ["file"]);
        assert_eq!(fs::read(victim.join("file")).unwrap(), b"kept");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn for_a_listing_what_is_not_listed_is_not_looked_for_until_a_change() {
        let home = TempDir::new().unwrap();
        let runtimes = fs::canonicalize(home.path()).unwrap().join("runtime");
        fs::create_dir(&runtimes).unwrap();
        let store = STORE.for_listing();
        assert_eq!(store.pending(&runtimes.join("x")), None);
        let meta = runtimes.join("y").join(META_DIR);
        fs::create_dir_all(&meta).unwrap();
        fs::write(meta.join("manifest.json"), "m").unwrap();
        let read = || store.read(&runtimes.join("y"), RuntimeFile::Manifest).unwrap();
        assert_eq!(read(), None);
        store.write(&runtimes.join("x"), RuntimeFile::Stub, b"s").unwrap();
        assert_eq!(read().as_deref(), Some(&b"m"[..]));
    }

    #[cfg(unix)]
    #[test]
    fn for_a_listing_a_link_on_the_way_is_refused_too() {
        use std::os::unix::fs::symlink;
        let home = TempDir::new().unwrap();
        let home = fs::canonicalize(home.path()).unwrap();
        fs::create_dir_all(home.join("other/x").join(META_DIR)).unwrap();
        fs::create_dir(home.join("runtime")).unwrap();
        symlink("../other/x", home.join("runtime/x")).unwrap();
        symlink("nothing", home.join("runtime/dangling")).unwrap();
        symlink("other", home.join("linked")).unwrap();
        let store = STORE.for_listing();
        for runtime in ["runtime/x", "runtime/dangling", "linked/x", "linked/missing"] {
            let error = store.refuse_links(&home.join(runtime).join(META_DIR)).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Linked, "{runtime}");
            assert_eq!(store.pending(&home.join(runtime)), None, "{runtime}");
        }
        store.refuse_links(&home.join("runtime/missing").join(META_DIR)).unwrap();
    }
}
