//! A team's store in PostgreSQL: tables, roles and the errors of a server. Contains no rules about skills.
//!
//! `migrations` creates the tables; every statement names the schema `skillc` and depends on no search path.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

mod address;
mod append;
mod connection;
mod count;
mod error;
mod migrations;
mod publish;
mod setup;
mod skill_index;
mod status;
mod store;
mod text;
mod time_span;
mod usage_sql;

pub use address::PostgresSettings;
pub use store::PostgresTeamStore;
