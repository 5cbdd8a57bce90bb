//! Skills, stores and runtimes as files of this machine, and its clock.
//!
//! Below a skill's folder everything goes through a descriptor that no link leads out of (`sandbox`). This crate knows
//! nothing of what skills mean: it walks, watches, reads, copies and writes.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

mod clock;
mod editor;
#[cfg(target_os = "linux")]
mod events;
mod files;
mod import;
#[cfg(target_os = "linux")]
mod memory;
mod named;
mod runtime;
mod sandbox;
mod scan;
mod stores;
mod survey;
mod trash;
mod walk;
mod watch;
mod watched;

pub use clock::SystemClock;
pub use editor::DiskSkillEditor;
pub use files::{DiskSkillFiles, DiskSkillTree};
pub use named::DiskNamedFiles;
pub use runtime::DiskRuntimeStore;
pub use scan::{DiskSkillScanner, WatchedSkillScanner};
pub use stores::DiskSkillStores;
pub use trash::DiskTrash;
pub use watch::DiskWatcher;
pub use watched::WatchedSkillFiles;
