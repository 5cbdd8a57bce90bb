//! The log of accesses.

use crate::error::PortError;
use async_trait::async_trait;
use skillc_domain::event::AccessEvent;
use skillc_domain::time::UnixNs;
use std::path::Path;

/// Keeps access events.
#[async_trait]
pub trait AccessLog: Send + Sync {
    /// Adds one event to the log at a path; the log and the folders above it are made if need be. When this returns
    /// `Ok`, the event survives the end of the process. An event whose id is there already changes nothing.
    ///
    /// # Errors
    /// Any kind; the log then holds what it held.
    async fn append(&self, log: &Path, event: &AccessEvent) -> Result<(), PortError>;

    /// All events, in the order in which they were added; empty when there is no log.
    ///
    /// # Errors
    /// `Corrupt`, `Denied`, `Busy`, `Failed`.
    async fn events(&self, log: &Path) -> Result<Vec<AccessEvent>, PortError>;

    /// When the log was last written; `None` when there is none.
    async fn written_at(&self, log: &Path) -> Option<UnixNs>;
}
