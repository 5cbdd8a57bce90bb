//! Changes inputs at random.

use crate::random::Random;

/// The maximum size of an input in bytes.
pub const BYTES_MAX: usize = 64 * 1024;

/// Bytes that often break parsers of lengths and of UTF-8.
const EDGES: &[u8] = &[0, 1, b'\t', b'\n', b'\r', b' ', 0x7f, 0x80, 0xbf, 0xc2, 0xe2, 0xf0, 0xfe, 0xff];

/// Strings that often break text parsers.
const TEXTS: &[&str] = &[
    "\u{feff}",
    "\u{2028}",
    "\u{85}",
    "\u{202e}",
    "\u{200d}",
    "e\u{301}",
    "İ",
    "ẞ",
    "\u{1f600}",
    "設定",
    "\r\n",
    "\n\n",
    "\0",
    "\u{10ffff}",
    "\\",
    "\"",
    "'",
    "`",
    "%",
    "%00",
    "%2e%2e",
    "../",
    "-1",
    "99999999999999999999",
    "1e999",
    "NaN",
    "\u{a0}",
];

/// Derives inputs from seeds.
pub struct Mutator<'a> {
    pub seeds: &'a [Vec<u8>],
    pub words: &'a [&'static str],
}

impl Mutator<'_> {
    /// A randomly changed seed.
    pub fn input(&self, random: &mut Random) -> Vec<u8> {
        let mut bytes = random.pick(self.seeds).clone();
        for _ in 0..=random.below(6) {
            self.change(&mut bytes, random);
        }
        bytes.truncate(BYTES_MAX);
        bytes
    }

    fn change(&self, bytes: &mut Vec<u8>, random: &mut Random) {
        let at = random.below(bytes.len() + 1);
        match random.below(10) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = *random.pick(EDGES),
            2 => drop(bytes.drain(at..(at + random.below(16)).min(bytes.len()))),
            3 => self.repeat(bytes, at, random),
            4 => {
                let other = random.pick(self.seeds);
                let from = random.below(other.len() + 1);
                bytes.truncate(at);
                bytes.extend(&other[from..]);
            }
            5 => bytes.splice(at..at, random.word(TEXTS).bytes()).for_each(drop),
            6 => bytes.truncate(at.max(1)),
            _ if self.words.is_empty() => bytes.insert(at, *random.pick(EDGES)),
            _ => bytes.splice(at..at, random.word(self.words).bytes()).for_each(drop),
        }
    }

    /// Repeats a piece, sometimes many times, for nested and long inputs.
    fn repeat(&self, bytes: &mut Vec<u8>, at: usize, random: &mut Random) {
        let end = (at + 1 + random.below(24)).min(bytes.len());
        let piece = bytes[at..end].to_vec();
        let times = [1, 2, 8, 200][random.below(4)];
        bytes.splice(at..at, piece.repeat(times)).for_each(drop);
    }
}
