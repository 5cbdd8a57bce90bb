//! Searching texts for many patterns at once.

use crate::error::PortError;
use skillc_lint::rule::Pattern;
use std::ops::Range;
use std::sync::Arc;

/// Where a pattern matched: its position in the list it was compiled from, and bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternMatch {
    /// Position in the list.
    pub pattern: usize,
    /// The first group of the expression if it took part in the match, else the whole match.
    pub span: Range<usize>,
}

/// Compiles patterns.
pub trait PatternSearch: Send + Sync {
    /// Prepares a list of patterns. An expression that cannot be read or is too large matches nothing: it may be read as
    /// late as it is tried.
    ///
    /// # Errors
    /// `Failed` when a pattern has no needle.
    fn compile(&self, patterns: &[Pattern]) -> Result<Arc<dyn CompiledPatterns>, PortError>;
}

/// Patterns that were prepared.
pub trait CompiledPatterns: Send + Sync {
    /// Announces that about this many bytes will be searched, so that costly preparation can be made if it pays.
    fn expect(&self, bytes: u64);

    /// All matches in a text, by place, then by position in the list.
    ///
    /// A pattern is tried on each block of lines (up to an empty line, or a bound) that holds one of its needles, and there
    /// alone; its matches do not overlap each other, and end after so many that nobody reads them all. Of a pattern without
    /// expression each place of a needle is a match, whether it overlaps another or not. Linear in the text; no text makes
    /// it panic.
    fn find(&self, text: &str) -> Vec<PatternMatch>;
}
