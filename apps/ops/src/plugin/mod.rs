//! The manifests of a plugin: creates, updates and checks them (RFC-0015).

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
