//! What the histories of agents say about skills (RFC-0014): calls as an agent recorded them, and the uses of skills
//! that follow from them.
//!
//! Knows no file format and opens nothing. Nothing here holds a prompt, an answer or the text of a file.

pub mod call;
pub mod cost;
pub mod followed;
pub mod funnel;
pub mod heat;
pub mod imported;
pub mod kind;
pub mod lines;
pub mod location;
pub mod order;
pub mod report;
pub mod shell;
pub mod tally;

pub use call::{AgentAction, CallOutcome, HistoryCall, OfferedSkill, SkillChooser, TokenUse};
pub use cost::{ModelPrice, SkillCost, costs};
pub use followed::StepTally;
pub use funnel::{SkillFunnel, funnels};
pub use heat::{SectionReads, section_reads};
pub use imported::HistoryDetails;
pub use kind::HistoryKind;
pub use lines::LineRange;
pub use location::{HISTORIES, HistoryLocation};
pub use order::{ReadingStep, reading_steps};
pub use report::{AgentFunnel, UnusedOffer, by_agent, never_used};
pub use tally::{HistoryTally, history_tallies};
