//! Runs a command under `supervise.c`, which injects the fault.

use crate::site::{Run, finish};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    None,
    Fail,
    Full,
    Kill,
    /// As `Kill`, and what was begun again is killed too.
    KillTwice,
}

/// How a supervised command ended, and its places up to the fault.
pub struct Supervised {
    pub run: Run,
    pub places: Vec<String>,
}

/// Whether the compiler and the system support supervision.
pub fn is_possible() -> bool {
    let run = |program: &Path| Command::new(program).args(["/dev/null", "count", "0", "true"]).status();
    program().is_some_and(|program| run(program).is_ok_and(|status| status.success()))
}

/// Runs a command with a fault at place number `place`, counted from 1.
pub fn run(command: Command, fault: Fault, place: usize) -> Supervised {
    let report = tempfile::NamedTempFile::new().unwrap();
    let mode = match fault {
        Fault::None => "count",
        Fault::Fail => "fail",
        Fault::Full => "full",
        Fault::Kill | Fault::KillTwice => "kill",
    };
    let mut supervised = Command::new(program().expect("a supervisor"));
    supervised
        .arg(report.path())
        .args([mode, &place.to_string()])
        .arg(command.get_program())
        .args(command.get_args());
    supervised.current_dir(command.get_current_dir().unwrap()).env_clear();
    supervised.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    supervised.stdin(std::process::Stdio::null());
    let run = finish(supervised);
    assert_ne!(run.status, 125, "the supervisor failed: {}", run.err);
    let places = fs::read_to_string(report.path()).unwrap();
    Supervised { run, places: places.lines().map(str::to_owned).collect() }
}

/// The compiled supervisor; `None` without a C compiler.
fn program() -> Option<&'static Path> {
    static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
    PROGRAM.get_or_init(compile).as_deref()
}

fn compile() -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("proof/faults/supervise.c");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("supervise-{}", std::process::id()));
    let compiled = Command::new("cc")
        .args(["-O1", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program)
        .arg(source)
        .status();
    compiled.is_ok_and(|status| status.success()).then_some(program)
}
