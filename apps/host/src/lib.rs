//! skillc for runtimes of agents that embed it: JSON-RPC 2.0 on standard input and output, one message a line (RFC-0012).
//!
//! The same operations as everywhere stand below the methods. This crate decides nothing about skills, names no adapter,
//! and writes nothing but answers.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

pub mod contract;
mod host;
mod message;
mod refusal;
mod room;
mod streams;

pub use host::{Ground, Host, Survey};
pub use streams::{serve, serve_stdio};
