//! Picks a skill in a terminal (RFC-0012:C-PICK).
//!
//! `State` makes every decision without side effects: keys and events in, effects out. `terminal` is a thin shell
//! around it, `source` calls the operations, and `screen` only draws. This crate writes only to the terminal.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

mod clipboard;
mod filter;
mod item;
mod keys;
mod preview;
mod run;
mod screen;
mod source;
mod state;
mod terminal;
mod text;
mod work;

pub use clipboard::copy;
pub use item::ScopeView;
pub use run::{PickOptions, Picked, pick};
pub use source::{Reload, SkillSource};
pub use state::PickAction;
