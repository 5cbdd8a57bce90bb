//! Runs the program with limits on time, file size and memory.

use super::sandbox::Sandbox;
use crate::site::program;
use std::fs::{self, File};
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than any command takes on these small trees on a busy machine.
pub const LIMIT: Duration = Duration::from_secs(60);
/// No command writes a file of this size; in blocks of 512 bytes, the unit of `ulimit`.
const FILE_BLOCKS_MAX: u64 = (128 << 20) / 512;
/// Address space in KiB, which stops a program that reads without bounds.
const MEMORY_KIB_MAX: u64 = 768 << 10;
/// The interval at which exits are checked.
const POLL: Duration = Duration::from_micros(400);

/// The result of a run.
pub struct Outcome {
    /// Exit status; `None` after a signal or timeout.
    pub status: Option<i32>,
    /// How it ended without a status.
    pub end: String,
    /// Its complete output.
    pub said: Vec<u8>,
}

/// A shell that sets the limits and executes the program.
pub fn limited(sandbox: &Sandbox, cwd: &str, words: &[String]) -> Command {
    let mut command = Command::new("sh");
    sandbox.surround(&mut command, cwd);
    let script = format!("ulimit -v {MEMORY_KIB_MAX} -f {FILE_BLOCKS_MAX} -c 0; exec \"$0\" \"$@\"");
    // POSIX `ulimit` sets one limit per call.
    let script = script.replace(" -f", "; ulimit -f").replace(" -c", "; ulimit -c");
    command.arg("-c").arg(script).arg(program()).args(words);
    command
}

/// Runs a command line with this input.
pub fn run(sandbox: &Sandbox, cwd: &str, words: &[String], input: Option<&str>) -> Outcome {
    let [out, err, given] = ["out", "err", "in"].map(|name| sandbox.side.join(name));
    let mut command = limited(sandbox, cwd, words);
    command.stdout(File::create(&out).unwrap()).stderr(File::create(&err).unwrap());
    if let Some(input) = input {
        fs::write(&given, input).unwrap();
        command.stdin(File::open(&given).unwrap());
    }
    let mut child = command.spawn().unwrap();
    let ended = wait(&mut child, LIMIT);
    let mut said = fs::read(out).unwrap_or_default();
    said.extend(fs::read(err).unwrap_or_default());
    let end = ended.map_or_else(|| format!("it did not end within {LIMIT:?}"), |status| status.to_string());
    Outcome { status: ended.and_then(|status| status.code()), end, said }
}

/// Waits for a process; kills it after the limit.
pub fn wait(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        if start.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        thread::sleep(POLL);
    }
}
