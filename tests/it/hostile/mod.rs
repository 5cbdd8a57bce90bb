//! Hostile authors, strangers and broken machines: no command may crash, hang, leave a skill's folder, or report
//! something false.
#![cfg(unix)]

mod cloned;
mod configuration;
mod content;
mod front_matter;
mod growth;
mod line_ends;
mod links;
mod log;
mod machine;
mod markdown;
mod names;
mod races;
mod repositories;
mod runtime;
mod terminal;

use crate::site::{Run, Site, without_base_directories};
use std::ffi::OsStr;
use std::io::Read;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

/// Far longer than any of these commands takes on a busy machine.
const PROMPT: Duration = Duration::from_secs(60);

/// Runs the program, which must exit by itself without panicking.
#[track_caller]
fn promptly<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(site: &Site, line: I) -> Run {
    let run = in_time(site.command(line));
    assert!(run.status == 0 || run.status == 1, "{}: {}", run.status, run.err);
    assert!(!run.err.contains("skc panicked"), "{}", run.err);
    run
}

#[track_caller]
fn in_time(mut command: Command) -> Run {
    let start = Instant::now();
    let mut child = command.spawn().unwrap();
    let (out, err) = (drain(child.stdout.take()), drain(child.stderr.take()));
    let status = wait(&mut child, start);
    let (bytes, err) = (out.join().unwrap(), err.join().unwrap());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (base_directories, err) = without_base_directories(&text(&err));
    Run { status, out: text(&bytes), err, bytes, base_directories }
}

fn drain(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.unwrap().read_to_end(&mut bytes).unwrap();
        bytes
    })
}

#[track_caller]
fn wait(child: &mut Child, start: Instant) -> i32 {
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code().unwrap_or(-1);
        }
        if start.elapsed() > PROMPT {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("it did not end within {PROMPT:?}");
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// Every command that reads or builds the skill `demo`, on the file `refs/a.md`.
const LINES: [&[&str]; 12] = [
    &["outline", "demo"],
    &["sources", "demo"],
    &["sources", "demo", "--dir", "refs"],
    &["open", "demo", "SKILL.md"],
    &["open", "demo", "refs/a.md"],
    &["show", "demo", "--section", "Secret"],
    &["show", "demo", "--section", "Top"],
    &["show", "demo", "--section", "Secret", "--file", "refs/a.md"],
    &["search", "demo", "xylophone"],
    &["list", "--check-obsolete"],
    &["build", "demo", "--copy", "--force"],
    &["build", "--all"],
];

fn make_fifo(path: &std::path::Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}
