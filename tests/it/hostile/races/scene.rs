//! A project with a decoy outside, and the process that swaps one for the other.

use crate::random::Random;
use crate::site::{Site, put, skill_md};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::fs::{self, File};
use std::os::unix::fs::{FileExt, MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};

/// Contained in every file outside, and nowhere else.
pub const CANARY: &str = "zqcanary";

/// The target of the link: something that looks like the original, or the same without any SKILL.md.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Decoy {
    /// As in a project.
    LookAlike,
    /// Without any SKILL.md.
    Bare,
}

/// A project of which one place is swapped, and the target of the link.
pub struct Scene {
    /// The project.
    pub site: Site,
    /// The target of the link.
    pub outside: PathBuf,
    source: File,
    before: Vec<String>,
}

impl Scene {
    /// Both, built.
    pub fn new(decoy: Decoy) -> Self {
        let site = Site::new();
        let outside = site.root().join("outside");
        write_project(&site.project(), "marmot");
        write_project(&outside, &format!("marmot {CANARY}"));
        for folder in [&site.project(), &outside] {
            // What is deployed outside has a place of its own that is not a link.
            site.skc_in(folder, ["build", "x", "--copy"]).ok();
        }
        put(&outside.join(".skillc/logs/x/.skillc-meta/kept.txt"), CANARY);
        put(&site.project().join(".skillc/logs/x/.skillc-meta/kept.txt"), "mine");
        if decoy == Decoy::Bare {
            remove_named(&outside, "SKILL.md");
        }
        let source = File::options().write(true).open(site.skill("x").join("refs/a.md")).unwrap();
        let before = state(&outside);
        Self { site, outside, source, before }
    }

    /// Changes a source through its descriptor, so that a build has something to do and nothing is written by name.
    pub fn edit(&self, round: u64) {
        self.source.write_all_at(format!("# Ref\n\nmarmot {round:08}\n").as_bytes(), 0).unwrap();
    }

    /// What changed outside since the last time.
    pub fn changed_outside(&mut self) -> Vec<String> {
        let now = state(&self.outside);
        let old = std::mem::replace(&mut self.before, now);
        let differs = |line: &&String| !old.contains(line);
        let mut changed: Vec<String> = self.before.iter().filter(differs).cloned().collect();
        changed.extend(
            old.iter().filter(|line| !self.before.contains(line)).map(|line| format!("no more: {line}")),
        );
        changed
    }
}

fn write_project(folder: &Path, text: &str) {
    let skill = |name: &str| {
        skill_md(name, &format!("# Top\n\n{text}\n")).replace("Use when", &format!("{text}. Use when"))
    };
    for (file, text) in [
        (".git/HEAD", "ref: refs/heads/main\n".to_owned()),
        (".skillc/skills/x/SKILL.md", skill("x")),
        (".skillc/skills/x/refs/a.md", format!("# Ref\n\n{text} 00000000\n")),
        (
            ".skillc/config.toml",
            format!("# {text}\n[skills]\ndisabled = [\"{}\"]\n", text.replace("marmot", "none")),
        ),
        (".agents/skills/plain/SKILL.md", skill("plain")),
        ("vendor/dl/SKILL.md", skill("dl")),
        ("vendor/dl/refs/a.md", format!("# Ref\n\n{text}\n")),
        ("AGENTS.md", format!("# {text}\n")),
        ("queries.jsonl", "{\"query\": \"marmot\", \"relevant\": [\"x\"]}\n".to_owned()),
    ] {
        put(&folder.join(file), text);
    }
    // Only the place outside has a file with this name.
    if text.contains(CANARY) {
        put(&folder.join(".skillc/skills/x/secret.txt"), text);
    }
}

fn remove_named(folder: &Path, name: &str) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            remove_named(&path, name);
        } else if entry.file_name() == name {
            fs::remove_file(path).unwrap();
        }
    }
}

/// Every path below a folder with its permissions, size and times. A file that was created and deleted shows in the
/// time of its folder.
fn state(folder: &Path) -> Vec<String> {
    let metadata = fs::symlink_metadata(folder).unwrap();
    let times = (metadata.mtime(), metadata.mtime_nsec(), metadata.ctime(), metadata.ctime_nsec());
    let mut lines = vec![format!("{} {:o} {} {times:?}", folder.display(), metadata.mode(), metadata.len())];
    if metadata.is_dir() {
        let mut paths: Vec<_> = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).collect();
        paths.sort();
        lines.extend(paths.iter().flat_map(|path| state(path)));
    }
    lines
}

/// A thread that swaps a place with a link until it is stopped.
pub struct Exchange {
    is_over: Arc<AtomicBool>,
    count: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl Exchange {
    /// Starts it.
    pub fn start(place: PathBuf, target: PathBuf, aside: PathBuf) -> Self {
        symlink(&target, &aside).unwrap();
        let (is_over, count) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let (stop, exchanges) = (is_over.clone(), count.clone());
        let thread = thread::spawn(move || {
            let mut random = Random::new(1);
            while !stop.load(Ordering::Relaxed) {
                match renameat_with(CWD, &place, CWD, &aside, RenameFlags::EXCHANGE) {
                    Ok(()) => drop(exchanges.fetch_add(1, Ordering::Relaxed)),
                    Err(_) => restore(&place, &target, &aside),
                }
                // From none to about the time between two system calls of a program that checks and then opens.
                (0..random.below(40_000)).for_each(|_| std::hint::spin_loop());
            }
        });
        Self { is_over, count, thread: Some(thread) }
    }

    /// Stops it, and returns the number of swaps.
    pub fn stop(mut self) -> u64 {
        self.end();
        self.count.load(Ordering::Relaxed)
    }

    fn end(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.take().into_iter().for_each(|thread| thread.join().unwrap());
    }
}

/// A failed test stops it too.
impl Drop for Exchange {
    fn drop(&mut self) {
        self.end();
    }
}

/// Restores what a command removed: the link aside, or the place.
fn restore(place: &Path, target: &Path, aside: &Path) {
    let is_there = |path: &Path| fs::symlink_metadata(path).is_ok();
    if !is_there(place) && is_there(aside) {
        let _ = fs::rename(aside, place);
    }
    if !is_there(aside) {
        let _ = symlink(target, aside);
    }
}
