//! Searching texts for many patterns at once.

use crate::error::PortError;
use skillc_lint::rule::Pattern;
use std::ops::Range;
use std::sync::Arc;

/// A match: the index of its pattern, and its byte range in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternMatch {
    /// Index in the compiled list.
    pub pattern: usize,
    /// The first group of the expression if it took part in the match, otherwise the whole match.
    pub span: Range<usize>,
}

/// Compiles patterns.
pub trait PatternSearch: Send + Sync {
    /// Compiles a list of patterns. An invalid or too large expression matches nothing; it may be parsed only when it
    /// is first tried.
    ///
    /// # Errors
    /// `Failed` if a pattern has no needle.
    fn compile(&self, patterns: &[Pattern]) -> Result<Arc<dyn CompiledPatterns>, PortError>;
}

/// A compiled list of patterns.
pub trait CompiledPatterns: Send + Sync {
    /// Announces roughly how many bytes will be searched, so that the implementation can decide on costly
    /// preparations.
    fn expect(&self, bytes: u64);

    /// All matches in a text, by position, then by index.
    ///
    /// A pattern is tried on each block of lines (up to an empty line, or a bound) that contains one of its needles,
    /// and nowhere else. Its matches do not overlap, and their number is bounded. For a pattern without expression,
    /// each occurrence of a needle is a match, even if it overlaps another. Linear in the text; never panics.
    fn find(&self, text: &str) -> Vec<PatternMatch>;
}
