//! A temporary folder on a known kind of file system.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A folder that belongs to this run. Deleted when dropped.
pub struct Work {
    root: PathBuf,
    kind: String,
    stays: std::cell::Cell<bool>,
}

impl Work {
    /// A new folder below `place`, which is created if it is missing.
    pub fn below(place: &Path) -> io::Result<Self> {
        let root = place.join(format!("skc-bench-{}", std::process::id()));
        fs::create_dir_all(&root)?;
        let root = root.canonicalize()?;
        let kind = file_system(&root);
        Ok(Work { root, kind, stays: false.into() })
    }

    /// The folder's absolute path without links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The file system's name (`tmpfs`, `ext4`), or `disk` if the system does not report it.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Whether durable writes have a cost here.
    pub fn is_durable(&self) -> bool {
        !matches!(self.kind.as_str(), "tmpfs" | "ramfs")
    }

    /// Keeps the folder, and returns its path.
    pub fn keep(&self) -> &Path {
        self.stays.set(true);
        &self.root
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        if !self.stays.get() {
            let _ = fs::remove_dir_all(&self.root);
        }
    }
}

/// The kind of the innermost mount that contains `path`. Mount points with spaces are not recognized.
fn file_system(path: &Path) -> String {
    let mounts = fs::read_to_string("/proc/mounts").unwrap_or_default();
    let fields = mounts.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    fields
        .filter(|f| f.len() > 2 && path.starts_with(f[1]))
        .max_by_key(|f| f[1].len())
        .map_or("disk".to_string(), |f| f[2].to_string())
}
