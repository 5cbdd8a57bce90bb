//! A server that a team shares.

use crate::error::PortError;
use crate::log::AccessLog;
use crate::skill_index::SkillIndex;
use async_trait::async_trait;
use skillc_domain::team::{PublishedSkill, TeamCatalogEntry, TeamOrigin, TeamStatus};

/// Keeps the events of several machines and the catalog of their skills. Every operation connects by itself, within the
/// time that the adapter grants it; none ever tells a password, neither in errors nor in the address.
///
/// # Errors
/// Of every operation: `Unreachable` where no server answers or it goes away, `Insecure` where it does not agree on the
/// demanded encryption, `Denied` for a wrong password or a missing right, `NotReady` before `init`, `Newer` when its
/// tables are those of a later program, `Invalid` for an address that cannot be read, `Busy`, `Failed`. What was not
/// confirmed may be sent again: it is never counted twice.
#[async_trait]
pub trait TeamStore: Send + Sync {
    /// Where it is, for messages: without user, password and options.
    fn address(&self) -> String;

    /// Makes or updates tables, rights and partitions; what is there stays. May be repeated at any time, also by several
    /// at once.
    async fn init(&self) -> Result<TeamStatus, PortError>;

    /// What there is.
    async fn status(&self) -> Result<TeamStatus, PortError>;

    /// The log of all machines, to which this origin adds. Its `usage` counts the events of the origin's organisation,
    /// of every machine unless the filter names one.
    fn log(&self, origin: &TeamOrigin) -> Box<dyn AccessLog>;

    /// Puts a skill into the catalog of an organisation; whether that changed it.
    async fn publish(&self, origin: &TeamOrigin, entry: &TeamCatalogEntry) -> Result<bool, PortError>;

    /// The words and vectors of an organisation's catalog, by which it is searched; an id is the name by which a skill
    /// resolves. What is published stands there at once. It knows names, descriptions and headings, and drops the text of
    /// an entry.
    fn skill_index(&self, origin: &TeamOrigin) -> Box<dyn SkillIndex>;

    /// The published skills of an organization with these ids, and those whose name begins with `name` in any
    /// case, unless that is empty: the first `limits::FIND_CANDIDATES` of these. By id, each once.
    async fn published(
        &self,
        origin: &TeamOrigin,
        ids: &[String],
        name: &str,
    ) -> Result<Vec<PublishedSkill>, PortError>;
}
