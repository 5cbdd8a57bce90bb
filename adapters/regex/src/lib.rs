//! Searches texts for many patterns at once: a single automaton for all needles, and regular expressions only where a
//! needle occurs.
//!
//! Does not know the purpose of the patterns.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

mod blocks;
mod needles;
mod search;
mod trigrams;

pub use search::RegexPatternSearch;
