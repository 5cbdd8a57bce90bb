//! The security pack: rules SKL501 to SKL599, and the detectors that only they use.
//!
//! The pack looks for content that turns an agent against its user: injected instructions, hidden text, commands that run
//! what they download, secrets, exfiltration, persistence, impersonation. Phrases and words it looks for are data files
//! (`data/README.md` of this crate); rules and detectors are Rust.
//!
//! Limits: every check is a heuristic on text. Nothing is executed, fetched or decoded beyond one layer, and data flow is
//! followed by names within one file. A skill without findings is not proven safe, and text that warns against an attack
//! can look like one; [`warning_context`] and [`mention`] tell the two apart in most cases. A detector never reads more
//! than a bounded part of the text around a match, so that a check stays linear in the size of a hostile file.

pub mod code_context;
pub mod context_window;
pub mod downloads;
pub mod exfil_sinks;
pub mod flow;
pub mod hits;
pub mod host;
pub mod invisible;
pub mod invocation;
pub mod magic;
pub mod mention;
pub mod package;
pub mod packages;
pub mod payload;
pub mod pdf;
pub mod phrase;
pub mod phrases;
pub mod popular;
pub mod prose;
pub mod quotation;
pub mod rules;
pub mod scan;
pub mod scripts;
pub mod secret_value;
pub mod secrets;
pub mod sensitive_paths;
pub mod sentence;
pub mod terms;
pub mod warning_context;
pub mod word_lists;
pub mod wording;
