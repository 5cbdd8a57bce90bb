//! The ports, answered by work on a link.

use crate::address::TeamSettings;
use crate::append::Append;
use crate::catalog::Publish;
use crate::directory::{PostgresSkillIndex, Published};
use crate::link::Link;
use crate::setup::SetUp;
use crate::status::Look;
use crate::usage::Count;
use async_trait::async_trait;
use skillc_domain::event::AccessEvent;
use skillc_domain::team::{PublishedSkill, TeamCatalogEntry, TeamOrigin, TeamStatus};
use skillc_domain::usage::{Usage, UsageQuery};
use skillc_ports::{AccessLog, PortError, SkillIndex, TeamStore};
use std::sync::Arc;

/// A team's store on a PostgreSQL server, 13 or newer; a clone shares its one connection.
#[derive(Clone)]
pub struct PostgresTeamStore {
    link: Arc<Link>,
}

impl PostgresTeamStore {
    /// The store that the settings name. Connects when it is first asked.
    pub fn new(settings: TeamSettings) -> Self {
        Self { link: Arc::new(Link::new(settings)) }
    }
}

#[async_trait]
impl TeamStore for PostgresTeamStore {
    fn address(&self) -> String {
        self.link.address()
    }

    async fn init(&self) -> Result<TeamStatus, PortError> {
        self.link.run("set up the team store", &SetUp).await
    }

    async fn status(&self) -> Result<TeamStatus, PortError> {
        self.link.run("read the team store", &Look).await
    }

    fn log(&self, origin: &TeamOrigin) -> Box<dyn AccessLog> {
        Box::new(PostgresLog { link: self.link.clone(), origin: origin.clone() })
    }

    async fn publish(&self, origin: &TeamOrigin, entry: &TeamCatalogEntry) -> Result<bool, PortError> {
        self.link.run("write the team store", &Publish { origin, entry }).await
    }

    fn skill_index(&self, origin: &TeamOrigin) -> Box<dyn SkillIndex> {
        Box::new(PostgresSkillIndex::new(self.link.clone(), origin))
    }

    async fn published(
        &self,
        origin: &TeamOrigin,
        ids: &[String],
        name: &str,
    ) -> Result<Vec<PublishedSkill>, PortError> {
        self.link.run("search the team store", &Published { org: &origin.org, ids, name }).await
    }
}

/// The events of an organisation, to which a machine adds.
struct PostgresLog {
    link: Arc<Link>,
    origin: TeamOrigin,
}

#[async_trait]
impl AccessLog for PostgresLog {
    async fn append(&self, events: &[AccessEvent]) -> Result<u64, PortError> {
        if events.is_empty() {
            return Ok(0);
        }
        self.link.run("write the team store", &Append::new(&self.origin, events)).await
    }

    async fn usage(&self, query: &UsageQuery) -> Result<Usage, PortError> {
        self.link.run("read the team store", &Count { org: &self.origin.org, query }).await
    }
}
