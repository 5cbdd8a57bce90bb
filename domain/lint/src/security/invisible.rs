//! Invisible characters: where they serve no purpose, and what they encode.

use crate::security::scan::non_ascii;
use crate::security::scripts::{Script, script};
use skillc_domain::text::invisible::is_invisible;
use std::ops::Range;

/// Distance in bytes up to which two runs count as one: a word with an invisible character between all letters is a
/// single finding.
const GAP_BYTES_MAX: usize = 32;

/// Invisible characters that no script or emoji needs; those in one word are grouped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hidden {
    /// Byte range of each run.
    pub runs: Vec<Range<usize>>,
    /// The characters.
    pub chars: Vec<char>,
}

impl Hidden {
    /// From the first character to the end of the last.
    pub fn span(&self) -> Range<usize> {
        let start = self.runs.first().map_or(0, |run| run.start);
        start..self.runs.last().map_or(start, |run| run.end)
    }
}

/// All hidden characters in a text, in order.
pub fn hidden(text: &str) -> Vec<Hidden> {
    let mut all: Vec<Hidden> = Vec::new();
    for (run, chars) in runs(text) {
        if has_reason(text, &run, &chars) {
            continue;
        }
        match all.last_mut().filter(|last| is_same_word(text, last.span().end..run.start)) {
            Some(last) => {
                last.runs.push(run);
                last.chars.extend(chars);
            }
            None => all.push(Hidden { runs: vec![run], chars }),
        }
    }
    all
}

/// Runs of invisible characters.
fn runs(text: &str) -> Vec<(Range<usize>, Vec<char>)> {
    let mut runs: Vec<(Range<usize>, Vec<char>)> = Vec::new();
    for (at, c) in non_ascii(text).filter(|(_, c)| is_invisible(*c)) {
        let end = at + c.len_utf8();
        match runs.last_mut().filter(|(run, _)| run.end == at) {
            Some((run, chars)) => {
                run.end = end;
                chars.push(c);
            }
            None => runs.push((at..end, vec![c])),
        }
    }
    runs
}

fn is_same_word(text: &str, between: Range<usize>) -> bool {
    between.len() <= GAP_BYTES_MAX && !text[between].contains(char::is_whitespace)
}

/// Whether the text around a run justifies it.
fn has_reason(text: &str, run: &Range<usize>, chars: &[char]) -> bool {
    let (before, after) = (&text[..run.start], &text[run.end..]);
    let (previous, next) = (before.chars().next_back(), after.chars().next());
    let of = |expected: Script| previous.and_then(script) == Some(expected);
    let between_emoji = || previous.is_some_and(is_emoji) && next.is_some_and(is_emoji);
    match chars {
        ['\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}'] if keeps_block_open(before, after) => true,
        ['\u{feff}'] => run.start == 0,
        ['\u{ad}'] => is_hyphenation(before, after),
        // They allow a line break there; web pages that show text as it is typed leave two.
        ['\u{200b}'] | ['\u{200b}', '\u{200b}'] => [previous, next].into_iter().flatten().any(is_unspaced),
        ['\u{200d}' | '\u{fe0f}'] | ['\u{fe0f}', '\u{200d}'] if between_emoji() => true,
        ['\u{200c}' | '\u{200d}'] | ['\u{200c}' | '\u{200d}', '\u{200c}' | '\u{200d}'] => {
            previous.is_some_and(is_joining)
        }
        ['\u{fe00}'..='\u{fe0f}'] => {
            previous.is_some_and(|c| !c.is_ascii() || c.is_ascii_digit() || "#*".contains(c))
        }
        ['\u{e0100}'..='\u{e01ef}'] => of(Script::Han),
        ['\u{180b}'..='\u{180f}'] => of(Script::Mongolian),
        ['\u{115f}' | '\u{1160}' | '\u{ffa0}'] => {
            of(Script::Hangul) || next.and_then(script) == Some(Script::Hangul)
        }
        ['\u{17b4}' | '\u{17b5}'] => of(Script::Unspaced),
        ['\u{34f}'] => previous.is_some_and(|c| !c.is_ascii()),
        ['\u{1d173}'..='\u{1d17a}'] => previous.is_some_and(|c| ('\u{1d100}'..='\u{1d1ff}').contains(&c)),
        ['\u{e0020}'..='\u{e007e}', ..] => previous == Some('\u{1f3f4}') && is_region(chars),
        _ => false,
    }
}

/// Whether a character is the first on its line and is followed by a fence: the fence is then shown, and does not end the block around it.
pub fn keeps_block_open(before: &str, after: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.trim().is_empty() && ["```", "~~~"].iter().any(|fence| after.starts_with(fence))
}

/// Whether they are between letters, but not after every letter.
fn is_hyphenation(before: &str, after: &str) -> bool {
    let letters =
        |two: [Option<char>; 2]| two[0].is_some_and(char::is_alphabetic) && two[1] != Some('\u{ad}');
    let (mut back, mut on) = (before.chars().rev(), after.chars());
    letters([back.next(), back.next()]) && letters([on.next(), on.next()])
}

/// Whether tags are those of a flag such as England's: a country and its part, then the cancel tag.
fn is_region(tags: &[char]) -> bool {
    let Some((&'\u{e007f}', letters)) = tags.split_last() else { return false };
    let letters: Vec<char> =
        letters.iter().filter_map(|c| char::from_u32(u32::from(*c).checked_sub(0xE0000)?)).collect();
    (4..=6).contains(&letters.len())
        && letters[..2].iter().all(char::is_ascii_lowercase)
        && letters.iter().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
}

fn is_unspaced(c: char) -> bool {
    matches!(script(c), Some(Script::Unspaced | Script::Han))
}

fn is_joining(c: char) -> bool {
    matches!(script(c), Some(Script::Arabic | Script::Indic | Script::Unspaced | Script::Mongolian))
}

/// Whether a character is an emoji, or can be part of one.
fn is_emoji(c: char) -> bool {
    matches!(u32::from(c), 0xA9 | 0xAE | 0x203C | 0x2049 | 0x20E3 | 0x2122 | 0x2139 | 0x2190..=0x2BFF | 0x3030 | 0x303D
        | 0x3297 | 0x3299 | 0x1F000..=0x1FAFF)
}

/// The text that hidden characters encode, if they use a known method: tags, variation selectors as bytes, or two
/// kinds of characters as bits.
pub fn decoded(chars: &[char]) -> Option<String> {
    [tags(chars), selectors(chars), bits(chars)].into_iter().flatten().find(|text| is_readable(text))
}

fn is_readable(text: &str) -> bool {
    !text.trim().is_empty() && text.chars().all(|c| !c.is_control() || c.is_whitespace())
}

/// Decodes tag characters: U+E0020 and up are shifted ASCII.
fn tags(chars: &[char]) -> Option<String> {
    let letters = chars.iter().filter(|c| ('\u{e0020}'..='\u{e007e}').contains(*c));
    letters.map(|c| char::from_u32(u32::from(*c) - 0xE0000)).collect()
}

/// Decodes the 256 variation selectors as bytes.
fn selectors(chars: &[char]) -> Option<String> {
    let byte = |c: &char| match u32::from(*c) {
        code @ 0xFE00..=0xFE0F => u8::try_from(code - 0xFE00).ok(),
        code @ 0xE0100..=0xE01EF => u8::try_from(code - 0xE0100 + 16).ok(),
        _ => None,
    };
    let bytes: Vec<u8> = chars.iter().filter_map(byte).collect();
    String::from_utf8(bytes).ok()
}

/// Decodes two kinds of characters as bits, trying both assignments.
fn bits(chars: &[char]) -> Option<String> {
    let zero = *chars.first()?;
    let one = *chars.iter().find(|c| **c != zero)?;
    if !chars.len().is_multiple_of(8) || chars.iter().any(|c| *c != zero && *c != one) {
        return None;
    }
    let read = |one: char| {
        let bytes =
            chars.chunks(8).map(|bits| bits.iter().fold(0_u8, |byte, bit| byte << 1 | u8::from(*bit == one)));
        String::from_utf8(bytes.collect()).ok().filter(|text| is_readable(text))
    };
    read(one).or_else(|| read(zero))
}

/// The name of a character.
pub fn name(c: char) -> &'static str {
    match c {
        '\u{ad}' => "soft hyphen",
        '\u{200b}' => "zero-width space",
        '\u{200c}' => "zero-width non-joiner",
        '\u{200d}' => "zero-width joiner",
        '\u{2060}' => "word joiner",
        '\u{2061}'..='\u{2064}' => "invisible operator",
        '\u{feff}' => "byte order mark",
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => "Hangul filler",
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => "variation selector",
        '\u{e0000}'..='\u{e007f}' => "tag character",
        _ => "invisible character",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_emoji_and_a_byte_order_mark_at_the_start_have_their_reasons() {
        for text in [
            "\u{feff}# title",
            "👩\u{200d}💻 🏳\u{fe0f}\u{200d}🌈 ❤\u{fe0f}\u{200d}🔥 👩🏽\u{200d}🚀 ⚠\u{fe0f} ☎\u{fe0e} ©\u{fe0f}",
            "1\u{fe0f}\u{20e3} #\u{fe0f}\u{20e3} 🇩🇪",
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            "می\u{200c}خواهم क्\u{200d}ष ক\u{200c}্",
            "ภาษา\u{200b}ไทย 日本\u{200b}語 以下\u{200b}\u{200b}：是",
            "Donau\u{ad}dampf\u{ad}schiff",
            "葛\u{e0100} ᠠ\u{180b}",
        ] {
            assert_eq!(hidden(text), [], "{text:?}");
        }
    }

    #[test]
    fn characters_hidden_in_one_word_are_one_finding() {
        let found = hidden("i\u{200b}g\u{200b}nore \u{2060}x i\u{ad}g\u{ad}n");
        assert_eq!(found.iter().map(|h| h.runs.len()).collect::<Vec<_>>(), [2, 1, 2]);
        for text in [
            "a\u{feff}b",
            "a\u{200d}b",
            "a\u{fe0f}",
            "x\u{3164}",
            "😀\u{e0041}",
            "🏴\u{e0041}\u{e007f}",
            "😀\u{fe01}\u{fe02}",
        ] {
            assert_eq!(hidden(text).len(), 1, "{text:?}");
        }
    }

    #[test]
    fn hidden_texts_are_read() {
        let tagged: Vec<char> = "go".chars().filter_map(|c| char::from_u32(u32::from(c) + 0xE0000)).collect();
        assert_eq!(decoded(&tagged).as_deref(), Some("go"));
        let selected: Vec<char> =
            "run".bytes().filter_map(|b| char::from_u32(u32::from(b) - 16 + 0xE0100)).collect();
        assert_eq!(decoded(&selected).as_deref(), Some("run"));
        let bit =
            |byte: u8| (0..8).rev().map(move |at| if byte >> at & 1 == 1 { '\u{200c}' } else { '\u{200b}' });
        assert_eq!(decoded(&"hi".bytes().flat_map(bit).collect::<Vec<_>>()).as_deref(), Some("hi"));
        assert_eq!(decoded(&['\u{200b}', '\u{200b}']), None);
    }
}
