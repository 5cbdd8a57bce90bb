//! The security pack: rules SKL501 to SKL599, and the detectors that only they use.
//!
//! The pack looks for content that turns an agent against its user: injected instructions, hidden text, commands that
//! run what they download, secrets, exfiltration, persistence, impersonation. The phrases and words that it looks for
//! are in data files (`data/README.md` of this crate); rules and detectors are Rust.
//!
//! Limits: every check is a heuristic on text. Nothing is executed, fetched or decoded beyond one layer, and data
//! flow is followed by names within one file. A skill without findings is not proven safe, and text that warns
//! against an attack can look like one; `warning_context` and `mention` tell the two apart in most cases. A detector
//! never reads more than a bounded part of the text around a match, so that a check stays linear in the size of a
//! hostile file.

mod code_context;
mod context_window;
mod docstrings;
mod downloads;
pub mod evidence;
mod exfil_sinks;
mod flow;
mod hits;
mod host;
mod invisible;
mod invocation;
mod known_installers;
mod magic;
mod mention;
mod needed_commands;
mod package;
mod packages;
mod payload;
pub mod pdf;
mod phrase;
mod phrases;
mod popular;
mod prose;
mod quotation;
pub(crate) mod rules;
mod scan;
mod scripts;
pub(crate) mod secret_value;
mod secrets;
mod sensitive_paths;
mod sentence;
mod terms;
mod warning_context;
mod word_lists;
mod wording;
