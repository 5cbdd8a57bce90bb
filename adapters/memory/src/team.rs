//! The ports of a team's store in memory.

use crate::faults::PortCall;
use crate::team_index::MemoryTeamIndex;
use crate::team_server::{MemoryTeamStore, TeamServer};
use async_trait::async_trait;
use skillc_domain::event::AccessEvent;
use skillc_domain::team::{PublishedSkill, TeamCatalogEntry, TeamOrigin, TeamStatus};
use skillc_domain::usage::{Usage, UsageQuery, usage};
use skillc_ports::{AccessLog, PortError, SkillIndex, TeamStore};

fn status(server: &TeamServer) -> TeamStatus {
    TeamStatus {
        store: "memory".to_owned(),
        schema: 1,
        schema_known: 1,
        events: server.logs.values().map(|log| log.events().count() as u64).sum(),
        skills: server.published.len() as u64,
        vectors: server.catalogs.values().map(|catalog| catalog.vectors() as u64).sum(),
        may_write: true,
        may_init: true,
        ..TeamStatus::default()
    }
}

#[async_trait]
impl TeamStore for MemoryTeamStore {
    fn address(&self) -> String {
        "memory".to_owned()
    }

    async fn init(&self) -> Result<TeamStatus, PortError> {
        self.call(PortCall::InitTeam, |server| {
            server.is_ready = true;
            Ok(status(server))
        })
    }

    async fn status(&self) -> Result<TeamStatus, PortError> {
        self.call(PortCall::ReadTeam, |server| Ok(status(server)))
    }

    fn log(&self, origin: &TeamOrigin) -> Box<dyn AccessLog> {
        Box::new(MemoryTeamLog { store: self.clone(), origin: origin.clone() })
    }

    async fn publish(&self, origin: &TeamOrigin, entry: &TeamCatalogEntry) -> Result<bool, PortError> {
        self.call(PortCall::PublishSkill, |server| {
            let key = (origin.org.clone(), entry.skill.clone());
            let known = server.published.insert(key, entry.clone());
            let changed = known.as_ref() != Some(entry);
            if changed {
                let catalog = server.catalogs.entry(origin.org.clone()).or_default();
                catalog.publish(&origin.machine, entry);
            }
            Ok(changed)
        })
    }

    fn skill_index(&self, origin: &TeamOrigin) -> Box<dyn SkillIndex> {
        Box::new(MemoryTeamIndex { store: self.clone(), origin: origin.clone() })
    }

    async fn published(
        &self,
        origin: &TeamOrigin,
        ids: &[String],
        name: &str,
    ) -> Result<Vec<PublishedSkill>, PortError> {
        self.catalog(PortCall::ReadTeam, &origin.org, |catalog| catalog.published(ids, name))
    }
}

struct MemoryTeamLog {
    store: MemoryTeamStore,
    origin: TeamOrigin,
}

#[async_trait]
impl AccessLog for MemoryTeamLog {
    async fn append(&self, events: &[AccessEvent]) -> Result<u64, PortError> {
        self.store.call(PortCall::AppendTeam, |server| {
            let is_known = |event: &AccessEvent| {
                server.logs.iter().any(|((org, _), log)| {
                    *org == self.origin.org && log.events().any(|known| known.event_id == event.event_id)
                })
            };
            let new: Vec<AccessEvent> = events.iter().filter(|event| !is_known(event)).cloned().collect();
            let key = (self.origin.org.clone(), self.origin.machine.clone());
            Ok(server.logs.entry(key).or_default().add(&new))
        })
    }

    async fn usage(&self, query: &UsageQuery) -> Result<Usage, PortError> {
        self.store.call(PortCall::ReadTeam, |server| {
            let is_asked_for = |machine: &String| query.filter.machine.as_ref().is_none_or(|m| m == machine);
            let logs = server
                .logs
                .iter()
                .filter(|((org, machine), _)| *org == self.origin.org && is_asked_for(machine));
            Ok(usage(logs.flat_map(|(_, log)| log.events()), query))
        })
    }
}
