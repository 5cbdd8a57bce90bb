//! The server behind a team's store in memory.

use crate::faults::PortCall;
use crate::log_content::LogContent;
use crate::machine::MemoryMachine;
use crate::team_catalog::TeamCatalog;
use skillc_domain::team::TeamCatalogEntry;
use skillc_ports::{ErrorKind, PortError};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A team's store in memory; clones share the server. Fault plans are those of the calling machine.
#[derive(Clone, Debug)]
pub struct MemoryTeamStore {
    machine: MemoryMachine,
    server: Arc<Mutex<TeamServer>>,
}

#[derive(Debug, Default)]
pub(crate) struct TeamServer {
    pub(crate) is_ready: bool,
    pub(crate) logs: BTreeMap<(String, String), LogContent>,
    pub(crate) published: BTreeMap<(String, String), TeamCatalogEntry>,
    pub(crate) catalogs: BTreeMap<String, TeamCatalog>,
}

impl MemoryTeamStore {
    /// A new server without `init`, accessed from this machine.
    pub fn new(machine: &MemoryMachine) -> Self {
        Self { machine: machine.clone(), server: Arc::default() }
    }

    /// The same server, accessed from another machine.
    pub fn from(&self, machine: &MemoryMachine) -> Self {
        Self { machine: machine.clone(), server: self.server.clone() }
    }

    fn server(&self) -> MutexGuard<'_, TeamServer> {
        self.server.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs an operation on the catalog of an organization, which is created if missing.
    pub(crate) fn catalog<T>(
        &self,
        operation: PortCall,
        org: &str,
        act: impl FnOnce(&mut TeamCatalog) -> T,
    ) -> Result<T, PortError> {
        self.call(operation, |server| Ok(act(server.catalogs.entry(org.to_owned()).or_default())))
    }

    /// Runs an operation on the server.
    ///
    /// # Errors
    /// `NotReady` before `init`, and planned faults of the machine.
    pub(crate) fn call<T>(
        &self,
        operation: PortCall,
        act: impl FnOnce(&mut TeamServer) -> Result<T, ErrorKind>,
    ) -> Result<T, PortError> {
        let doing = || "reach the team store".to_owned();
        self.machine.call(operation, doing, |_| {
            let mut server = self.server();
            if !server.is_ready && operation != PortCall::InitTeam {
                return Err(ErrorKind::NotReady);
            }
            act(&mut server)
        })
    }
}
