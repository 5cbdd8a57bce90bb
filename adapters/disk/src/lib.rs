//! Skills, stores and runtimes as files of this machine, and its clock.
//!
//! Below a skill's folder everything goes through a descriptor that no link leads out of (`sandbox`). This crate knows
//! nothing of what skills mean: it walks, reads, copies and writes.

mod clock;
mod editor;
mod files;
mod import;
mod named;
mod runtime;
mod sandbox;
mod stores;
mod survey;
mod walk;
mod watch;

pub use clock::SystemClock;
pub use editor::DiskSkillEditor;
pub use files::{DiskSkillFiles, DiskSkillTree};
pub use named::DiskNamedFiles;
pub use runtime::DiskRuntimeStore;
pub use stores::DiskSkillStores;
pub use watch::DiskWatcher;
