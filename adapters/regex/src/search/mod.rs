//! Searches for patterns: each needle found leads to a block in which the expression is tried.

use crate::blocks::Blocks;
use crate::needles::Needles;
use regex::{Regex, RegexBuilder};
use skillc_lint::rule::Pattern;
use skillc_ports::error::{ErrorKind, PortError};
use skillc_ports::patterns::{CompiledPatterns, PatternMatch, PatternSearch};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Maximum size in bytes of a compiled expression: ten times the largest in a rule, and a tenth of the library's
/// default.
const REGEX_BYTES_MAX: usize = 1024 * 1024;

/// Maximum matches of one pattern in one text: more than a user reads, yet few enough for expressions that scan to the
/// end of the block for each.
const MATCHES_MAX: usize = 1_000;
/// Maximum matches of a pattern without an expression in one text: needles are cheap to find, but rules must judge
/// each.
const NEEDLE_MATCHES_MAX: usize = 20_000;

/// Searches with the `regex` crate.
#[derive(Clone, Copy, Debug, Default)]
pub struct RegexPatternSearch;

impl PatternSearch for RegexPatternSearch {
    fn compile(&self, patterns: &[Pattern]) -> Result<Arc<dyn CompiledPatterns>, PortError> {
        Ok(Arc::new(Compiled::new(patterns)?))
    }
}

struct Compiled {
    needles: Needles,
    expressions: Vec<Expression>,
}

/// An expression, compiled on first use: a run needs few of them.
struct Expression {
    source: &'static str,
    regex: OnceLock<Option<Regex>>,
}

impl Compiled {
    fn new(patterns: &[Pattern]) -> Result<Self, PortError> {
        if let Some(pattern) =
            patterns.iter().find(|p| (p.needles)().is_empty() || (p.needles)().contains(&""))
        {
            let doing = format!("look for '{}' without a needle", pattern.regex);
            return Err(PortError::new(ErrorKind::Failed, doing));
        }
        let expression = |p: &Pattern| Expression { source: p.regex, regex: OnceLock::new() };
        Ok(Self { needles: Needles::of(patterns), expressions: patterns.iter().map(expression).collect() })
    }
}

impl CompiledPatterns for Compiled {
    fn expect(&self, bytes: u64) {
        self.needles.expect(bytes);
    }

    fn find(&self, text: &str) -> Vec<PatternMatch> {
        let mut found = Vec::new();
        let mut blocks = Blocks::of(text);
        // For each pattern, the last block in which it was tried and its matches so far; empty for the many texts
        // without any needle.
        let mut tried: Vec<(u32, usize)> = Vec::new();
        self.needles.each_in(text, |place, pattern| {
            tried.resize(self.expressions.len(), (0, 0));
            let (last, count) = &mut tried[pattern];
            let expression = &self.expressions[pattern];
            if expression.source.is_empty() {
                if *count < NEEDLE_MATCHES_MAX {
                    *count += 1;
                    found.push(PatternMatch { pattern, span: place });
                }
                return;
            }
            let Some((number, block)) = blocks.around(place) else { return };
            if *last != number {
                let spans = expression.find(&text[block.clone()], MATCHES_MAX - *count);
                (*last, *count) = (number, *count + spans.len());
                let moved = |span: Range<usize>| block.start + span.start..block.start + span.end;
                found.extend(spans.into_iter().map(|span| PatternMatch { pattern, span: moved(span) }));
            }
        });
        found.sort_by_key(|found| (found.span.start, found.pattern));
        found
    }
}

impl Expression {
    /// Up to `most` matches in a block; none if the expression is invalid.
    fn find(&self, block: &str, most: usize) -> Vec<Range<usize>> {
        let Some(regex) = self.regex.get_or_init(|| regex(self.source).ok()) else { return Vec::new() };
        if regex.captures_len() == 1 {
            return regex.find_iter(block).take(most).map(|hit| hit.range()).collect();
        }
        let hits = regex.captures_iter(block).filter_map(|groups| groups.get(1).or_else(|| groups.get(0)));
        hits.take(most).map(|hit| hit.range()).collect()
    }
}

/// Treats CRLF as a line break too, so that rules match alike in every file.
fn regex(source: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(source).crlf(true).size_limit(REGEX_BYTES_MAX).build()
}

#[cfg(test)]
mod tests;
