//! Loaded skills by session in memory: for servers, and as the model of other stores.

use skillc_domain::limits::{SESSION_LOAD_AGE_MAX_S, SESSION_LOADS_MAX};
use skillc_domain::time::UnixNs;
use skillc_ports::{PortError, SessionStore};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Records that last as long as the process.
#[derive(Debug, Default)]
pub struct MemorySessions {
    /// Version and time, by session and path.
    loads: Mutex<BTreeMap<(String, String), (String, UnixNs)>>,
}

impl SessionStore for MemorySessions {
    fn remember(&self, session: &str, path: &str, version: &str, now: UnixNs) -> Result<bool, PortError> {
        let mut loads = self.loads.lock().unwrap_or_else(PoisonError::into_inner);
        let oldest = now.saturating_sub(SESSION_LOAD_AGE_MAX_S.saturating_mul(1_000_000_000));
        loads.retain(|_, (_, at)| *at >= oldest);
        let key = (session.to_owned(), path.to_owned());
        let old = loads.insert(key, (version.to_owned(), now));
        while loads.len() > SESSION_LOADS_MAX as usize {
            let first = loads.iter().min_by_key(|(_, (_, at))| *at).map(|(key, _)| key.clone());
            first.and_then(|key| loads.remove(&key));
        }
        Ok(old.is_none_or(|(old, _)| old != version))
    }

    fn forget(&self, session: &str, path: &str) -> Result<(), PortError> {
        let mut loads = self.loads.lock().unwrap_or_else(PoisonError::into_inner);
        loads.remove(&(session.to_owned(), path.to_owned()));
        Ok(())
    }
}
