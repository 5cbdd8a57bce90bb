//! Serves agent runtimes that embed skillc: JSON-RPC 2.0 on standard input and output, one message per line (RFC-0012).
//!
//! Its methods call the same operations as every other surface. This crate decides nothing about skills, names no
//! adapter, and writes only answers.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

pub mod contract;
mod host;
mod message;
mod rpc_error;
mod streams;

pub use host::HostServer;
pub use streams::{serve, serve_stdio};
