//! Every operation of skillc, defined once. The command line builds its commands from `OPS`, the MCP server its tools.
//!
//! An operation parses raw fields into domain types, calls ports and domain functions, and assembles a reply. It
//! decides nothing about skills itself, prints nothing, and knows no adapter.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

pub mod app;
pub mod approval;
mod benchmark;
pub mod cache;
pub mod catalog;
pub mod compile;
pub mod completion;
pub mod context;
pub mod diagnostic;
mod doctor;
mod elsewhere;
pub mod eval;
pub mod executor;
pub mod failure;
mod fallback_logs;
pub mod find;
pub mod first_steps;
pub mod fresh_index;
mod git_ignore;
pub mod harmless;
mod headings;
pub mod history;
pub mod lint;
pub mod load;
pub mod local_logs;
mod markdown;
mod matching_words;
mod mentioning;
pub mod model;
mod one_or_many;
pub mod operation;
pub mod pack;
pub mod paging;
mod pattern;
pub mod plugin;
pub mod policy;
mod present_agents;
pub mod prove;
mod query_words;
mod refusal;
mod renaming;
pub mod render;
pub mod replaced;
pub mod resolve;
mod rule_selection;
pub mod run;
pub mod runtime;
pub mod serve;
pub mod settings_file;
mod shipped;
mod similar_paths;
pub mod skill;
mod slim;
pub mod source;
mod source_tree;
pub mod stats;
mod stores;
pub mod team;
pub mod verb;
pub mod workspace;
pub mod written;

pub use app::{App, Ports, ServerState};
pub use context::{BuiltinSkill, CallContext, Caller, ConfigProblems, Environment};
pub use diagnostic::Diagnostic;
pub use failure::Failure;
pub use operation::{Answer, Call, CommandGroup, Operation, OperationEntry, Reply, Surface, ToolGroup, call};
pub use render::View;
pub use verb::{OPS, entry_named};
