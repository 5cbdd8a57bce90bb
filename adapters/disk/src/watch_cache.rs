//! A cache of values computed from folders. Each is valid until an event reports a change in one of its folders.
//!
//! To fill an entry: `start` returns the generation of the key; `watch` each folder before reading it; `insert`
//! caches the value unless an event arrived since `start`. Changes without an event (writes through another name or a
//! memory map, mounts) are noticed when the value expires.

use crate::events::{EventFilter, Events, WatchId};
use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use std::os::fd::AsFd;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a value is valid without an event. The most expensive value, a walk of 10,000 files, takes 20 ms.
const AGE_MAX: Duration = Duration::from_secs(60);
/// How long to wait before trying again to watch a key's folders after a failure.
const RETRY_DELAY: Duration = Duration::from_secs(60);
/// How long an entry must be unused before it may be evicted.
const IDLE_MIN: Duration = Duration::from_secs(60);

/// Cached values by key, with the folders that are watched for each.
pub(crate) struct WatchCache<K, V> {
    /// At most `entries_max`; further keys are refused until an entry is idle.
    entries: HashMap<K, CacheEntry<V>>,
    entries_max: usize,
    /// At most `folders_max`.
    folders: HashMap<WatchId, WatchedFolder<K>>,
    folders_max: usize,
    /// Opened with the first watch.
    events: Option<Events>,
}

/// Counts the changes in the folders of a key. A value is cached only for the generation in which its computation
/// began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Generation(u64);

struct CacheEntry<V> {
    generation: Generation,
    value: Option<(V, Instant)>,
    watches: BTreeSet<WatchId>,
    used_at: Instant,
    retry_at: Option<Instant>,
}

struct WatchedFolder<K> {
    filter: EventFilter,
    /// The keys whose values depend on the folder.
    keys: Vec<K>,
}

impl<K: Clone + Eq + Hash, V: Clone> WatchCache<K, V> {
    /// An empty cache with bounds for entries and watched folders.
    pub(crate) fn new(entries_max: usize, folders_max: usize) -> Self {
        Self { entries: HashMap::new(), entries_max, folders: HashMap::new(), folders_max, events: None }
    }

    /// The value of a key, if it is still valid.
    pub(crate) fn get(&mut self, key: &K) -> Option<V> {
        self.apply_events();
        let entry = self.entries.get_mut(key)?;
        entry.used_at = Instant::now();
        let (value, cached_at) = entry.value.as_ref()?;
        (cached_at.elapsed() < AGE_MAX).then(|| value.clone())
    }

    /// The generation in which the computation of a new value begins. `None` if the key cannot be cached now, because
    /// its folders could not be watched or the cache is full.
    pub(crate) fn start(&mut self, key: &K) -> Option<Generation> {
        self.apply_events();
        let now = Instant::now();
        if !self.entries.contains_key(key) {
            self.admit(key, now)?;
        }
        let entry = self.entries.get(key)?;
        entry.retry_at.is_none_or(|retry_at| now >= retry_at).then_some(entry.generation)
    }

    /// Watches an open folder for a key; `None` if the system or the bound prevents it.
    pub(crate) fn watch(&mut self, key: &K, folder: impl AsFd, filter: EventFilter) -> Option<WatchId> {
        let watch = self.events()?.watch(folder)?;
        self.assign(key, watch, filter)
    }

    /// Watches the folder at a path for a key. Its file system must report changes (`events::reports_changes_at`).
    pub(crate) fn watch_at(&mut self, key: &K, folder: &Path, filter: EventFilter) -> Option<WatchId> {
        let watch = self.events()?.watch_at(folder)?;
        self.assign(key, watch, filter)
    }

    /// Whether a key can watch this many folders in total.
    pub(crate) fn has_room(&self, key: &K, folders: usize) -> bool {
        let own = self.entries.get(key).map_or(0, |entry| entry.watches.len());
        self.folders.len().saturating_sub(own) + folders <= self.folders_max
    }

    /// Caches a value that depends on exactly these watched folders, unless one has changed since `start`.
    pub(crate) fn insert(&mut self, key: &K, value: V, started: Generation, watches: BTreeSet<WatchId>) {
        self.apply_events();
        let Some(entry) = self.entries.get_mut(key).filter(|entry| entry.generation == started) else {
            return;
        };
        entry.value = Some((value, Instant::now()));
        entry.retry_at = None;
        let old: Vec<WatchId> = entry.watches.difference(&watches).copied().collect();
        entry.watches = watches;
        self.release(key, old);
    }

    /// Drops a value that differs from what a caller has seen.
    pub(crate) fn remove_if(&mut self, key: &K, is_outdated: impl FnOnce(&V) -> bool) {
        if let Some(entry) = self.entries.get_mut(key) {
            entry.value.take_if(|(value, _)| is_outdated(value));
        }
    }

    /// Stops watching for a key, and does not cache it for a while.
    pub(crate) fn refuse(&mut self, key: &K) {
        let Some(entry) = self.entries.get_mut(key) else { return };
        entry.invalidate();
        entry.retry_at = Some(Instant::now() + RETRY_DELAY);
        let watches = std::mem::take(&mut entry.watches);
        self.release(key, watches);
    }

    /// Reads the queue of events and drops the values that depend on changed folders.
    fn apply_events(&mut self) {
        let Some(events) = &self.events else { return };
        let changes = events.take(|event| {
            self.folders.get(&event.folder).is_some_and(|folder| folder.filter.includes(event))
        });
        if changes.is_unknown {
            self.entries.values_mut().for_each(CacheEntry::invalidate);
        }
        for watch in changes.in_folders {
            for key in self.folders.get(&watch).into_iter().flat_map(|folder| &folder.keys) {
                self.entries.get_mut(key).into_iter().for_each(CacheEntry::invalidate);
            }
        }
        for watch in changes.gone {
            for key in self.folders.remove(&watch).into_iter().flat_map(|folder| folder.keys) {
                if let Some(entry) = self.entries.get_mut(&key) {
                    entry.invalidate();
                    entry.watches.remove(&watch);
                }
            }
        }
    }

    fn events(&mut self) -> Option<&Events> {
        if self.events.is_none() {
            self.events = Events::new();
        }
        self.events.as_ref()
    }

    /// Adds an entry, evicting idle ones if there is no room.
    fn admit(&mut self, key: &K, now: Instant) -> Option<()> {
        if self.entries.len() >= self.entries_max {
            self.evict_idle(now);
        }
        if self.entries.len() >= self.entries_max {
            return None;
        }
        self.entries.insert(key.clone(), CacheEntry::new(now));
        Some(())
    }

    /// Records that a key depends on a watched folder, or ends the watch if there is no room for it.
    fn assign(&mut self, key: &K, watch: WatchId, filter: EventFilter) -> Option<WatchId> {
        if !self.folders.contains_key(&watch) && self.folders.len() >= self.folders_max {
            self.evict_idle(Instant::now());
        }
        let is_full = self.folders.len() >= self.folders_max;
        if !self.folders.contains_key(&watch) && (is_full || !self.entries.contains_key(key)) {
            self.events.iter().for_each(|events| events.forget(watch));
            return None;
        }
        self.entries.get_mut(key)?.watches.insert(watch);
        let folder = self.folders.entry(watch).or_insert_with(|| WatchedFolder { filter, keys: Vec::new() });
        folder.filter = folder.filter.max(filter);
        if !folder.keys.contains(key) {
            folder.keys.push(key.clone());
        }
        Some(watch)
    }

    fn evict_idle(&mut self, now: Instant) {
        let is_idle = |entry: &CacheEntry<V>| now.duration_since(entry.used_at) >= IDLE_MIN;
        let idle: Vec<K> =
            self.entries.iter().filter(|(_, entry)| is_idle(entry)).map(|(key, _)| key.clone()).collect();
        for key in idle {
            let watches = self.entries.remove(&key).map(|entry| entry.watches);
            self.release(&key, watches.into_iter().flatten());
        }
    }

    /// Removes a key from folders, and ends the watches that no other key needs.
    fn release(&mut self, key: &K, watches: impl IntoIterator<Item = WatchId>) {
        for watch in watches {
            let Some(folder) = self.folders.get_mut(&watch) else { continue };
            folder.keys.retain(|other| other != key);
            if folder.keys.is_empty() {
                self.folders.remove(&watch);
                self.events.iter().for_each(|events| events.forget(watch));
            }
        }
    }
}

impl<V> CacheEntry<V> {
    fn new(now: Instant) -> Self {
        let (generation, watches) = (Generation::default(), BTreeSet::new());
        Self { generation, value: None, watches, used_at: now, retry_at: None }
    }

    fn invalidate(&mut self) {
        self.generation.0 += 1;
        self.value = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, File};
    use tempfile::TempDir;

    /// A folder on a file system whose changes are reported.
    fn folder() -> TempDir {
        let memory = Path::new("/dev/shm");
        if memory.is_dir() { TempDir::new_in(memory).unwrap() } else { TempDir::new().unwrap() }
    }

    /// Caches a value that depends on one folder.
    fn fill(cache: &mut WatchCache<u8, u8>, key: u8, folder: &TempDir, filter: EventFilter) -> bool {
        let Some(started) = cache.start(&key) else { return false };
        let Some(watch) = cache.watch(&key, File::open(folder.path()).unwrap(), filter) else {
            cache.refuse(&key);
            return false;
        };
        cache.insert(&key, key, started, BTreeSet::from([watch]));
        cache.get(&key) == Some(key)
    }

    #[test]
    fn a_value_is_valid_until_its_folder_changes() {
        let (folder, other) = (folder(), folder());
        let mut cache = WatchCache::new(8, 8);
        assert!(fill(&mut cache, 1, &folder, EventFilter::Visible));
        fs::write(other.path().join("x"), "").unwrap();
        assert_eq!(cache.get(&1), Some(1));
        fs::write(folder.path().join("x"), "").unwrap();
        assert_eq!(cache.get(&1), None);
    }

    #[test]
    fn a_value_computed_during_a_change_is_not_cached() {
        let folder = folder();
        let mut cache = WatchCache::new(8, 8);
        let started = cache.start(&1).unwrap();
        let watch = cache.watch_at(&1, folder.path(), EventFilter::Visible).unwrap();
        fs::write(folder.path().join("x"), "").unwrap();
        cache.insert(&1, 1, started, BTreeSet::from([watch]));
        assert_eq!(cache.get(&1), None);
    }

    #[test]
    fn a_folder_of_two_keys_invalidates_both_by_the_wider_filter() {
        let folder = folder();
        let mut cache = WatchCache::new(8, 8);
        assert!(fill(&mut cache, 1, &folder, EventFilter::Visible));
        assert!(fill(&mut cache, 2, &folder, EventFilter::Manifest));
        fs::write(folder.path().join("x"), "").unwrap();
        assert_eq!((cache.get(&1), cache.get(&2)), (None, None));
    }

    #[test]
    fn a_deleted_folder_invalidates_and_is_watched_no_longer() {
        let folder = folder();
        let mut cache = WatchCache::new(8, 8);
        assert!(fill(&mut cache, 1, &folder, EventFilter::SkillFiles));
        folder.close().unwrap();
        assert_eq!(cache.get(&1), None);
        assert!(cache.folders.is_empty());
    }

    #[test]
    fn a_full_cache_refuses_further_keys_and_folders() {
        let (folder, other) = (folder(), folder());
        let mut cache = WatchCache::new(2, 1);
        assert!(fill(&mut cache, 1, &folder, EventFilter::Visible));
        assert!(!fill(&mut cache, 2, &other, EventFilter::Visible), "one folder is watched");
        assert_eq!(cache.start(&2), None, "and is not tried again at once");
        assert!(!fill(&mut cache, 3, &folder, EventFilter::Visible), "two entries are recent");
        assert_eq!(cache.get(&1), Some(1));
        assert_eq!(cache.folders.len(), 1);
    }

    #[test]
    fn a_value_can_be_removed() {
        let folder = folder();
        let mut cache = WatchCache::new(8, 8);
        assert!(fill(&mut cache, 1, &folder, EventFilter::Visible));
        cache.remove_if(&1, |value| *value == 2);
        assert_eq!(cache.get(&1), Some(1));
        cache.remove_if(&1, |value| *value == 1);
        assert_eq!(cache.get(&1), None);
    }
}
