//! Which skills the sessions of agents have loaded.

use crate::error::PortError;
use skillc_domain::time::UnixNs;

/// Stores which version of a skill each session has loaded, so that a text is not sent twice.
pub trait SessionStore: Send + Sync {
    /// Remembers that a session has a version of the file at a path, in place of another version of it, and says whether
    /// that is new to it. `true` too where it was forgotten: what is older than `limits::SESSION_LOAD_AGE_MAX_S` at `now`,
    /// and of more than `limits::SESSION_LOADS_MAX` what was loaded longest ago. Many processes may ask at once; of those
    /// that bring the same news one is told so.
    ///
    /// # Errors
    /// Any kind; what was remembered may be lost then, which costs a text sent twice.
    fn remember(&self, session: &str, path: &str, version: &str, now: UnixNs) -> Result<bool, PortError>;
}
