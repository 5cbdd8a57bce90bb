//! Patterns: a needle leads to the block in which the expression is tried.

use crate::blocks::Blocks;
use crate::needles::Needles;
use regex::{Regex, RegexBuilder};
use skillc_lint::rule::Pattern;
use skillc_ports::error::{ErrorKind, PortError};
use skillc_ports::patterns::{CompiledPatterns, PatternMatch, PatternSearch};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Bytes of a compiled expression, at most: ten times the largest that a rule needs, a tenth of the library's own bound.
const REGEX_BYTES_MAX: usize = 1024 * 1024;

/// Matches of one pattern in one text, at most: more than anybody reads, and few enough that an expression which looks to
/// the end of its block for each of them takes no more than a moment.
const MATCHES_MAX: usize = 1_000;
/// Places of a pattern's needles in one text, at most, where they are all that is asked for: what is cheap to find is not
/// always cheap to judge.
const PLACES_MAX: usize = 20_000;

/// Patterns as expressions of the `regex` crate.
#[derive(Clone, Copy, Debug, Default)]
pub struct RegexPatternSearch;

impl RegexPatternSearch {
    /// Whether all patterns can be compiled; as slow as compiling them is, and meant for tests.
    ///
    /// # Errors
    /// `Failed` when an expression cannot be read or is too large, or a pattern has no needle.
    pub fn check(patterns: &[Pattern]) -> Result<(), PortError> {
        for pattern in patterns {
            let failed = || PortError::new(ErrorKind::Failed, format!("compile '{}'", pattern.regex));
            if needs_tables(pattern.regex) {
                return Err(failed());
            }
            regex(pattern.regex).map_err(|error| failed().caused_by(error))?;
        }
        Compiled::new(patterns).map(drop)
    }
}

impl PatternSearch for RegexPatternSearch {
    fn compile(&self, patterns: &[Pattern]) -> Result<Arc<dyn CompiledPatterns>, PortError> {
        Ok(Arc::new(Compiled::new(patterns)?))
    }
}

struct Compiled {
    needles: Needles,
    expressions: Vec<Expression>,
}

/// An expression that is compiled when it is first tried: a run needs few of them.
struct Expression {
    written: &'static str,
    regex: OnceLock<Option<Regex>>,
}

impl Compiled {
    fn new(patterns: &[Pattern]) -> Result<Self, PortError> {
        if let Some(pattern) = patterns.iter().find(|p| p.needles.is_empty() || p.needles.contains(&"")) {
            let doing = format!("look for '{}' without a needle", pattern.regex);
            return Err(PortError::new(ErrorKind::Failed, doing));
        }
        let expression = |p: &Pattern| Expression { written: p.regex, regex: OnceLock::new() };
        Ok(Self { needles: Needles::of(patterns)?, expressions: patterns.iter().map(expression).collect() })
    }
}

impl CompiledPatterns for Compiled {
    fn expect(&self, bytes: u64) {
        self.needles.expect(bytes);
    }

    fn find(&self, text: &str) -> Vec<PatternMatch> {
        let mut found = Vec::new();
        let mut blocks = Blocks::of(text);
        // The last block in which each pattern was tried, and how many matches it has; empty for the many
        // texts without any needle.
        let mut tried: Vec<(u32, usize)> = Vec::new();
        self.needles.each_in(text, |place, patterns| {
            tried.resize(self.expressions.len(), (0, 0));
            for &pattern in patterns {
                let (last, told) = &mut tried[pattern];
                let expression = &self.expressions[pattern];
                if expression.written.is_empty() {
                    if *told < PLACES_MAX {
                        *told += 1;
                        found.push(PatternMatch { pattern, span: place.clone() });
                    }
                    continue;
                }
                let Some((number, block)) = blocks.around(place.clone()) else { continue };
                if *last != number {
                    let spans = expression.find(&text[block.clone()], MATCHES_MAX - *told);
                    (*last, *told) = (number, *told + spans.len());
                    let moved = |span: Range<usize>| block.start + span.start..block.start + span.end;
                    found.extend(spans.into_iter().map(|span| PatternMatch { pattern, span: moved(span) }));
                }
            }
        });
        found.sort_by_key(|found| (found.span.start, found.pattern));
        found
    }
}

impl Expression {
    /// What it hits in a block, at most so often; nothing when it cannot be compiled.
    fn find(&self, block: &str, most: usize) -> Vec<Range<usize>> {
        let Some(regex) = self.regex.get_or_init(|| regex(self.written).ok()) else { return Vec::new() };
        if regex.captures_len() == 1 {
            return regex.find_iter(block).take(most).map(|hit| hit.range()).collect();
        }
        let hits = regex.captures_iter(block).filter_map(|groups| groups.get(1).or_else(|| groups.get(0)));
        hits.take(most).map(|hit| hit.range()).collect()
    }
}

/// Whether an expression asks for a class of Unicode by name: those tables are left out, but not always in tests, where
/// another crate may bring them along.
fn needs_tables(written: &str) -> bool {
    let unescaped = written.replace(r"\\", "");
    unescaped.contains(r"\p") || unescaped.contains(r"\P")
}

/// A CRLF is a line break for `.`, `^` and `$` too, so that a rule finds the same in every file.
fn regex(written: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(written).crlf(true).size_limit(REGEX_BYTES_MAX).build()
}

#[cfg(test)]
mod tests;
