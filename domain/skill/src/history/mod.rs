//! What the histories of agents say about skills (RFC-0014): calls as an agent recorded them, and the uses of skills that
//! follow from them.
//!
//! Knows no file format and opens nothing. Nothing here holds a prompt, an answer or the text of a file.

pub mod call;
pub mod kind;
pub mod lines;
pub mod location;
pub mod report;
pub mod shell;
pub mod tally;

pub use call::{AgentAction, CallOutcome, HistoryCall, OfferedSkill, SkillChooser, TokenUse};
pub use kind::HistoryKind;
pub use lines::LineRange;
pub use location::{HISTORIES, HistoryLocation};
pub use report::{AgentFunnel, UnusedOffer, by_agent, never_used};
pub use tally::{HistoryDetails, HistoryTally, history_tallies};
