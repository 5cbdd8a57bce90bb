//! Every port in memory, on one simulated machine with its own clock that fails on demand.
//!
//! These adapters are the models against which the others are tested, and the environment of operations' tests. They
//! keep every promise of their ports as plainly as possible, and nothing persists: files, links, indexes and logs are
//! in the tree of one `MemoryMachine`, which many adapters share. A `FaultPlan` makes chosen calls fail, and
//! `MemoryMachine::stop_after` stops everything at a chosen step, like a killed process.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

mod clock;
mod deployer;
mod editor;
mod embedder;
mod faults;
mod files;
mod index;
mod log;
mod log_content;
mod machine;
mod models;
mod progress;
mod runtime;
mod scan;
mod sessions;
mod site;
mod skill_index;
mod snapshot;
mod stores;
mod team;
mod team_catalog;
mod team_index;
mod team_server;
mod tree;
mod walk;
mod words;

pub use clock::MemoryClock;
pub use deployer::MemoryDeployer;
pub use editor::MemorySkillEditor;
pub use embedder::HashEmbedder;
pub use faults::{FaultEffect, FaultPlan, PlannedFault, PortCall};
pub use files::{MemorySkillFiles, MemorySkillTree};
pub use index::{MemoryIndexReader, MemorySectionIndex};
pub use log::MemoryLocalLogs;
pub use machine::{Kind, MemoryMachine};
pub use models::MemoryModelStore;
pub use progress::{MemoryProgress, ProgressEvent};
pub use runtime::MemoryRuntimeStore;
pub use scan::{MemoryScanCache, MemorySkillScanner};
pub use sessions::MemorySessions;
pub use site::MemorySiteReader;
pub use skill_index::MemorySkillIndex;
pub use stores::MemorySkillStores;
pub use team_server::MemoryTeamStore;
