//! The needles of all patterns, found in one pass over a text.

use aho_corasick::{AhoCorasick, AhoCorasickKind, BuildError};
use skillc_lint::rule::Pattern;
use skillc_ports::error::{ErrorKind, PortError};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of text from which on a table of all transitions is worth its making: for 1,800 needles it takes 30 ms longer to
/// make, and then a third of the time for each text, which is 8 ms less for a MiB.
const MANY_BYTES: usize = 4 * 1024 * 1024;

/// The needles, in lower case, each once.
pub struct Needles {
    needles: Vec<String>,
    /// The patterns of each.
    patterns: Vec<Vec<usize>>,
    quick_to_make: AhoCorasick,
    quick_to_run: OnceLock<Option<AhoCorasick>>,
    bytes_seen: AtomicUsize,
}

impl Needles {
    /// Of patterns, which are numbered as they stand in the list; none of their needles is empty.
    ///
    /// # Errors
    /// `Failed` for more than fit into the automaton.
    pub fn of(patterns: &[Pattern]) -> Result<Self, PortError> {
        let mut numbers: HashMap<String, usize> = HashMap::new();
        let (mut needles, mut owners): (Vec<String>, Vec<Vec<usize>>) = (Vec::new(), Vec::new());
        for (at, needle) in
            patterns.iter().enumerate().flat_map(|(at, p)| p.needles.iter().map(move |n| (at, n)))
        {
            let needle = needle.to_ascii_lowercase();
            let number = *numbers.entry(needle.clone()).or_insert(needles.len());
            if number == needles.len() {
                needles.push(needle);
                owners.push(Vec::new());
            }
            owners[number].push(at);
        }
        let failed = |error| PortError::new(ErrorKind::Failed, "compile the needles").caused_by(error);
        let quick_to_make = automaton(&needles, AhoCorasickKind::ContiguousNFA).map_err(failed)?;
        let (quick_to_run, bytes_seen) = (OnceLock::new(), AtomicUsize::new(0));
        Ok(Self { needles, patterns: owners, quick_to_make, quick_to_run, bytes_seen })
    }

    /// Takes so many bytes for seen already.
    pub fn expect(&self, bytes: u64) {
        self.bytes_seen.fetch_add(usize::try_from(bytes).unwrap_or(usize::MAX / 2), Ordering::Relaxed);
    }

    /// Tells each place where a needle stands, in any case of ASCII letters, with its patterns; by the ends of places.
    pub fn each_in(&self, text: &str, mut told: impl FnMut(Range<usize>, &[usize])) {
        // Faster than an automaton that knows both cases, and half as long in the making.
        let lower = text.to_ascii_lowercase();
        for hit in self.automaton(text.len()).find_overlapping_iter(&lower) {
            told(hit.range(), &self.patterns[hit.pattern().as_usize()]);
        }
    }

    fn automaton(&self, bytes: usize) -> &AhoCorasick {
        if self.bytes_seen.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes) < MANY_BYTES {
            return &self.quick_to_make;
        }
        let make = || automaton(&self.needles, AhoCorasickKind::DFA).ok();
        self.quick_to_run.get_or_init(make).as_ref().unwrap_or(&self.quick_to_make)
    }
}

/// Without a prefilter, which so many needles make useless.
fn automaton(needles: &[String], kind: AhoCorasickKind) -> Result<AhoCorasick, BuildError> {
    AhoCorasick::builder().kind(Some(kind)).prefilter(false).build(needles)
}
