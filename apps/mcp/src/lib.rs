//! skillc for agents: every operation as a tool of a Model Context Protocol server, over the same list as the command line.
//!
//! All types of the protocol stay in this crate. It decides nothing about skills, names no adapter, and writes nothing but
//! protocol to standard output.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

mod announce;
mod arguments;
mod blocking;
mod call;
mod changes;
mod complete;
mod framing;
mod guard;
#[cfg(unix)]
mod heard;
mod http;
mod links;
mod listen;
mod places;
mod prompts;
mod resources;
mod schema;
mod server;
mod skills;
#[cfg(unix)]
mod socket;
mod stdio;
mod stop;
mod token;
mod tools;
mod wire;

pub use listen::{Listen, Listening, parse_address, serve};
pub use server::Server;
pub use stdio::serve_streams;
pub use tools::tool_list;
