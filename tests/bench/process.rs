//! Runs a program and measures its duration or memory.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Instant;

/// GNU time, which reports the peak memory of its child.
const GNU_TIME: &str = "/usr/bin/time";

/// Wall-clock seconds from before the start until the end was detected. An exit status other than 0 is an error,
/// since the duration of a failed run is meaningless.
pub fn seconds(command: &mut Command) -> Result<f64, String> {
    quiet(command);
    let start = Instant::now();
    let status = command.status();
    let taken = start.elapsed().as_secs_f64();
    check(command, status)?;
    Ok(taken)
}

/// Like [`seconds`], for a program whose status 1 is an answer.
pub fn seconds_of_any_end(command: &mut Command) -> Result<f64, String> {
    quiet(command);
    let start = Instant::now();
    let status = command.status();
    let taken = start.elapsed().as_secs_f64();
    match status {
        Ok(status) if status.code() == Some(1) => Ok(taken),
        status => check(command, status).map(|()| taken),
    }
}

/// Peak resident memory of the program in bytes.
///
/// `scratch` is a file that may be overwritten. Without GNU time, the kernel's counter is polled, which can miss
/// memory used at the last moment.
pub fn peak_bytes(command: &Command, scratch: &Path) -> Result<f64, String> {
    let kib = if Path::new(GNU_TIME).exists() { timed_kib(command, scratch) } else { polled_kib(command) };
    kib.map(|kib| kib * 1024.0)
}

fn timed_kib(command: &Command, scratch: &Path) -> Result<f64, String> {
    let mut outer = Command::new(GNU_TIME);
    outer.args(["-f", "%M", "-o"]).arg(scratch).arg(command.get_program()).args(command.get_args());
    outer.env_clear().envs(command.get_envs().filter_map(|(key, value)| Some((key, value?))));
    outer.current_dir(command.get_current_dir().unwrap_or(Path::new(".")));
    seconds(&mut outer)?;
    let said = fs::read_to_string(scratch).map_err(|e| format!("{}: {e}", scratch.display()))?;
    let last = said.split_whitespace().last().and_then(|word| word.parse().ok());
    last.ok_or(format!("{GNU_TIME} said {said:?}"))
}

fn polled_kib(command: &Command) -> Result<f64, String> {
    let mut copy = Command::new(command.get_program());
    copy.args(command.get_args());
    copy.env_clear().envs(command.get_envs().filter_map(|(key, value)| Some((key, value?))));
    copy.current_dir(command.get_current_dir().unwrap_or(Path::new(".")));
    quiet(&mut copy);
    let mut child = copy.spawn().map_err(|e| format!("{:?}: {e}", copy.get_program()))?;
    let mut peak = 0.0;
    let status = loop {
        peak = high_water_kib(&child).unwrap_or(0.0).max(peak);
        if let Some(status) = child.try_wait().transpose() {
            break status;
        }
        std::thread::yield_now();
    };
    check(&copy, status)?;
    if peak > 0.0 { Ok(peak) } else { Err("this system tells no peak memory".to_string()) }
}

fn high_water_kib(child: &Child) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn quiet(command: &mut Command) {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
}

fn check(command: &Command, status: std::io::Result<ExitStatus>) -> Result<(), String> {
    let words = || {
        let all = std::iter::once(command.get_program()).chain(command.get_args());
        all.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    };
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{}` ended with {status}", words())),
        Err(error) => Err(format!("`{}` did not start: {error}", words())),
    }
}
