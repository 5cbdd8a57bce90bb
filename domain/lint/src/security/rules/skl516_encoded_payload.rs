//! SKL516: long encoded texts.

use crate::security::magic::Family;
use crate::security::payload::{self, DecodedContent};
use crate::rule::{Check, Example, Origin, Param, Pattern, Rule, Severity, Tier};
use crate::{FileView, Report};
use crate::security::{warning_context, hits, context_window};
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL516",
    name: "encoded-payload",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("skillsaw security-encoded-payload, Cisco OBFUSCATION"),
    why: "People do not read encoded text, so it can hide instructions and programs that an agent decodes with ease.",
    fix: "Write the content in plain text, or put it into a file whose name says what it contains.",
    params: &[Param { name: "max-chars", default: 200, meaning: "maximum characters of encoded text in one run" }],
    patterns: &[
        Pattern { needles: || &["\\x"], regex: r"(?-u)(?:\\x[0-9a-fA-F]{2}){24,}" },
        Pattern { needles: || &["\\u00"], regex: r"(?-u)(?:\\u00[0-9a-fA-F]{2}){20,}" },
        Pattern {
            needles: || &["fromcharcode", "chr("],
            regex: r"(?i-u)(?:fromcharcode\(\s*(?:\d{2,3}\s*,\s*){15,}\d{2,3}\s*\)|(?:chr\(\d{2,3}\)\s*[+.]\s*){10,})",
        },
        Pattern { needles: || &["0x"], regex: r"(?i-u)(?:\b0x[0-9a-f]{2}\s*,\s*){40,}" },
    ],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!(
            "The digest is e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 for no bytes.\n"
        ),
    )])],
    bad: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!(
            "The settings of the tool are kept here:\n\n```text\nVGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVyIHRoZSBsYXp5IGRvZyBhbmQgcnVucyBhd2F5IGZyb20gdGhl\nIGh1bnRlcnMgd2hvIGNhbWUgdG8gdGhlIGZvcmVzdCBhdCBkYXduIHdpdGggdGhlaXIgaG91bmRzIGFuZCBob3Ju\ncyBhbmQgdG9yY2hlcyB0byBsb29rIGZvciBoaW0gaW4gdGhlIHZhbGxleSBieSB0aGUgcml2ZXIgYW5kIGhpbGxz\n```\n"
        ),
    )])],
    check: Check::File(check),
};

/// Minimum length of a line of wrapped base 64: PEM has 64 characters, MIME 76.
const LINE_CHARS_MIN: usize = 56;
/// Extensions of files that contain encoded data by design.
const DATA_FILES: &str = "lock|svg|ipynb|map|pem|crt|cer|key|pub|asc|sig|csv|tsv|fasta|fa|pdb|eml|p7s|har|min.js|wasm|snap|patch|diff|sum";
/// Words before encoded data that is known to be harmless.
const KNOWN: &str = "data:image/|data:font/|data:audio/|data:video/|data:application/font|data:application/pdf|data:application/x-font|data:application/vnd|begin certificate|begin public|begin ssh2|begin pgp public|begin pgp sign|ssh-rsa|ssh-ed25519|ssh-dss|ecdsa-sha2|integrity|sha512-|sha384-|\
    image/png|image/jpeg|://|mappings|signature|begin x509|begin rsa public|begin ec public|bytecode|abi.encode";

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(text) = view.file.text.as_deref().filter(|_| !is_data(view.file.path.as_str())) else { return };
    let chars_max = RULE.param(&view.context.settings, "max-chars") as usize;
    for run in runs(text, chars_max) {
        if let Some(what) = hidden(text, &run).filter(|_| !warning_context::is_warned_against(view.file, &run)) {
            report.at(run.clone(), format!("{} encoded characters{what}", run.len()));
        }
    }
    for hit in hits::unwarned(view.file, &RULE) {
        let said = payload::hex(view.file.slice(&hit.span)).map(|bytes| said(&payload::reading(&bytes)));
        report.at(
            hit.span.clone(),
            format!("{} encoded characters{}", hit.span.len(), said.unwrap_or_default()),
        );
    }
}

fn is_data(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    DATA_FILES.split('|').any(|end| path.strip_suffix(end).is_some_and(|stem| stem.ends_with('.')))
        || path.ends_with("package-lock.json")
        || path.ends_with("pnpm-lock.yaml")
}

/// The message about an encoded text; `None` if it is not a payload.
fn hidden(text: &str, run: &Range<usize>) -> Option<String> {
    let before = &text[context_window::floor(text, run.start.saturating_sub(120))..run.start];
    let near = before.rsplit("\n\n").next().unwrap_or_default().to_ascii_lowercase();
    if KNOWN.split('|').any(|word| near.contains(word)) {
        return None;
    }
    // A program that assembles a payload has quotes and commas between the pieces.
    let written: String = text[run.clone()].chars().filter(|c| c.is_ascii() && is_digit(*c as u8)).collect();
    let bytes = if written.bytes().all(|b| b.is_ascii_hexdigit()) {
        payload::hex(&written)
    } else {
        payload::base64(&written)
    };
    match payload::reading(&bytes?) {
        DecodedContent::File(Family::Image | Family::Font | Family::Media | Family::Document, _) => None,
        reading => Some(said(&reading)),
    }
}

fn said(reading: &DecodedContent) -> String {
    match reading {
        DecodedContent::Text(text) if payload::is_active(text) => format!(", decoded to '{}…'", shown(text)),
        DecodedContent::Text(_) => ", decoded to text".to_owned(),
        DecodedContent::File(_, name) => format!(", decoded to {name}"),
        DecodedContent::Bytes => String::new(),
    }
}

/// The beginning of a decoded text, on one line.
fn shown(text: &str) -> String {
    text.chars().take(40).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Runs of base 64 or hexadecimal digits of at least `chars_min` characters, over several lines if each is full.
///
/// Examines one byte in each block that a run could not skip, and others only around such a match.
fn runs(text: &str, chars_min: usize) -> Vec<Range<usize>> {
    let (bytes, step) = (text.as_bytes(), LINE_CHARS_MIN.min(chars_min).max(1));
    let (mut found, mut at) = (Vec::new(), 0);
    while at + step <= bytes.len() {
        let probe = at + step - 1;
        let back = bytes[at..=probe].iter().rposition(|byte| !is_digit(*byte));
        if let Some(back) = back {
            at += back + 1;
            continue;
        }
        let run = joined(bytes, at);
        let digits = bytes[run.clone()].iter().filter(|byte| is_digit(**byte)).count();
        if digits >= chars_min && is_encoded(&text[run.clone()]) {
            found.push(run.clone());
        }
        at = run.end + 1;
    }
    found
}

fn is_digit(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_')
}

/// The run that begins at an offset, with the lines that continue it: all but the last must be as long as wrapped
/// lines are.
fn joined(bytes: &[u8], start: usize) -> Range<usize> {
    let line_end = |from: usize| {
        bytes[from..].iter().position(|byte| !is_digit(*byte)).map_or(bytes.len(), |len| from + len)
    };
    let mut end = line_end(start);
    loop {
        let gap = bytes[end..].iter().take(80).position(|byte| is_digit(*byte)).unwrap_or(0);
        let is_break = gap > 0
            && bytes[end..end + gap].contains(&b'\n')
            && bytes[end..end + gap].iter().all(|b| b" \t\r\n\"',\\>#".contains(b));
        let next = line_end(end + gap);
        // The last line may be shorter, but a single word is not a line.
        if !is_break
            || next - (end + gap) < 16
            || bytes[end..end + gap].iter().filter(|b| **b == b'\n').count() > 1
        {
            return start..end;
        }
        let is_last = next - (end + gap) < LINE_CHARS_MIN;
        end = next;
        if is_last {
            return start..end;
        }
    }
}

/// Whether a run looks random: hexadecimal digits, or base 64 with upper-case letters, lower-case letters and digits.
fn is_encoded(run: &str) -> bool {
    let count = |test: fn(&u8) -> bool| run.as_bytes().iter().filter(|byte| test(byte)).count();
    let (upper, lower, digit) =
        (count(u8::is_ascii_uppercase), count(u8::is_ascii_lowercase), count(u8::is_ascii_digit));
    let part = run.len() / 50;
    let is_hex = digit > 5 * part && run.bytes().all(|b| b.is_ascii_hexdigit() || b.is_ascii_whitespace());
    let signs = count(|byte| matches!(byte, b'-' | b'_' | b'/'));
    is_hex || (upper > 5 * part && lower > 5 * part && digit > part && signs < 4 * part.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_found_whole_and_prose_is_none() {
        let line = "VGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVyIHRoZSBsYXp5IGRvZyBhbmQgcnVucyBhd2F5";
        let text = format!("é words {line}{line}{line} end");
        let start = "é words ".len();
        assert!(runs(&text, 200).into_iter().eq(std::iter::once(start..start + 3 * line.len())));
        let wrapped = format!("x\n{line}\n{line}\n{line}\nQUJD\nprose");
        assert!(runs(&wrapped, 200).into_iter().eq(std::iter::once(2..2 + 3 * line.len() + 2)));
        let none = format!("{} {} {}", "word ".repeat(100), "A".repeat(300), "some_long_name/".repeat(20));
        assert!(runs(&none, 200).is_empty());
        assert!(runs("", 200).is_empty());
    }
}
