//! Runtimes for a command that examines every one of them: a folder of runtimes is listed once, so missing ones cost
//! nothing, and `.skillc-meta` is opened once for all files in it.

use crate::runtime_files::{marker, read_in};
use skillc_domain::places::META_DIR;
use skillc_fs::Folder;
use skillc_ports::error::PortError;
use skillc_ports::runtime::{RuntimeFile, RuntimeGuard, RuntimeStore};
use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Runtimes as they were when they were first examined.
pub(crate) struct ListedRuntimes {
    /// Handles everything that is not cached, and all changes.
    store: Arc<dyn RuntimeStore>,
    seen: Mutex<Seen>,
}

/// What is known, by paths as they are written: to hash a path by its components takes ten times as long, and another spelling
/// is only looked at again.
#[derive(Default)]
struct Seen {
    /// The names in each folder of runtimes; `None` for one that cannot be listed.
    names: HashMap<OsString, Option<HashSet<OsString>>>,
    /// The files of each runtime; `None` if one of them cannot be read.
    files: HashMap<OsString, Option<Arc<MetaFiles>>>,
    /// The files of every runtime without any.
    nothing: Arc<MetaFiles>,
}

/// The files in the `.skillc-meta` of a runtime; none if it has no such folder.
#[derive(Default)]
struct MetaFiles {
    marker: Option<String>,
    manifest: Option<Vec<u8>>,
    deployments: Option<Vec<u8>>,
}

impl ListedRuntimes {
    /// The runtimes of a store.
    pub(crate) fn of(store: Arc<dyn RuntimeStore>) -> Self {
        Self { store, seen: Mutex::default() }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cached files of a runtime; `None` if the file system must be asked, which also reports the error.
    fn files(&self, runtime: &Path) -> Option<Arc<MetaFiles>> {
        let mut seen = self.seen();
        if let Some(known) = seen.files.get(runtime.as_os_str()) {
            return known.clone();
        }
        if seen.is_absent(runtime) {
            return Some(seen.nothing.clone());
        }
        let files = MetaFiles::read(runtime).ok().map(Arc::new);
        seen.files.insert(runtime.as_os_str().to_owned(), files.clone());
        files
    }

    /// Makes a change, and drops everything that is cached.
    fn change<T>(&self, change: impl FnOnce(&dyn RuntimeStore) -> T) -> T {
        let changed = change(self.store.as_ref());
        *self.seen() = Seen::default();
        changed
    }
}

impl Seen {
    /// Whether the folder of runtimes has no entry with this name. On other systems an entry may be found under several
    /// spellings.
    fn is_absent(&mut self, runtime: &Path) -> bool {
        let (Some(folder), Some(name)) = (runtime.parent(), runtime.file_name()) else { return false };
        if !cfg!(target_os = "linux") {
            return false;
        }
        let folder = folder.as_os_str();
        if !self.names.contains_key(folder) {
            self.names.insert(folder.to_owned(), names(Path::new(folder)).ok());
        }
        self.names.get(folder).and_then(Option::as_ref).is_some_and(|names| !names.contains(name))
    }
}

impl MetaFiles {
    fn read(runtime: &Path) -> Result<Self, PortError> {
        let Some(meta) = Folder::open_existing(&runtime.join(META_DIR))? else { return Ok(Self::default()) };
        let read = |file: RuntimeFile| {
            let name = Path::new(file.path()).file_name().unwrap_or_default();
            read_in(&meta, name)
        };
        Ok(Self {
            marker: marker(&meta),
            manifest: read(RuntimeFile::Manifest)?,
            deployments: read(RuntimeFile::Deployments)?,
        })
    }
}

fn names(folder: &Path) -> Result<HashSet<OsString>, PortError> {
    match Folder::open_existing(folder)? {
        Some(folder) => Ok(folder.entries()?.into_iter().map(|(name, _)| name).collect()),
        None => Ok(HashSet::new()),
    }
}

impl RuntimeStore for ListedRuntimes {
    fn for_listing(&self) -> Arc<dyn RuntimeStore> {
        self.store.for_listing()
    }

    fn refuse_links(&self, folder: &Path) -> Result<(), PortError> {
        let is_meta = folder.file_name() == Some(OsStr::new(META_DIR));
        match folder.parent().filter(|_| is_meta).and_then(|runtime| self.files(runtime)) {
            Some(_) => Ok(()),
            None => self.store.refuse_links(folder),
        }
    }

    fn lock(&self, runtime: &Path) -> Result<Box<dyn RuntimeGuard>, PortError> {
        self.change(|store| store.lock(runtime))
    }

    fn try_lock(&self, runtime: &Path) -> Option<Box<dyn RuntimeGuard>> {
        self.change(|store| store.try_lock(runtime))
    }

    fn mark_pending(&self, runtime: &Path, index_name: &str) -> Result<(), PortError> {
        self.change(|store| store.mark_pending(runtime, index_name))
    }

    fn pending(&self, runtime: &Path) -> Option<String> {
        match self.files(runtime) {
            Some(files) => files.marker.clone(),
            None => self.store.pending(runtime),
        }
    }

    fn clear_pending(&self, runtime: &Path) -> Result<(), PortError> {
        self.change(|store| store.clear_pending(runtime))
    }

    fn read(&self, runtime: &Path, file: RuntimeFile) -> Result<Option<Vec<u8>>, PortError> {
        let files = self.files(runtime);
        match (files, file) {
            (Some(files), RuntimeFile::Manifest) => Ok(files.manifest.clone()),
            (Some(files), RuntimeFile::Deployments) => Ok(files.deployments.clone()),
            (Some(_), RuntimeFile::Stub) | (None, _) => self.store.read(runtime, file),
        }
    }

    fn write(&self, runtime: &Path, file: RuntimeFile, bytes: &[u8]) -> Result<(), PortError> {
        self.change(|store| store.write(runtime, file, bytes))
    }
}
