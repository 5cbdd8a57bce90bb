//! Baselines on this machine: starting a program, calling stat on a tree, making a write durable.

use crate::process;
use crate::series::median;
use crate::work::Work;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Number of writes per measurement of `fdatasync`; a single one may coincide with the journal's own rhythm.
const SYNCS_A_ROUND: usize = 3;
/// Size of each such write in bytes: one page of SQLite.
const SYNC_BYTES: usize = 4096;
/// Prints every stat field that is needed to detect staleness, for every entry: size, times, inode, path.
const STAT: &str = "find . -printf '%s %T@ %C@ %i %p\\n' >/dev/null";

/// Reads every byte of every file.
const READ: &str = "find . -type f -print0 | xargs -0 cat >/dev/null";

/// The baselines of one work folder.
pub struct Limits {
    empty: PathBuf,
    empty_is: &'static str,
    scratch: PathBuf,
    kind: String,
    is_durable: bool,
}

impl Limits {
    /// Compiles the empty program once.
    pub fn take(work: &Work) -> Result<Self, String> {
        let (empty, empty_is) = match compile_empty(work.root()) {
            Some(program) => (program, "an empty Rust program"),
            None => (
                PathBuf::from("/bin/true"),
                "/bin/true (no rustc here, or nothing may run in the work folder)",
            ),
        };
        let scratch = work.root().join("durable");
        let kind = work.kind().to_string();
        Ok(Limits { empty, empty_is, scratch, kind, is_durable: work.is_durable() })
    }

    /// Seconds to start and end an empty program.
    pub fn empty(&self) -> Result<f64, String> {
        process::seconds(Command::new(&self.empty).env_clear())
    }

    /// Seconds for `find` to call stat on everything below `folder`, including the shell that starts it.
    pub fn stat(&self, folder: &Path) -> Result<f64, String> {
        process::seconds(Command::new("/bin/sh").args(["-c", STAT]).current_dir(folder))
    }

    /// Seconds for `cat` to read every byte below `folder`, including the shell and `find`.
    pub fn read(&self, folder: &Path) -> Result<f64, String> {
        process::seconds(Command::new("/bin/sh").args(["-c", READ]).current_dir(folder))
    }

    /// Seconds to create a file, append one page and flush it; the median of a few.
    pub fn fdatasync(&self) -> Result<f64, String> {
        let each: Result<Vec<f64>, _> = (0..SYNCS_A_ROUND).map(|_| durable_write(&self.scratch)).collect();
        each.map(|each| median(&each)).map_err(|e| format!("{}: {e}", self.scratch.display()))
    }

    /// Like [`Self::fdatasync`], for the time that a reader may spend on its log; zero if writes are not durable.
    pub fn log_fdatasync(&self) -> Result<f64, String> {
        if self.is_durable { self.fdatasync() } else { Ok(0.0) }
    }

    /// Whether durable writes have a cost here.
    pub fn is_durable(&self) -> bool {
        self.is_durable
    }

    /// One line for the legend.
    pub fn describe(&self) -> Result<String, String> {
        let some =
            |take: &dyn Fn() -> Result<f64, String>| (0..15).map(|_| take()).collect::<Result<Vec<_>, _>>();
        let empty_ms = median(&some(&|| self.empty())?) * 1e3;
        let sync_ms = median(&some(&|| self.fdatasync())?) * 1e3;
        let what = self.empty_is;
        Ok(format!("{}: empty {empty_ms:.2} ms ({what}), fdatasync {sync_ms:.2} ms", self.kind))
    }
}

fn durable_write(place: &Path) -> std::io::Result<f64> {
    let start = Instant::now();
    let mut file = File::create(place)?;
    file.write_all(&[b'x'; SYNC_BYTES])?;
    file.sync_data()?;
    drop(file);
    let taken = start.elapsed().as_secs_f64();
    fs::remove_file(place)?;
    Ok(taken)
}

/// `None` if there is no compiler, or the result cannot be run there.
fn compile_empty(folder: &Path) -> Option<PathBuf> {
    let source = folder.join("empty.rs");
    let program = folder.join("empty");
    fs::write(&source, "fn main() {}\n").ok()?;
    let mut rustc = Command::new("rustc");
    rustc.args(["-O", "-o"]).arg(&program).arg(&source).stdout(Stdio::null()).stderr(Stdio::null());
    let compiled = rustc.status().is_ok_and(|status| status.success());
    (compiled && Command::new(&program).status().is_ok_and(|status| status.success())).then_some(program)
}
