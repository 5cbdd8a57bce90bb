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
