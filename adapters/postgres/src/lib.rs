//! A team's store in PostgreSQL. Knows tables, roles and server errors, and no rule about skills.
//!
//! The SQL of the tables is in `migrations`; every statement names the schema `skillc` and depends on no search path.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

mod address;
mod append;
mod catalog;
mod directory;
mod failure;
mod link;
mod setup;
mod span;
mod status;
mod store;
mod tally;
mod usage;

pub use address::TeamSettings;
pub use store::PostgresTeamStore;
