//! RFC-0015: archives of skills, and plugins.

mod check;
mod forged;
mod mutations;
mod pack;
mod plugin;
mod plugin_clients;
mod plugin_drift;
mod plugin_schemas;
mod plugin_spec;
mod publish;
mod readers;
mod served;

pub use served::refused_site;
