//! One file for each verb.

pub mod build;
pub mod catalog;
pub mod config;
pub mod enable;
pub mod eval;
pub mod explain;
pub mod find;
pub mod init;
pub mod lint;
pub mod list;
pub mod load;
pub mod log;
pub mod mentions;
pub mod model;
pub mod open;
pub mod outline;
pub mod search;
pub mod show;
pub mod sources;
pub mod stats;
pub mod sync;
pub mod targets;
pub mod team;
pub mod undeploy;
pub mod undo;

use crate::operation::{OperationEntry, entry};

/// Every operation, in the order of the help.
pub const OPS: &[OperationEntry] = &[
    entry::<init::Init>(),
    entry::<lint::Lint>(),
    entry::<build::Build>(),
    entry::<list::List>(),
    entry::<outline::Outline>(),
    entry::<show::Show>(),
    entry::<open::Open>(),
    entry::<sources::Sources>(),
    entry::<search::Search>(),
    entry::<find::Find>(),
    entry::<load::Load>(),
    entry::<mentions::Mentions>(),
    entry::<enable::Enable>(),
    entry::<enable::Disable>(),
    entry::<eval::Eval>(),
    entry::<stats::Stats>(),
    entry::<sync::Sync>(),
    entry::<log::Log>(),
    entry::<team::Team>(),
    entry::<model::Model>(),
    entry::<targets::Targets>(),
    entry::<undeploy::Undeploy>(),
    entry::<undo::Undo>(),
    entry::<catalog::Catalog>(),
    entry::<config::Config>(),
    entry::<explain::Explain>(),
];

/// The operation called `name`.
pub fn entry_named(name: &str) -> Option<&'static OperationEntry> {
    OPS.iter().find(|entry| entry.name == name)
}
