//! Searches of folders that are watched, so that a search which would see nothing new is not made (adr/0030).
//!
//! Every folder of a search is watched before it is looked at. If nothing is told until all of it was looked at and found
//! as it was known, the search is given again as long as nothing is told. What goes past the folders is looked at each time.

use super::DiskSkillScanner;
use super::known::{Paths, look};
use crate::events::{Event, Events, WatchId, is_told};
use rustix::fs::{FileType, Stat, lstat};
use skillc_domain::discovery::scan::{ScanBounds, ScannedRoot, SkillForm};
use skillc_domain::places::META_DIR;
use skillc_ports::error::PortError;
use skillc_ports::scan::{Scan, SkillScanner};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a search is given again: what no event tells (a mount, a file that got a second name) is seen after this time.
const AGE_MAX: Duration = Duration::from_secs(60);
/// How long a folder that could not be watched is not tried again.
const BLIND: Duration = Duration::from_secs(60);
/// Folders that are watched at most, where the system grants a user twice as many.
const WATCHES_MAX: usize = 65_536;
/// The least that systems grant.
const GRANTED_MIN: usize = 8_192;
/// Folders of a search that may be looked at each time; with more, all of it is.
const LOOKS_MAX: usize = 1_000;
/// Searches that are known at a time: a host asks in many working directories.
const ROOTS_MAX: usize = 256;
/// The file that makes a SKILL.md a stub, in its folder.
const MANIFEST: &[u8] = b"manifest.json";

/// Searches folders of this machine, for a process that lives on.
#[derive(Default)]
pub struct WatchedSkillScanner {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    events: Option<Events>,
    /// By the folder that was asked for.
    roots: HashMap<PathBuf, Watched>,
    folders: HashMap<WatchId, Folder>,
}

/// A folder that is watched.
struct Folder {
    /// Whether only the manifest of a stub counts in it: logs stand beside it.
    is_meta: bool,
    /// The searches that it belongs to.
    of: Vec<PathBuf>,
}

/// A search whose folders are watched.
#[derive(Default)]
struct Watched {
    /// Counts events.
    changes: u64,
    watches: BTreeSet<WatchId>,
    seen: Option<Seen>,
    blind_until: Option<Instant>,
}

/// A search that was found as it was known, and when.
struct Seen {
    scanned: Arc<ScannedRoot>,
    at: Instant,
    /// Folders that are looked at each time.
    looked_at: Vec<usize>,
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
        if let Some((changes, looked_at)) = watched.filter(|_| !scan.is_news) {
            self.keep(root, &scan.scanned, changes, looked_at);
        }
        Ok(scan)
    }
}

impl WatchedSkillScanner {
    /// Whether the search is one that would be made again for nothing.
    fn is_unchanged(&self, root: &Path, bounds: &ScanBounds<'_>, known: &Arc<ScannedRoot>) -> bool {
        let looked_at = {
            let mut state = self.locked();
            state.catch_up();
            let seen = state.roots.get(root).and_then(|watched| watched.seen.as_ref());
            let is_same = |seen: &&Seen| Arc::ptr_eq(&seen.scanned, known) && seen.at.elapsed() < AGE_MAX;
            match seen.filter(is_same) {
                Some(seen) => seen.looked_at.clone(),
                None => return false,
            }
        };
        let leads_here = fs::canonicalize(root).is_ok_and(|now| now == known.root);
        let mut paths = Paths::of(known);
        leads_here
            && (known.file.as_str(), known.border.as_deref()) == (bounds.file, bounds.border)
            && looked_at.into_iter().all(|at| look(known, at, paths.at(at)).is_same())
    }

    /// Watches every folder of a search: what was told until then, and what is to be looked at each time. `None` where it
    /// cannot be watched.
    fn watch(&self, root: &Path, known: &ScannedRoot) -> Option<(u64, Vec<usize>)> {
        let looked_at = past_folders(known).filter(|looked_at| looked_at.len() <= LOOKS_MAX);
        let mut state = self.locked();
        state.catch_up();
        if state.roots.len() >= ROOTS_MAX && !state.roots.contains_key(root) {
            state.forget_all();
        }
        let watched = state.roots.entry(root.to_owned()).or_default();
        if watched.blind_until.is_some_and(|until| Instant::now() < until) {
            return None;
        }
        let (changes, own) = (watched.changes, watched.watches.len());
        let of_others = state.folders.len().saturating_sub(own);
        let is_room = of_others + known.folders.len() <= watches_max();
        let is_watched = looked_at.is_some() && is_room && state.watch(root, known);
        if !is_watched {
            state.turn_blind(root);
        }
        looked_at.filter(|_| is_watched).map(|looked_at| (changes, looked_at))
    }

    /// Keeps a search of which nothing was told since.
    fn keep(&self, root: &Path, scanned: &Arc<ScannedRoot>, changes: u64, looked_at: Vec<usize>) {
        let mut state = self.locked();
        state.catch_up();
        if let Some(watched) = state.roots.get_mut(root).filter(|watched| watched.changes == changes) {
            watched.seen = Some(Seen { scanned: scanned.clone(), at: Instant::now(), looked_at });
        }
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Applies the events so far.
    fn catch_up(&mut self) {
        let Some(events) = &self.events else { return };
        let matters = |event: &Event<'_>| {
            let is_meta = self.folders.get(&event.folder).is_some_and(|folder| folder.is_meta);
            match event.name {
                Some(name) if is_meta => name == MANIFEST,
                Some(name) => event.is_of_names || is_head(name),
                None => true,
            }
        };
        let happened = events.take(matters);
        if happened.is_anything {
            self.roots.values_mut().for_each(Watched::change);
        }
        for watch in happened.in_folders {
            for root in self.folders.get(&watch).into_iter().flat_map(|folder| &folder.of) {
                self.roots.get_mut(root).into_iter().for_each(Watched::change);
            }
        }
        for watch in happened.gone {
            for root in self.folders.remove(&watch).into_iter().flat_map(|folder| folder.of) {
                if let Some(watched) = self.roots.get_mut(&root) {
                    watched.change();
                    watched.watches.remove(&watch);
                }
            }
        }
    }

    /// Watches all of a search, and no longer what is not part of it; whether all of it is watched. What is watched already
    /// is asked for again: another folder may stand at its path by now.
    fn watch(&mut self, root: &Path, known: &ScannedRoot) -> bool {
        if self.events.is_none() {
            self.events = Events::new();
        }
        let Some(watched) = self.roots.get_mut(root) else { return false };
        let old = std::mem::take(&mut watched.watches);
        let mut watches = BTreeSet::new();
        let mut is_all = true;
        for (path, is_meta) in folders(known) {
            match self.watch_one(root, &path, is_meta) {
                Some(watch) => drop(watches.insert(watch)),
                None => {
                    is_all = false;
                    break;
                }
            }
        }
        self.unwatch(root, old.difference(&watches).copied());
        if let Some(watched) = self.roots.get_mut(root) {
            watched.watches = watches;
        }
        is_all
    }

    fn watch_one(&mut self, root: &Path, path: &Path, is_meta: bool) -> Option<WatchId> {
        let watch = self.events.as_ref()?.watch_at(path)?;
        let folder = self.folders.entry(watch).or_insert_with(|| Folder { is_meta, of: Vec::new() });
        folder.is_meta &= is_meta;
        if !folder.of.iter().any(|own| own == root) {
            folder.of.push(root.to_owned());
        }
        Some(watch)
    }

    fn turn_blind(&mut self, root: &Path) {
        let Some(watched) = self.roots.get_mut(root) else { return };
        watched.change();
        watched.blind_until = Some(Instant::now() + BLIND);
        let watches = std::mem::take(&mut watched.watches);
        self.unwatch(root, watches);
    }

    fn forget_all(&mut self) {
        *self = Self::default();
    }

    /// Takes a search off folders, which are watched no longer where they are of no other one.
    fn unwatch(&mut self, root: &Path, watches: impl IntoIterator<Item = WatchId>) {
        for watch in watches {
            let Some(folder) = self.folders.get_mut(&watch) else { continue };
            folder.of.retain(|own| own != root);
            if folder.of.is_empty() {
                self.folders.remove(&watch);
                self.events.iter().for_each(|events| events.forget(watch));
            }
        }
    }
}

impl Watched {
    fn change(&mut self) {
        self.changes += 1;
        self.seen = None;
    }
}

/// Whether what a file of this name says is part of a search.
fn is_head(name: &[u8]) -> bool {
    use skillc_domain::discovery::scan::PYTHON_SKILL_FILE;
    use skillc_domain::places::SKILL_FILE;
    name == SKILL_FILE.as_bytes() || name == PYTHON_SKILL_FILE.as_bytes() || name == META_DIR.as_bytes()
}

/// The folders that tell of a search's changes, by their paths without links, and whether it is the folder of a manifest.
fn folders(known: &ScannedRoot) -> impl Iterator<Item = (PathBuf, bool)> {
    known.folders.iter().enumerate().flat_map(|(at, folder)| {
        let path = known.canonical(at);
        let is_stub = folder.skill.as_ref().is_some_and(|skill| skill.form == SkillForm::Stub);
        let meta = is_stub.then(|| (path.join(META_DIR), true));
        std::iter::once((path, false)).chain(meta)
    })
}

/// The folders of a search whose changes their watch does not tell all: the first one, those behind links, and those whose
/// file has another name elsewhere. `None` where the system would not tell.
fn past_folders(known: &ScannedRoot) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    let mut paths = Paths::of(known);
    for (at, folder) in known.folders.iter().enumerate() {
        let is_linked = folder.target.is_some();
        if (at == 0 || is_linked) && !is_told(&known.canonical(at)) {
            return None;
        }
        let mut has_other_names = || {
            folder.skill.as_ref().is_some_and(|skill| {
                let file = paths.at(at).join(super::listing::file_of(skill.form, &known.file));
                skill.form == SkillForm::NotAFile || lstat(&file).is_ok_and(|stat| is_elsewhere_too(&stat))
            })
        };
        if at == 0 || is_linked || has_other_names() {
            found.push(at);
        }
    }
    Some(found)
}

/// Whether it is a link, or a file with a second name.
fn is_elsewhere_too(stat: &Stat) -> bool {
    stat.st_nlink > 1 || FileType::from_raw_mode(stat.st_mode).is_symlink()
}

/// Half of what the system grants this user: editors need some too.
fn watches_max() -> usize {
    let granted = fs::read_to_string("/proc/sys/fs/inotify/max_user_watches");
    let granted = granted.ok().and_then(|text| text.trim().parse().ok()).unwrap_or(GRANTED_MIN);
    WATCHES_MAX.min(granted / 2)
}
