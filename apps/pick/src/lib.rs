//! Picks a skill in a terminal (RFC-0012:C-PICK).
//!
//! `State` decides everything and touches nothing: keys and news in, effects out. `terminal` is a thin shell around it,
//! `source` asks the operations, and `screen` only draws. Nothing is written but to the terminal.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

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

pub use filter::Index;
pub use item::{Item, ScopeFilter};
pub use run::{Asked, Picked, pick};
pub use source::{Reload, Source};
