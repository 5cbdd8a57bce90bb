//! The access logs of a machine in memory.

use crate::faults::PortCall;
use crate::log_content::LogContent;
use crate::machine::{MemoryMachine, World};
use crate::tree::Content;
use async_trait::async_trait;
use serde_json::Value;
use skillc_domain::event::AccessEvent;
use skillc_domain::history::{
    HistoryDetails, HistoryTally, ReadingStep, SectionReads, SkillCost, SkillFunnel, TokenUse, costs,
    funnels, history_tallies, reading_steps, section_reads,
};
use skillc_domain::time::UnixNs;
use skillc_domain::usage::{Usage, UsageFilter, UsageQuery, usage};
use skillc_ports::{
    AccessLog, ErrorKind, EventLabel, Forget, HistoryCounts, LocalLog, LocalLogs, LogPosition, LoggedEvent,
    Patience, PortError, RepairedLog,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Access logs of a machine in memory.
#[derive(Clone, Debug)]
pub struct MemoryLocalLogs {
    machine: MemoryMachine,
}

impl MemoryLocalLogs {
    /// The logs of this machine.
    pub fn new(machine: &MemoryMachine) -> Self {
        Self { machine: machine.clone() }
    }
}

impl LocalLogs for MemoryLocalLogs {
    fn at(&self, path: &Path) -> Box<dyn LocalLog> {
        Box::new(MemoryLog { machine: self.machine.clone(), path: path.to_owned() })
    }

    fn is_damaged(&self, path: &Path) -> Result<bool, PortError> {
        let log = MemoryLog { machine: self.machine.clone(), path: path.to_owned() };
        match log.read(|_| ()) {
            Err(error) if error.kind == ErrorKind::Corrupt => Ok(true),
            read => read.map(|()| false),
        }
    }
}

/// The log at one path.
#[derive(Clone, Debug)]
struct MemoryLog {
    machine: MemoryMachine,
    path: PathBuf,
}

impl MemoryLog {
    /// Reads the content of the log; empty if there is none.
    fn read<T>(&self, look: impl FnOnce(&LogContent) -> T) -> Result<T, PortError> {
        let doing = || format!("read the log '{}'", self.path.display());
        self.machine.call(PortCall::ReadLog, doing, |world| content(world, &self.path).map(|log| look(&log)))
    }

    /// Changes the log; creates it if missing.
    fn change<T>(
        &self,
        operation: PortCall,
        edit: impl FnOnce(&mut LogContent) -> T,
    ) -> Result<T, PortError> {
        let doing = || format!("write the log '{}'", self.path.display());
        self.machine.call(operation, doing, |world| {
            let mut log = (*content(world, &self.path)?).clone();
            let done = edit(&mut log);
            let log = Content::Log(Arc::new(log));
            if world.tree.find(&self.path).is_ok() {
                world.tree.refill(&self.path, log)?;
            } else {
                world.tree.make_folders(self.path.parent().unwrap_or(Path::new("/")))?;
                world.tree.put(&self.path, log)?;
            }
            Ok(done)
        })
    }
}

fn content(world: &World, path: &Path) -> Result<Arc<LogContent>, ErrorKind> {
    match world.tree.find(path).map(|id| world.tree.content(id)) {
        Err(_) => Ok(Arc::default()),
        Ok(Content::Log(log)) => Ok(log.clone()),
        Ok(_) => Err(ErrorKind::Corrupt),
    }
}

#[async_trait]
impl AccessLog for MemoryLog {
    async fn append(&self, events: &[AccessEvent]) -> Result<u64, PortError> {
        self.change(PortCall::AppendEvents, |log| log.add(events))
    }

    async fn usage(&self, query: &UsageQuery) -> Result<Usage, PortError> {
        self.read(|log| usage(log.events(), query))
    }
}

#[async_trait]
impl HistoryCounts for MemoryLog {
    async fn history(&self, filter: &UsageFilter) -> Result<Vec<HistoryTally>, PortError> {
        self.read(|log| history_tallies(log.events(), filter, &details))
    }

    async fn funnels(&self, filter: &UsageFilter) -> Result<Vec<SkillFunnel>, PortError> {
        self.read(|log| funnels(log.events(), filter, &details))
    }

    async fn costs(&self, filter: &UsageFilter) -> Result<Vec<SkillCost>, PortError> {
        self.read(|log| costs(log.events(), filter, &details))
    }

    async fn reading_steps(&self, filter: &UsageFilter) -> Result<Vec<ReadingStep>, PortError> {
        self.read(|log| reading_steps(log.events(), filter, &details))
    }

    async fn section_reads(&self, filter: &UsageFilter) -> Result<Vec<SectionReads>, PortError> {
        self.read(|log| section_reads(log.events(), filter, &details))
    }
}

#[async_trait]
impl LocalLog for MemoryLog {
    async fn events(&self, after: LogPosition, limit: u32) -> Result<Vec<LoggedEvent>, PortError> {
        self.read(|log| log.after(after).take(limit as usize).cloned().collect())
    }

    async fn count(&self, after: LogPosition) -> Result<u64, PortError> {
        self.read(|log| log.after(after).count() as u64)
    }

    async fn written_at(&self) -> Option<UnixNs> {
        let tree = &self.machine.world().tree;
        tree.find(&self.path).ok().map(|id| tree.stamp(id).mtime_ns)
    }

    async fn acknowledged(&self, store: &str) -> Result<LogPosition, PortError> {
        self.read(|log| log.acknowledged.get(store).copied().unwrap_or_default())
    }

    async fn acknowledge(&self, store: &str, up_to: LogPosition) -> Result<(), PortError> {
        self.change(PortCall::Acknowledge, |log| {
            let known = log.acknowledged.entry(store.to_owned()).or_default();
            *known = up_to.max(*known);
        })
    }

    async fn forget(&self, what: &Forget) -> Result<u64, PortError> {
        if self.read(|log| log.rows.is_empty())? {
            return Ok(0);
        }
        self.change(PortCall::ForgetEvents, |log| {
            let before = log.rows.len();
            log.rows.retain(|row| !is_meant(what, &row.event));
            (before - log.rows.len()) as u64
        })
    }

    async fn relabel(&self, skill_path: &str, to: EventLabel<'_>) -> Result<u64, PortError> {
        if self.read(|log| log.rows.is_empty())? {
            return Ok(0);
        }
        self.change(PortCall::RelabelEvents, |log| {
            let of_skill = log.rows.iter_mut().filter(|row| row.event.skill_path == skill_path);
            let relabeled = of_skill.map(|row| {
                row.event.skill = to.skill.to_owned();
                row.event.skill_path = to.skill_path.to_owned();
            });
            relabeled.count() as u64
        })
    }

    async fn take_over(&self, _: &Patience) -> Result<u64, PortError> {
        Ok(0)
    }

    async fn repair(&self) -> Result<Option<RepairedLog>, PortError> {
        let mut aside = self.path.clone().into_os_string();
        aside.push(".damaged");
        let aside = PathBuf::from(aside);
        let doing = || format!("repair the log '{}'", self.path.display());
        self.machine.call(PortCall::ForgetEvents, doing, |world| {
            if content(world, &self.path).is_ok() {
                return Ok(None);
            }
            let damaged = world.tree.find(&self.path).map(|id| world.tree.content(id).clone())?;
            world.tree.put(&aside, damaged)?;
            world.tree.refill(&self.path, Content::Log(Arc::default()))?;
            Ok(Some(RepairedLog { events: 0, aside: aside.clone() }))
        })
    }

    async fn retire(&self, last: LogPosition, up_to: &Path) -> Result<bool, PortError> {
        let doing = || format!("delete the log '{}'", self.path.display());
        self.machine.call(PortCall::RetireLog, doing, |world| {
            if content(world, &self.path)?.after(last).next().is_some() {
                return Ok(false);
            }
            world.tree.delete(&self.path)?;
            let above = self.path.ancestors().skip(1).take_while(|folder| *folder != up_to);
            for folder in above.collect::<Vec<_>>() {
                let is_empty = world.tree.find(folder).is_ok_and(|id| world.tree.entries(id).is_empty());
                if !is_empty {
                    break;
                }
                world.tree.delete(folder)?;
            }
            Ok(true)
        })
    }
}

/// Parses the arguments of an imported event.
fn details(event: &AccessEvent) -> HistoryDetails {
    let args: Value = serde_json::from_str(&event.args).unwrap_or_default();
    let text = |key: &str| args[key].as_str().unwrap_or_default().to_owned();
    let tokens = args["tokens"].as_object().map(|tokens| {
        let number = |key: &str| tokens.get(key).and_then(Value::as_u64).unwrap_or_default();
        TokenUse {
            input: number("input"),
            output: number("output"),
            cache_read: number("cache_read"),
            cache_write: number("cache_write"),
        }
    });
    let listing_tokens = args["listing_tokens"].as_u64().unwrap_or_default();
    HistoryDetails { agent: text("agent"), listing_tokens, model: text("model"), tokens }
}

fn is_meant(what: &Forget, event: &AccessEvent) -> bool {
    let is_before = |before| event.timestamp.known().is_some_and(|at| at < before);
    what.skill_path.as_ref().is_none_or(|path| event.skill_path == *path)
        && what.skill.as_ref().is_none_or(|name| event.skill == *name)
        && what.before.is_none_or(is_before)
}
