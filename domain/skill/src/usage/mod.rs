//! The use of skills according to access logs (RFC-0003): queries, counting and reports.
//!
//! Stores count in SQL. The module `count` does the same in plain code, as the model that every store is tested
//! against.

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
