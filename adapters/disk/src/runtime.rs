//! Runtimes: stub, manifest, lock and marker.

use skillc_domain::places::META_DIR;
use skillc_ports::error::{ErrorKind, PortError};
use skillc_ports::runtime::{Artifact, RuntimeGuard, RuntimeStore};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// How a file is called before it is whole; hidden, so that no agent takes it for part of a skill.
const MAKING: &str = ".skillc-tmp-";

/// Runtimes in folders of this machine.
///
/// Nothing is flushed to the disk: the index holds the truth, and a build compares stub and manifest with it.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskRuntimeStore;

/// The open lock file; the system lets go of the lock when it is closed, also when the process is killed.
struct Lock {
    _file: File,
}

impl RuntimeGuard for Lock {}

/// What a link in the place of a runtime or its lock leads to is not skillc's to write.
fn is_link(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink())
}

impl RuntimeStore for DiskRuntimeStore {
    fn lock(&self, runtime: &Path) -> Result<Box<dyn RuntimeGuard>, PortError> {
        let failed = |e| PortError::io(format!("lock '{}'", runtime.display()), e);
        if [runtime, &lock_file(runtime)].into_iter().any(is_link) {
            return Err(PortError::new(ErrorKind::Denied, format!("lock '{}'", runtime.display())));
        }
        create_folder(&runtime.join(META_DIR)).map_err(failed)?;
        let mut options = lock_options();
        let file = options.create(true).truncate(false).open(lock_file(runtime)).map_err(failed)?;
        if wait_for(&file).map_err(failed)? == Locked::Alone {
            delete_left_overs(runtime);
        }
        Ok(Box::new(Lock { _file: file }))
    }

    fn try_lock(&self, runtime: &Path) -> Option<Box<dyn RuntimeGuard>> {
        let file = lock_options().open(lock_file(runtime)).ok()?;
        file.try_lock().ok()?;
        Some(Box::new(Lock { _file: file }))
    }

    fn mark_pending(&self, runtime: &Path, index_name: &str) -> Result<(), PortError> {
        let marker = marker(runtime);
        write_whole(&marker, index_name.as_bytes())
            .map_err(|e| PortError::io(format!("write '{}'", marker.display()), e))
    }

    fn pending(&self, runtime: &Path) -> Option<String> {
        let marker = marker(runtime);
        let is_set = fs::metadata(&marker).is_ok_and(|metadata| metadata.is_file());
        is_set.then(|| fs::read_to_string(&marker).unwrap_or_default())
    }

    fn clear_pending(&self, runtime: &Path) -> Result<(), PortError> {
        let marker = marker(runtime);
        match fs::remove_file(&marker) {
            Err(e) if !is_absent(&e) => Err(PortError::io(format!("delete '{}'", marker.display()), e)),
            _ => Ok(()),
        }
    }

    fn read(&self, runtime: &Path, artifact: Artifact) -> Result<Option<Vec<u8>>, PortError> {
        let path = runtime.join(artifact.path());
        let failed = |e| PortError::io(format!("read '{}'", path.display()), e);
        match fs::metadata(&path) {
            // Anything but a file counts as none: a build puts one there, and a FIFO would block.
            Ok(metadata) if !metadata.is_file() => Ok(None),
            Ok(_) => {
                fs::read(&path).map(Some).or_else(|e| if is_absent(&e) { Ok(None) } else { Err(failed(e)) })
            }
            Err(e) if is_absent(&e) => Ok(None),
            Err(e) => Err(failed(e)),
        }
    }

    fn write(&self, runtime: &Path, artifact: Artifact, bytes: &[u8]) -> Result<(), PortError> {
        let path = runtime.join(artifact.path());
        let made = path.parent().map_or(Ok(()), create_folder);
        made.and_then(|()| write_whole(&path, bytes))
            .map_err(|e| PortError::io(format!("write '{}'", path.display()), e))
    }
}

/// A FIFO in the lock's place is refused, and not waited for.
#[cfg(unix)]
fn lock_options() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.write(true).custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    options
}

#[cfg(not(unix))]
fn lock_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    options
}

fn lock_file(runtime: &Path) -> PathBuf {
    runtime.join(META_DIR).join("build.lock")
}

fn marker(runtime: &Path) -> PathBuf {
    runtime.join(META_DIR).join("publish.pending")
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Makes a folder of a runtime. A link in its place would lead writes out of the runtime, so it is refused.
fn create_folder(folder: &Path) -> io::Result<()> {
    let is_link = |path: &Path| fs::symlink_metadata(path).is_ok_and(|m| m.is_symlink());
    if folder.ends_with(META_DIR) && is_link(folder) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "a link in place of .skillc-meta"));
    }
    fs::create_dir_all(folder)
}

/// How a lock was got.
#[derive(PartialEq, Eq)]
enum Locked {
    /// Nobody else has it.
    Alone,
    /// The file system knows no locks.
    Perhaps,
}

fn wait_for(file: &File) -> io::Result<Locked> {
    loop {
        return match file.lock() {
            Ok(()) => Ok(Locked::Alone),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) if e.kind() == io::ErrorKind::Unsupported => Ok(Locked::Perhaps),
            Err(e) => Err(e),
        };
    }
}

/// Deletes what killed builds left half written; they had the lock, so none of it is in use.
fn delete_left_overs(runtime: &Path) {
    for folder in [runtime.to_owned(), runtime.join(META_DIR)] {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            if is_file && entry.file_name().as_encoded_bytes().starts_with(MAKING.as_bytes()) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = temporary(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    file.persist(path).map_err(|e| e.error)?;
    Ok(())
}

/// A new file under a hidden name, which others may read as far as the umask allows; dropping it deletes it.
pub(crate) fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(MAKING);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillc_ports::error::ErrorKind;
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
        let (tell, told) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let second = STORE.lock(&runtime).unwrap();
                tell.send(()).unwrap();
                drop(second);
            });
            assert!(told.try_recv().is_err());
            drop(held);
            told.recv().unwrap();
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
        for artifact in [Artifact::Stub, Artifact::Manifest, Artifact::Deployments] {
            assert_eq!(STORE.read(&runtime, artifact).unwrap(), None);
        }
        assert!(!runtime.exists(), "reading makes nothing");
        for artifact in [Artifact::Stub, Artifact::Manifest, Artifact::Deployments] {
            STORE.write(&runtime, artifact, b"old").unwrap();
            STORE.write(&runtime, artifact, b"new").unwrap();
            assert_eq!(STORE.read(&runtime, artifact).unwrap().as_deref(), Some(&b"new"[..]));
        }
        assert_eq!(names(&runtime), [".skillc-meta", "SKILL.md"]);
        assert_eq!(names(&runtime.join(".skillc-meta")), ["deployed.json", "manifest.json"]);
    }

    /// RFC-0001:C-PUBLISH
    #[test]
    fn what_killed_builds_left_half_written_goes_with_the_next_lock() {
        let runtime = TempDir::new().unwrap();
        let runtime = runtime.path();
        let meta = runtime.join(META_DIR);
        fs::create_dir(&meta).unwrap();
        for folder in [runtime, &meta] {
            temporary(folder).unwrap().keep().unwrap();
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
        assert!(STORE.write(&file.join("x"), Artifact::Stub, b"s").is_err());
        fs::create_dir(home.path().join("SKILL.md")).unwrap();
        assert!(STORE.write(home.path(), Artifact::Stub, b"s").is_err());
        assert_eq!(names(home.path()), ["SKILL.md", "file"]);
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_an_artifact_as_far_as_the_umask_allows() {
        use std::os::unix::fs::PermissionsExt;
        let runtime = TempDir::new().unwrap();
        STORE.write(runtime.path(), Artifact::Stub, b"s").unwrap();
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
        assert_eq!(STORE.lock(&runtime).err().unwrap().kind, ErrorKind::Denied);
        assert_eq!(STORE.write(&runtime, Artifact::Manifest, b"m").unwrap_err().kind, ErrorKind::Denied);
        STORE.write(&runtime, Artifact::Stub, b"stub").unwrap();
        assert_eq!(names(&victim), ["file"]);
        assert_eq!(fs::read(victim.join("file")).unwrap(), b"kept");
    }
}
