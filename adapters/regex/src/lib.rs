//! Searches texts for many patterns at once: one automaton for all needles, and an expression only where one occurs.
//!
//! Knows nothing of what the patterns are for.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

mod blocks;
mod needles;
mod search;

pub use search::RegexPatternSearch;
