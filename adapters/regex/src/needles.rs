//! Finds the needles of all patterns in one pass over a text.

use crate::trigrams::Trigrams;
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use skillc_lint::rule::Pattern;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Size of a text in bytes from which an automaton of all needles pays off; building one for 5,200 needles takes 5
/// ms.
const MANY_BYTES: usize = 256 * 1024;
/// Size of a text in bytes from which so many trigrams occur that they no longer rule out most needles.
const LONG_TEXT_BYTES: usize = 64 * 1024;

/// The needles of all patterns.
pub struct Needles {
    /// The needles in lower case, in the order of their patterns.
    needles: Vec<Cow<'static, str>>,
    /// The index of each needle's pattern.
    patterns: Vec<usize>,
    /// The automaton of all needles, built when much text is expected. A DFA would be three times as fast, but takes
    /// 32 MiB, and as long to build as searching 15 MiB.
    automaton: OnceLock<Option<AhoCorasick>>,
    bytes_seen: AtomicUsize,
}

impl Needles {
    /// Patterns are identified by index; their needles must not be empty.
    pub fn of(patterns: &[Pattern]) -> Self {
        let all = patterns.iter().enumerate();
        let all = all.flat_map(|(at, pattern)| (pattern.needles)().iter().map(move |needle| (at, *needle)));
        let (patterns, needles) = all.map(|(at, needle)| (at, lower(needle))).unzip();
        Self { needles, patterns, automaton: OnceLock::new(), bytes_seen: AtomicUsize::new(0) }
    }

    /// Announces texts of this many bytes, so that the automaton may be built at once.
    pub fn expect(&self, bytes: u64) {
        self.bytes_seen.fetch_add(usize::try_from(bytes).unwrap_or(usize::MAX / 2), Ordering::Relaxed);
    }

    /// Calls `report` for each occurrence of a needle, ignoring ASCII case, with its pattern; ends ascend.
    pub fn each_in(&self, text: &str, mut report: impl FnMut(Range<usize>, usize)) {
        // Faster than a case-insensitive automaton, which also takes twice as long to build.
        let lower = text.to_ascii_lowercase();
        if let Some(all) = self.automaton(text.len()) {
            for hit in all.find_overlapping_iter(&lower) {
                report(hit.range(), self.patterns[hit.pattern().as_usize()]);
            }
            return;
        }
        let present = Trigrams::of(&lower);
        let possible: Vec<usize> =
            (0..self.needles.len()).filter(|at| present.may_contain(&self.needles[*at])).collect();
        let needles = possible.iter().map(|at| self.needles[*at].as_bytes());
        let Some(some) = automaton(needles, AhoCorasickKind::NoncontiguousNFA) else { return };
        for hit in some.find_overlapping_iter(&lower) {
            report(hit.range(), self.patterns[possible[hit.pattern().as_usize()]]);
        }
    }

    /// The automaton of all needles, for a text of this many bytes; `None` while there is too little text for it.
    fn automaton(&self, bytes: usize) -> Option<&AhoCorasick> {
        let seen = self.bytes_seen.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if seen < MANY_BYTES && bytes < LONG_TEXT_BYTES {
            return None;
        }
        let all = || self.needles.iter().map(|needle| needle.as_bytes());
        self.automaton.get_or_init(|| automaton(all(), AhoCorasickKind::ContiguousNFA)).as_ref()
    }
}

fn lower(needle: &'static str) -> Cow<'static, str> {
    match needle.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(needle.to_ascii_lowercase()),
        false => Cow::Borrowed(needle),
    }
}

/// Builds an automaton; `None` if there are too many needles. Uses no prefilter, which does not help with that many.
fn automaton<'a>(needles: impl Iterator<Item = &'a [u8]>, kind: AhoCorasickKind) -> Option<AhoCorasick> {
    AhoCorasick::builder().kind(Some(kind)).prefilter(false).build(needles).ok()
}
