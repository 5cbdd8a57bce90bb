//! Scans of folders that are watched, so that an unchanged root is not scanned again (adr/0030).
//!
//! Every folder of a known scan is watched before it is checked. If the check finds no change, the scan is confirmed,
//! and returned until an event arrives. Links, and files with several names, can change elsewhere and are checked each
//! time.

use super::DiskSkillScanner;
use super::known::{Paths, look};
use crate::events::{EventFilter, WatchId, reports_changes_at};
use crate::watch_cache::{Generation, WatchCache};
use rustix::fs::{FileType, Stat, lstat};
use skillc_domain::discovery::scan::{ScanBounds, ScannedRoot, SkillForm};
use skillc_domain::limits::CACHED_SCANS_MAX;
use skillc_domain::places::META_DIR;
use skillc_ports::error::PortError;
use skillc_ports::scan::{Scan, SkillScanner};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum number of watched folders, unless the system permits fewer.
const FOLDERS_MAX: usize = 65_536;
/// The lowest limit on watches that systems set for a user.
const GRANTED_MIN: usize = 8_192;
/// Number of folders of a scan that may be checked on each call; a scan with more is not cached.
const CHECKED_MAX: usize = 1_000;

/// Scans the local file system, for a long-running process.
pub struct WatchedSkillScanner {
    /// Confirmed scans, by the root as given.
    confirmed: Mutex<WatchCache<PathBuf, Arc<ConfirmedScan>>>,
}

/// A scan that a check found unchanged.
struct ConfirmedScan {
    scanned: Arc<ScannedRoot>,
    /// Indexes of folders that are checked on each call.
    checked: Vec<usize>,
}

/// The watches for a scan, set before it is checked.
struct WatchedScan {
    started: Generation,
    watches: BTreeSet<WatchId>,
    /// As in `ConfirmedScan`.
    checked: Vec<usize>,
}

impl Default for WatchedSkillScanner {
    fn default() -> Self {
        Self { confirmed: Mutex::new(WatchCache::new(CACHED_SCANS_MAX, folders_max())) }
    }
}

impl SkillScanner for WatchedSkillScanner {
    fn scan(
        &self,
        root: &Path,
        bounds: &ScanBounds<'_>,
        known: Option<Arc<ScannedRoot>>,
    ) -> Result<Scan, PortError> {
        let Some(known) = known else { return DiskSkillScanner.scan(root, bounds, None) };
        if self.is_unchanged(root, bounds, &known) {
            return Ok(Scan { scanned: known, is_news: false });
        }
        let watched = self.watch(root, &known);
        let scan = DiskSkillScanner.scan(root, bounds, Some(known))?;
        if let Some(watched) = watched.filter(|_| !scan.is_news) {
            let WatchedScan { started, watches, checked } = watched;
            let confirmed = Arc::new(ConfirmedScan { scanned: scan.scanned.clone(), checked });
            self.confirmed().insert(&root.to_owned(), confirmed, started, watches);
        }
        Ok(scan)
    }
}

impl WatchedSkillScanner {
    /// Whether a new scan would equal the known one.
    fn is_unchanged(&self, root: &Path, bounds: &ScanBounds<'_>, known: &Arc<ScannedRoot>) -> bool {
        let confirmed = self.confirmed().get(&root.to_owned());
        let Some(confirmed) = confirmed.filter(|confirmed| Arc::ptr_eq(&confirmed.scanned, known)) else {
            return false;
        };
        let mut paths = Paths::of(known);
        fs::canonicalize(root).is_ok_and(|now| known.is_of(&now, bounds))
            && confirmed.checked.iter().all(|at| look(known, *at, paths.at(*at)).is_same())
    }

    /// Watches every folder of a scan; `None` if that is not possible.
    fn watch(&self, root: &Path, known: &ScannedRoot) -> Option<WatchedScan> {
        let checked = checked_folders(known).filter(|checked| checked.len() <= CHECKED_MAX);
        let key = root.to_owned();
        let mut cache = self.confirmed();
        let started = cache.start(&key)?;
        let is_possible = checked.is_some() && cache.has_room(&key, known.folders.len());
        let mut watch = |(path, filter): (PathBuf, _)| cache.watch_at(&key, &path, filter);
        let watches = is_possible.then(|| watched_folders(known).map(&mut watch).collect()).flatten();
        if watches.is_none() {
            cache.refuse(&key);
        }
        Some(WatchedScan { started, watches: watches?, checked: checked? })
    }

    fn confirmed(&self) -> MutexGuard<'_, WatchCache<PathBuf, Arc<ConfirmedScan>>> {
        self.confirmed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The folders whose events report changes of a scan, by canonical path.
fn watched_folders(known: &ScannedRoot) -> impl Iterator<Item = (PathBuf, EventFilter)> {
    let folders = known.folders.iter().enumerate().filter(|(_, folder)| !folder.is_single_file());
    folders.flat_map(|(at, folder)| {
        let path = known.canonical(at);
        let filter = match at == 0 && known.takes_files {
            true => EventFilter::MarkdownFiles,
            false => EventFilter::SkillFiles,
        };
        let is_stub = folder.skill.as_ref().is_some_and(|skill| skill.form == SkillForm::Stub);
        let meta = is_stub.then(|| (path.join(META_DIR), EventFilter::Manifest));
        std::iter::once((path, filter)).chain(meta)
    })
}

/// Indexes of the folders that can change without an event: the root, folders behind links, and those whose skill
/// file has another name elsewhere. `None` if a file system does not report changes.
fn checked_folders(known: &ScannedRoot) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    let mut paths = Paths::of(known);
    for (at, folder) in known.folders.iter().enumerate() {
        let is_linked = folder.target.is_some();
        if (at == 0 || is_linked) && !reports_changes_at(&known.canonical(at)) {
            return None;
        }
        let mut has_other_names = || {
            folder.skill.as_ref().is_some_and(|skill| {
                let file = super::listing::file_of(skill.form, paths.at(at), &known.file);
                skill.form == SkillForm::NotAFile || lstat(&file).is_ok_and(|stat| is_elsewhere_too(&stat))
            })
        };
        if at == 0 || is_linked || has_other_names() {
            found.push(at);
        }
    }
    Some(found)
}

/// Whether the file is a symbolic link or has several hard links.
fn is_elsewhere_too(stat: &Stat) -> bool {
    stat.st_nlink > 1 || FileType::from_raw_mode(stat.st_mode).is_symlink()
}

/// At most half of the watches that the system permits this user, since editors need some too.
fn folders_max() -> usize {
    let granted = fs::read_to_string("/proc/sys/fs/inotify/max_user_watches");
    let granted = granted.ok().and_then(|text| text.trim().parse().ok()).unwrap_or(GRANTED_MIN);
    FOLDERS_MAX.min(granted / 2)
}
