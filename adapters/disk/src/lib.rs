//! Skills, stores and runtimes as files on this machine, and the system clock.
//!
//! Everything below a skill's folder is reached through a descriptor that no link can escape (`sandbox`). This crate
//! walks, watches, reads, copies and writes files; it does not interpret skills.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

mod clock;
mod editor;
#[cfg(target_os = "linux")]
mod events;
mod files;
mod import;
mod inspect;
mod journal;
mod listed_runtimes;
mod listing;
mod lock;
mod named;
mod receipt;
mod runtime;
mod runtime_files;
mod sandbox;
mod scan;
mod shipped;
mod spelling;
mod stores;
mod survey;
#[cfg(target_os = "linux")]
mod survey_cache;
mod transfer;
mod trash;
mod walk;
mod watch;
#[cfg(target_os = "linux")]
mod watch_cache;
mod watched;

pub use clock::SystemClock;
pub use editor::DiskSkillEditor;
pub use files::{DiskSkillFiles, DiskSkillTree};
pub use inspect::DiskInspector;
pub use journal::DiskJournal;
pub use named::DiskNamedFiles;
pub use runtime::DiskRuntimeStore;
pub use scan::{DiskSkillScanner, WatchedSkillScanner};
pub use stores::DiskSkillStores;
pub use trash::DiskTrash;
pub use watch::DiskWatcher;
pub use watched::WatchedSkillFiles;
