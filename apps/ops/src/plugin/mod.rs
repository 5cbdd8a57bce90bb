//! Manifests of a plugin: written from one source, brought up to date, and checked (RFC-0015).

mod check;
mod init;
mod opened;
mod reply;
mod selection;
mod settings;
mod skills;
mod sync;

pub use check::check;
pub use init::{PluginStart, init};
pub use reply::{PluginClientVerdict, PluginFinding, PluginManifestState, PluginReply, PluginVerdictReason};
pub use selection::PluginSelection;
pub use sync::sync;
