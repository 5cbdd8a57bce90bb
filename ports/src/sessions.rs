//! The skills that each agent session has loaded.

use crate::error::PortError;
use skillc_domain::time::UnixNs;

/// Stores which version of a skill each session has loaded, so that a text is not sent twice.
pub trait SessionStore: Send + Sync {
    /// Records that a session has a version of the file at a path, replacing any other version, and returns whether
    /// it was new to the session. Records older than `limits::SESSION_LOAD_AGE_MAX_S` at `now`, and the oldest above
    /// `limits::SESSION_LOADS_MAX`, count as forgotten. Of several concurrent calls with the same version, one
    /// returns `true`.
    ///
    /// # Errors
    /// Any kind; records may then be lost, at the cost of sending a text twice.
    fn remember(&self, session: &str, path: &str, version: &str, now: UnixNs) -> Result<bool, PortError>;

    /// Forgets that a session has the file at a path.
    ///
    /// # Errors
    /// Any kind; the record may then stay.
    fn forget(&self, session: &str, path: &str) -> Result<(), PortError>;
}
