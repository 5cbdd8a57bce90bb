//! The team's shared server.

use crate::error::PortError;
use crate::log::AccessLog;
use crate::skill_index::SkillIndex;
use async_trait::async_trait;
use skillc_domain::team::{PublishedSkill, TeamCatalogEntry, TeamOrigin, TeamStatus};

/// Stores the events of several machines and the catalog of their skills. Every operation opens its own connection,
/// within the adapter's time limits. Neither errors nor the address reveal a password.
///
/// # Errors
/// Every operation: `Unreachable` if no server answers or the connection is lost, `Insecure` if it refuses the
/// required encryption, `Denied` for a wrong password or a missing right, `NotReady` before `init`, `Newer` if a
/// newer version created its tables, `Invalid` for a malformed address, `Busy`, `Failed`. Unconfirmed events may be
/// sent again: they are never counted twice.
#[async_trait]
pub trait TeamStore: Send + Sync {
    /// The address for messages, without user, password and options.
    fn address(&self) -> String;

    /// Creates or updates tables, rights and partitions, and keeps existing data. May run at any time, even several
    /// times at once.
    async fn init(&self) -> Result<TeamStatus, PortError>;

    /// The present state of the store.
    async fn status(&self) -> Result<TeamStatus, PortError>;

    /// The log of all machines, to which this origin appends. Its `usage` counts events of the origin's organization,
    /// of every machine unless the filter names one.
    fn log(&self, origin: &TeamOrigin) -> Box<dyn AccessLog>;

    /// Publishes a skill in the catalog of an organization; returns whether that changed it.
    async fn publish(&self, origin: &TeamOrigin, entry: &TeamCatalogEntry) -> Result<bool, PortError>;

    /// The search index of an organization's catalog. Ids are the names by which skills resolve. Published skills are
    /// searchable at once. It stores names, descriptions and headings, and ignores the body of an entry.
    fn skill_index(&self, origin: &TeamOrigin) -> Box<dyn SkillIndex>;

    /// The published skills of an organization with these ids, and the first `limits::FIND_CANDIDATES` of those whose
    /// name begins with `name` in any case, unless that is empty. Sorted by id, without duplicates.
    async fn published(
        &self,
        origin: &TeamOrigin,
        ids: &[String],
        name: &str,
    ) -> Result<Vec<PublishedSkill>, PortError>;
}
