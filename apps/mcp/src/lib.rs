//! Serves agents: every operation as a tool of a Model Context Protocol server, from the same list as the command line.
//!
//! All types of the protocol stay in this crate. It decides nothing about skills, names no adapter, and writes only
//! protocol messages to standard output.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

#[cfg(unix)]
mod activity;
mod announce;
mod arguments;
mod call;
#[cfg(feature = "http")]
mod cancellation;
mod catch_panic;
mod changes;
mod complete;
mod framing;
#[cfg(feature = "http")]
mod http;
mod http_head;
mod links;
mod listen;
mod listening;
mod prompts;
mod resources;
mod schema;
mod server;
mod shutdown;
mod skills;
#[cfg(any(unix, feature = "http"))]
mod slots;
#[cfg(unix)]
mod socket;
mod stdio;
#[cfg(feature = "http")]
mod token;
mod tools;
mod transport;
mod work;

pub use listen::{Listen, parse_address, serve};
pub use listening::Listening;
pub use server::Server;
pub use stdio::serve_streams;
pub use tools::{ToolSet, tool_list};
