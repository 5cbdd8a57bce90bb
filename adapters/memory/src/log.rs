//! The access log of a machine in memory.

use crate::faults::Operation;
use crate::machine::MemoryMachine;
use crate::tree::Content;
use async_trait::async_trait;
use skillc_domain::event::AccessEvent;
use skillc_domain::time::UnixNs;
use skillc_ports::{AccessLog, ErrorKind, PortError};
use std::path::Path;
use std::sync::Arc;

/// Access logs on a machine in memory, each at its path.
#[derive(Clone, Debug)]
pub struct MemoryAccessLog {
    machine: MemoryMachine,
}

impl MemoryAccessLog {
    /// Keeps logs on this machine.
    pub fn new(machine: &MemoryMachine) -> Self {
        Self { machine: machine.clone() }
    }
}

#[async_trait]
impl AccessLog for MemoryAccessLog {
    async fn append(&self, log: &Path, event: &AccessEvent) -> Result<(), PortError> {
        let doing = || format!("write the log '{}'", log.display());
        self.machine.call(Operation::AppendEvent, doing, |world| {
            let Ok(id) = world.tree.find(log) else {
                world.tree.make_folders(log.parent().unwrap_or(Path::new("/")))?;
                return world.tree.put(log, Content::Log(Arc::new(vec![event.clone()]))).map(drop);
            };
            let Content::Log(events) = world.tree.content(id) else { return Err(ErrorKind::Corrupt) };
            if events.iter().any(|known| known.event_id == event.event_id) {
                return Ok(());
            }
            let events = events.iter().chain([event]).cloned().collect();
            world.tree.refill(log, Content::Log(Arc::new(events)))
        })
    }

    async fn events(&self, log: &Path) -> Result<Vec<AccessEvent>, PortError> {
        let doing = || format!("read the log '{}'", log.display());
        self.machine.call(Operation::ReadEvents, doing, |world| match world.tree.find(log) {
            Err(_) => Ok(Vec::new()),
            Ok(id) => match world.tree.content(id) {
                Content::Log(events) => Ok(events.to_vec()),
                _ => Err(ErrorKind::Corrupt),
            },
        })
    }

    async fn written_at(&self, log: &Path) -> Option<UnixNs> {
        let tree = &self.machine.world().tree;
        tree.find(log).ok().map(|id| tree.stamp(id).mtime_ns)
    }
}
