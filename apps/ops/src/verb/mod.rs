//! The verbs, one file each.

pub mod build;
pub mod catalog;
pub mod config;
pub mod doctor;
pub mod enable;
pub mod eval;
pub mod explain;
pub mod find;
pub mod history;
pub mod init;
pub mod lint;
pub mod list;
pub mod load;
pub mod log;
pub mod mentions;
pub mod model;
pub mod open;
pub mod outline;
pub mod pack;
pub mod plugin;
pub mod prove;
pub mod publish;
pub mod remove;
pub mod rename;
pub mod search;
pub mod show;
pub mod slim;
pub mod sources;
pub mod stats;
pub mod sync;
pub mod targets;
pub mod team;
pub mod undeploy;
pub mod undo;

use crate::operation::CommandGroup::{Build, Check, Find, Make, Use};
use crate::operation::{OperationEntry, entry};

/// Every operation with its group, in the order of the help.
pub static OPS: &[OperationEntry] = &[
    entry::<init::Init>(Make),
    entry::<lint::Lint>(Check),
    entry::<build::Build>(Build),
    entry::<list::List>(Build),
    entry::<outline::Outline>(Find),
    entry::<show::Show>(Find),
    entry::<open::Open>(Find),
    entry::<sources::Sources>(Find),
    entry::<search::Search>(Find),
    entry::<find::Find>(Find),
    entry::<load::Load>(Find),
    entry::<mentions::Mentions>(Find),
    entry::<enable::Enable>(Build),
    entry::<enable::Disable>(Build),
    entry::<eval::Eval>(Check),
    entry::<prove::Prove>(Check),
    entry::<stats::Stats>(Use),
    entry::<history::History>(Use),
    entry::<slim::Slim>(Use),
    entry::<sync::Sync>(Use),
    entry::<log::Log>(Use),
    entry::<team::Team>(Use),
    entry::<model::Model>(Make),
    entry::<targets::Targets>(Build),
    entry::<pack::Pack>(Build),
    entry::<publish::Publish>(Build),
    entry::<plugin::Plugin>(Build),
    entry::<undeploy::Undeploy>(Build),
    entry::<remove::Remove>(Build),
    entry::<rename::Rename>(Build),
    entry::<undo::Undo>(Build),
    entry::<catalog::Catalog>(Find),
    entry::<config::Config>(Make),
    entry::<explain::Explain>(Check),
    entry::<doctor::Doctor>(Check),
];

/// Looks up an operation by name.
pub fn entry_named(name: &str) -> Option<&'static OperationEntry> {
    OPS.iter().find(|entry| entry.name == name)
}
