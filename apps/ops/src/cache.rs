//! The cache used by all operations: results of the last few computations, for a long-running process.
//!
//! Nothing expires. A key contains all inputs of a computation, so an entry is valid as long as its key compares
//! equal.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// The `N` most recently used values.
pub struct RecentCache<K, V, const N: usize> {
    /// Most recently used first.
    entries: Mutex<VecDeque<(K, V)>>,
}

impl<K, V, const N: usize> Default for RecentCache<K, V, N> {
    fn default() -> Self {
        Self { entries: Mutex::default() }
    }
}

impl<K, V: Clone, const N: usize> RecentCache<K, V, N> {
    /// The value of the first key that satisfies `is_key`.
    pub fn get(&self, is_key: impl Fn(&K) -> bool) -> Option<V> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let at = entries.iter().position(|(key, _)| is_key(key))?;
        let entry = entries.remove(at)?;
        let value = entry.1.clone();
        entries.push_front(entry);
        Some(value)
    }

    /// Inserts a value whose key is not cached. If the cache is full, it replaces the least recently used value.
    pub fn insert(&self, key: K, value: V) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.truncate(N.saturating_sub(1));
        entries.push_front((key, value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_value_is_dropped() {
        let cache = RecentCache::<u8, u8, 2>::default();
        cache.insert(1, 10);
        cache.insert(2, 20);
        assert_eq!(cache.get(|key| *key == 1), Some(10));
        cache.insert(3, 30);
        assert_eq!([1, 2, 3].map(|wanted| cache.get(|key| *key == wanted)), [Some(10), None, Some(30)]);
    }
}
