//! skillc for agent runtimes that embed it: JSON-RPC 2.0 on standard input and output, one message per line (RFC-0012).
//!
//! The methods call the same operations as every other surface. The crate makes no decision about skills, names no adapter,
//! and writes only responses.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

pub mod contract;
mod host;
mod message;
mod rpc_error;
mod streams;

pub use host::{Host, Workspace, WorkspaceResolver};
pub use streams::{serve, serve_stdio};
