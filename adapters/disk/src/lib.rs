//! Skills, stores and runtimes as files of this machine, and the system clock.
//!
//! Everything below a skill's folder is reached through a descriptor that no link leads out of (`sandbox`). This crate walks,
//! watches, reads, copies and writes; it does not know what skills mean.
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
