//! A folder that acts as a machine and is reset to its honest state for each repository.

use super::honest::{self, HOME, PROJECT, TEMPORARY};
use super::random::Random;
use super::tree::{self, Reader, Tree};
use crate::site::program;
use rusqlite::Connection;
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Folders above the machine, so that paths with too many `..` stay inside the sandbox.
const ABOVE: [&str; 4] = ["in", "the", "deep", "below"];

/// The honest machine, built once at the path where it is restored, since an index is named after the path of its
/// source.
pub struct Sandbox {
    root: PathBuf,
    /// Next to the root. Holds the output of the programs.
    pub side: PathBuf,
    /// The honest state.
    pub honest: Tree,
    /// Whether each server call is judged separately.
    pub is_slow: bool,
    reader: RefCell<Reader>,
}

impl Sandbox {
    /// Creates the honest machine in a new folder.
    pub fn new(folder: &Path, is_slow: bool) -> Self {
        let (root, side) = (folder.join(ABOVE.join("/")).join("m"), folder.join("side"));
        fs::create_dir_all(&side).unwrap();
        honest::write(&root, &mut Random::new(1));
        let mut sandbox = Self { root, side, honest: Tree::new(), is_slow, reader: RefCell::default() };
        sandbox.build();
        sandbox.settle();
        tree::make_endless(&sandbox.root.join("zero"));
        sandbox.honest = sandbox.read();
        sandbox
    }

    fn build(&self) {
        let skc = |cwd: &str, line: &str| {
            let mut command = self.bare(cwd);
            let done = command.args(line.split(' ')).output().unwrap();
            assert!(done.status.success(), "{line}: {}", String::from_utf8_lossy(&done.stderr));
        };
        skc(honest::NEIGHBOR, "build --all");
        skc(HOME, "build mine");
        skc(HOME, "build helper");
        skc(PROJECT, "build demo");
        skc(PROJECT, "build helper");
        skc(PROJECT, "search demo marmot");
    }

    /// Checkpoints all databases, from which forged ones are derived.
    fn settle(&self) {
        let files = self.read().into_keys();
        for file in files.filter(|file| file.ends_with(".db")) {
            let db = Connection::open(self.root.join(file)).unwrap();
            db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
        }
    }

    /// The names of new entries above the machine.
    pub fn strays(&self) -> Vec<String> {
        let name =
            |path: &PathBuf| format!("above/{}", path.file_name().unwrap_or_default().to_string_lossy());
        self.stray_paths().iter().map(name).collect()
    }

    fn stray_paths(&self) -> Vec<PathBuf> {
        let above = self.root.ancestors().skip(1).take(ABOVE.len());
        let own = ["m"].into_iter().chain(ABOVE.into_iter().rev());
        let others = |(folder, own): (&Path, &'static str)| {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            entries.filter(move |entry| entry.file_name() != own).map(|entry| entry.path())
        };
        above.zip(own).flat_map(others).collect()
    }

    /// The program in a folder of the sandbox with a minimal environment.
    fn bare(&self, cwd: &str) -> Command {
        let mut command = Command::new(program());
        self.surround(&mut command, cwd);
        command
    }

    /// Sets the environment of every run. It contains a secret, which no output may disclose.
    pub fn surround(&self, command: &mut Command, cwd: &str) {
        command
            .current_dir(self.root.join(cwd))
            .env_clear()
            .env("HOME", self.root.join(HOME))
            .env("TMPDIR", self.root.join(TEMPORARY))
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("AWS_SECRET_ACCESS_KEY", format!("{}environment", honest::SECRET))
            // Prevents downloads.
            .env("SKILLC_MODEL_URL", "http://127.0.0.1:9")
            .stdin(Stdio::null());
    }

    /// Restores the honest machine.
    pub fn restore(&self) {
        self.stray_paths().iter().for_each(|path| tree::remove(path));
        tree::put_back(&self.honest, &self.read(), &self.root);
    }

    /// The current state.
    pub fn read(&self) -> Tree {
        self.reader.borrow_mut().read(&self.root)
    }

    /// The root of the machine.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The cloned project.
    pub fn project(&self) -> PathBuf {
        self.root.join(PROJECT)
    }
}
