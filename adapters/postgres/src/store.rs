//! Implements the ports of a team store.

use crate::address::PostgresSettings;
use crate::append::AppendEvents;
use crate::connection::ServerConnection;
use crate::count::CountUsage;
use crate::publish::PublishSkill;
use crate::setup::SetUp;
use crate::skill_index::{PostgresSkillIndex, ReadPublished};
use crate::status::ReadStatus;
use async_trait::async_trait;
use skillc_domain::event::AccessEvent;
use skillc_domain::team::{PublishedSkill, TeamCatalogEntry, TeamOrigin, TeamStatus};
use skillc_domain::usage::{Usage, UsageQuery};
use skillc_ports::{AccessLog, PortError, SkillIndex, TeamStore};
use std::sync::Arc;

/// A team's store on PostgreSQL 13 or newer; clones share one connection.
#[derive(Clone)]
pub struct PostgresTeamStore {
    connection: Arc<ServerConnection>,
}

impl PostgresTeamStore {
    /// Connects on first use.
    pub fn new(settings: PostgresSettings) -> Self {
        Self { connection: Arc::new(ServerConnection::new(settings)) }
    }
}

#[async_trait]
impl TeamStore for PostgresTeamStore {
    fn address(&self) -> String {
        self.connection.address()
    }

    async fn init(&self) -> Result<TeamStatus, PortError> {
        self.connection.run("set up the team store", &SetUp).await
    }

    async fn status(&self) -> Result<TeamStatus, PortError> {
        self.connection.run("read the team store", &ReadStatus).await
    }

    fn log(&self, origin: &TeamOrigin) -> Box<dyn AccessLog> {
        Box::new(PostgresLog { connection: self.connection.clone(), origin: origin.clone() })
    }

    async fn publish(&self, origin: &TeamOrigin, entry: &TeamCatalogEntry) -> Result<bool, PortError> {
        self.connection.run("write the team store", &PublishSkill { origin, entry }).await
    }

    fn skill_index(&self, origin: &TeamOrigin) -> Box<dyn SkillIndex> {
        Box::new(PostgresSkillIndex::new(self.connection.clone(), origin))
    }

    async fn published(
        &self,
        origin: &TeamOrigin,
        ids: &[String],
        name: &str,
    ) -> Result<Vec<PublishedSkill>, PortError> {
        self.connection.run("search the team store", &ReadPublished { org: &origin.org, ids, name }).await
    }
}

/// The log of an organization, appended to by one machine.
struct PostgresLog {
    connection: Arc<ServerConnection>,
    origin: TeamOrigin,
}

#[async_trait]
impl AccessLog for PostgresLog {
    async fn append(&self, events: &[AccessEvent]) -> Result<u64, PortError> {
        if events.is_empty() {
            return Ok(0);
        }
        self.connection.run("write the team store", &AppendEvents::new(&self.origin, events)).await
    }

    async fn usage(&self, query: &UsageQuery) -> Result<Usage, PortError> {
        self.connection.run("read the team store", &CountUsage { org: &self.origin.org, query }).await
    }
}
