//! A team's store in memory, beside the machines that share it.

use crate::faults::Operation;
use crate::log::LogContent;
use crate::machine::MemoryMachine;
use crate::team_directory::{Kept, MemoryTeamIndex};
use async_trait::async_trait;
use skillc_domain::event::AccessEvent;
use skillc_domain::team::{PublishedSkill, TeamCatalogEntry, TeamOrigin, TeamStatus};
use skillc_domain::usage::{Usage, UsageQuery, usage};
use skillc_ports::{AccessLog, ErrorKind, PortError, SkillIndex, TeamStore};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A server in memory; a clone is the same server. Faults are those of the machine that asks.
#[derive(Clone, Debug)]
pub struct MemoryTeamStore {
    machine: MemoryMachine,
    server: Arc<Mutex<Server>>,
}

#[derive(Debug, Default)]
struct Server {
    is_ready: bool,
    logs: BTreeMap<(String, String), LogContent>,
    catalog: BTreeMap<(String, String), TeamCatalogEntry>,
    directories: BTreeMap<String, Kept>,
}

impl MemoryTeamStore {
    /// A server that nobody has set up, reached from this machine.
    pub fn new(machine: &MemoryMachine) -> Self {
        Self { machine: machine.clone(), server: Arc::default() }
    }

    /// The same server, reached from another machine.
    pub fn from(&self, machine: &MemoryMachine) -> Self {
        Self { machine: machine.clone(), server: self.server.clone() }
    }

    fn server(&self) -> MutexGuard<'_, Server> {
        self.server.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works on the directory of an organisation.
    pub(crate) fn kept<T>(
        &self,
        operation: Operation,
        org: &str,
        act: impl FnOnce(&mut Kept) -> T,
    ) -> Result<T, PortError> {
        self.call(operation, |server| Ok(act(server.directories.entry(org.to_owned()).or_default())))
    }

    fn call<T>(
        &self,
        operation: Operation,
        act: impl FnOnce(&mut Server) -> Result<T, ErrorKind>,
    ) -> Result<T, PortError> {
        let doing = || "reach the team store".to_owned();
        self.machine.call(operation, doing, |_| {
            let mut server = self.server();
            if !server.is_ready && operation != Operation::InitTeam {
                return Err(ErrorKind::NotReady);
            }
            act(&mut server)
        })
    }
}

fn status(server: &Server) -> TeamStatus {
    TeamStatus {
        store: "memory".to_owned(),
        schema: 1,
        schema_known: 1,
        events: server.logs.values().map(|log| log.events().count() as u64).sum(),
        skills: server.catalog.len() as u64,
        vectors: server.directories.values().map(|kept| kept.vectors() as u64).sum(),
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
        self.call(Operation::InitTeam, |server| {
            server.is_ready = true;
            Ok(status(server))
        })
    }

    async fn status(&self) -> Result<TeamStatus, PortError> {
        self.call(Operation::ReadTeam, |server| Ok(status(server)))
    }

    fn log(&self, origin: &TeamOrigin) -> Box<dyn AccessLog> {
        Box::new(MemoryTeamLog { store: self.clone(), origin: origin.clone() })
    }

    async fn publish(&self, origin: &TeamOrigin, entry: &TeamCatalogEntry) -> Result<bool, PortError> {
        self.call(Operation::PublishSkill, |server| {
            let key = (origin.org.clone(), entry.skill.clone());
            let known = server.catalog.insert(key, entry.clone());
            let changed = known.as_ref() != Some(entry);
            if changed {
                let directory = server.directories.entry(origin.org.clone()).or_default();
                directory.publish(&origin.machine, entry);
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
        self.kept(Operation::ReadTeam, &origin.org, |kept| kept.published(ids, name))
    }
}

struct MemoryTeamLog {
    store: MemoryTeamStore,
    origin: TeamOrigin,
}

#[async_trait]
impl AccessLog for MemoryTeamLog {
    async fn append(&self, events: &[AccessEvent]) -> Result<u64, PortError> {
        self.store.call(Operation::AppendTeam, |server| {
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
        self.store.call(Operation::ReadTeam, |server| {
            let is_asked_for = |machine: &String| query.filter.machine.as_ref().is_none_or(|m| m == machine);
            let logs = server
                .logs
                .iter()
                .filter(|((org, machine), _)| *org == self.origin.org && is_asked_for(machine));
            Ok(usage(logs.flat_map(|(_, log)| log.events()), query))
        })
    }
}
