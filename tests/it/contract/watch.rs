//! `Watcher`. There is none in memory, where no change goes unnoticed.

use crate::site::put;
use skillc_disk::DiskWatcher;
use skillc_ports::{Watch, Watcher};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tempfile::TempDir;

contract!([disk] {
    a_change_at_any_depth_is_reported,
    a_missing_folder_is_reported_when_it_is_made,
    a_folder_that_no_system_can_watch_is_an_error,
});

/// Far longer than any system takes.
const DEADLINE: Duration = Duration::from_secs(30);

fn disk() -> impl Watcher {
    DiskWatcher
}

fn watched(watcher: &impl Watcher, folder: PathBuf) -> (Box<dyn Watch>, Receiver<()>) {
    let (sender, receiver) = channel();
    let changed = Arc::new(move || {
        let _ = sender.send(());
    });
    (watcher.watch(&BTreeSet::from([folder]), changed).unwrap(), receiver)
}

/// Waits for a callback, and consumes those that come with it.
fn is_told(calls: &Receiver<()>) -> bool {
    let is_told = calls.recv_timeout(DEADLINE).is_ok();
    while calls.recv_timeout(Duration::from_millis(50)).is_ok() {}
    is_told
}

fn a_change_at_any_depth_is_reported(watcher: &impl Watcher) {
    let root = TempDir::new().unwrap();
    let folder = fs::canonicalize(root.path()).unwrap();
    let (file, other) = (folder.join("a/b/x.md"), folder.join("a/b/y.md"));
    put(&file, "one");
    let (_watch, calls) = watched(watcher, folder.clone());
    fs::write(&file, "two").unwrap();
    assert!(is_told(&calls), "written");
    fs::rename(&file, &other).unwrap();
    assert!(is_told(&calls), "renamed");
    fs::remove_file(&other).unwrap();
    assert!(is_told(&calls), "removed");
    fs::create_dir(folder.join("new")).unwrap();
    assert!(is_told(&calls), "made");
    fs::write(folder.join("new/z.md"), "three").unwrap();
    assert!(is_told(&calls), "made in a new folder");
}

fn a_missing_folder_is_reported_when_it_is_made(watcher: &impl Watcher) {
    let root = TempDir::new().unwrap();
    let folder = fs::canonicalize(root.path()).unwrap().join("a/b");
    let (_watch, calls) = watched(watcher, folder.clone());
    fs::create_dir_all(&folder).unwrap();
    assert!(is_told(&calls));
}

fn a_folder_that_no_system_can_watch_is_an_error(watcher: &impl Watcher) {
    let folders = BTreeSet::from([PathBuf::from("a\0b")]);
    assert!(watcher.watch(&folders, Arc::new(|| ())).is_err());
}
