//! The machines on which adapters run: the real one, below a temporary folder, and the one in memory.

use skillc_memory::{Kind, MemoryMachine};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use tempfile::TempDir;

/// Runs a future of an async port to completion.
pub fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// Runs `work` while another thread repeats `look`, which also ends if `work` panics.
pub fn watched(look: impl Fn() + Sync, work: impl FnOnce()) {
    struct Done<'a>(&'a AtomicBool);
    impl Drop for Done<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let _done = Done(&is_done);
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                look();
            }
        });
        work();
    });
}

/// Creates and inspects files. Paths are relative to the scene and separated by `/`.
pub trait Machine: Send + Sync {
    /// The absolute path of a path in the scene; canonical for the scene itself.
    fn at(&self, path: &str) -> PathBuf;
    /// Writes a new file, replacing what is there; creates parent folders.
    fn write(&self, path: &str, bytes: &[u8]);
    /// Creates a folder and its parents.
    fn folder(&self, path: &str);
    /// Creates a link and its parent folders.
    fn link(&self, path: &str, to: &str);
    /// Creates a FIFO and its parent folders; a folder on systems without FIFOs.
    fn fifo(&self, path: &str);
    /// Deletes an entry of any kind.
    fn delete(&self, path: &str);
    fn rename(&self, from: &str, to: &str);
    /// Reads a file; follows links.
    fn read(&self, path: &str) -> Option<Vec<u8>>;
    /// The kind of an entry; does not follow a link.
    fn kind(&self, path: &str) -> Option<Kind>;
    /// The names in a folder in byte order.
    fn names(&self, path: &str) -> Vec<String>;

    /// Creates a link with the absolute path of an entry of the scene.
    fn absolute_link(&self, path: &str, to: &str) {
        self.link(path, self.at(to).to_str().unwrap());
    }

    /// All entries below a folder by path: a file's text, `-> target` for a link, `/` for a folder, `|` for a FIFO.
    fn all_below(&self, folder: &str) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        for name in self.names(folder) {
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            let shown = match self.kind(&path).unwrap() {
                Kind::File => String::from_utf8_lossy(&self.read(&path).unwrap_or_default()).into_owned(),
                Kind::Link(to) => format!("-> {}", to.display()),
                Kind::Special => "|".to_owned(),
                Kind::Folder => {
                    let below = self.all_below(&path);
                    found.extend(below.into_iter().map(|(inner, shown)| (format!("{name}/{inner}"), shown)));
                    "/".to_owned()
                }
            };
            found.insert(name, shown);
        }
        found
    }
}

/// The scene on a machine in memory.
const HOME: &str = "/home/scene";

impl Machine for MemoryMachine {
    fn at(&self, path: &str) -> PathBuf {
        Path::new(HOME).join(path)
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        MemoryMachine::write(self, Machine::at(self, path), bytes);
    }

    fn folder(&self, path: &str) {
        self.make_folder(Machine::at(self, path));
    }

    fn link(&self, path: &str, to: &str) {
        self.make_link(Machine::at(self, path), to);
    }

    fn fifo(&self, path: &str) {
        self.make_fifo(Machine::at(self, path));
    }

    fn delete(&self, path: &str) {
        MemoryMachine::delete(self, Machine::at(self, path));
    }

    fn rename(&self, from: &str, to: &str) {
        MemoryMachine::rename(self, Machine::at(self, from), Machine::at(self, to));
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        MemoryMachine::read(self, Machine::at(self, path))
    }

    fn kind(&self, path: &str) -> Option<Kind> {
        MemoryMachine::kind(self, Machine::at(self, path))
    }

    fn names(&self, path: &str) -> Vec<String> {
        MemoryMachine::names(self, Machine::at(self, path))
    }
}

/// A new machine in memory with an empty scene.
pub fn in_memory() -> MemoryMachine {
    let machine = MemoryMachine::new();
    machine.make_folder(HOME);
    machine
}

/// The real machine below a temporary folder, deleted on drop.
pub struct RealMachine {
    _home: TempDir,
    root: PathBuf,
}

impl RealMachine {
    pub fn new() -> Self {
        let home = TempDir::new().unwrap();
        let root = home.path().canonicalize().unwrap();
        Self { _home: home, root }
    }

    fn free(&self, path: &str) -> PathBuf {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if fs::symlink_metadata(&path).is_ok() {
            fs::remove_file(&path).unwrap();
        }
        path
    }
}

impl Machine for RealMachine {
    fn at(&self, path: &str) -> PathBuf {
        if path.is_empty() { self.root.clone() } else { self.root.join(path) }
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        fs::write(self.free(path), bytes).unwrap();
    }

    fn folder(&self, path: &str) {
        fs::create_dir_all(self.at(path)).unwrap();
    }

    fn link(&self, path: &str, to: &str) {
        make_link(to, &self.free(path));
    }

    fn fifo(&self, path: &str) {
        make_fifo(&self.free(path));
    }

    fn delete(&self, path: &str) {
        let path = self.at(path);
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path).unwrap(),
            Ok(_) => fs::remove_file(path).unwrap(),
            Err(_) => {}
        }
    }

    fn rename(&self, from: &str, to: &str) {
        fs::rename(self.at(from), self.at(to)).unwrap();
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        fs::read(self.at(path)).ok()
    }

    fn kind(&self, path: &str) -> Option<Kind> {
        let path = self.at(path);
        let kind = fs::symlink_metadata(&path).ok()?.file_type();
        Some(if kind.is_symlink() {
            Kind::Link(fs::read_link(path).unwrap())
        } else if kind.is_dir() {
            Kind::Folder
        } else if kind.is_file() {
            Kind::File
        } else {
            Kind::Special
        })
    }

    fn names(&self, path: &str) -> Vec<String> {
        let entries = fs::read_dir(self.at(path)).into_iter().flatten();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }
}

#[cfg(unix)]
fn make_link(to: &str, at: &Path) {
    std::os::unix::fs::symlink(to, at).unwrap();
}

#[cfg(windows)]
fn make_link(to: &str, at: &Path) {
    let to = to.replace('/', "\\");
    let is_folder = at.parent().unwrap().join(&to).is_dir();
    let made = match is_folder {
        true => std::os::windows::fs::symlink_dir(to, at),
        false => std::os::windows::fs::symlink_file(to, at),
    };
    made.unwrap();
}

#[cfg(unix)]
fn make_fifo(at: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(at).status().unwrap().success());
}

#[cfg(not(unix))]
fn make_fifo(at: &Path) {
    fs::create_dir(at).unwrap();
}
