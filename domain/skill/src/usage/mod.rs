//! What a log of accesses says about the use of skills (RFC-0003): what can be asked, how it is counted, what comes out.
//!
//! Counting happens where the events are, in SQL; `fold` is the same in plain code, by which every store is judged.

pub mod filter;
pub mod fold;
pub mod grouping;
pub mod merge;
pub mod report;

pub use filter::{SkillFilter, UsageFilter};
pub use fold::usage;
pub use grouping::Grouping;
pub use merge::merge;
pub use report::{DayCount, Flawed, Period, Summary, Tally, Usage, UsageQuery};
