//! What a log of accesses says about the use of skills (RFC-0003): what can be asked, how it is counted, what comes out.
//!
//! Stores count in SQL; `count` is the same in plain code, the model that every store is compared with.

pub mod count;
pub mod filter;
pub mod grouping;
pub mod merge;
pub mod report;
pub mod whole_files;

pub use count::usage;
pub use filter::{SkillFilter, UsageFilter};
pub use grouping::Grouping;
pub use merge::merge;
pub use report::{DayCount, ParseIssues, Period, Summary, Tally, Usage, UsageQuery};
