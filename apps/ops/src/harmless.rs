//! Makes untrusted text safe for terminals. Characters that move the cursor, hide text, change the writing direction or
//! send commands to the terminal are written as escapes.

use std::borrow::Cow;

/// A name, path or message on one line; line breaks and tabs are escaped too.
pub fn plain(text: &str) -> String {
    as_plain(text).into_owned()
}

/// Like [`plain`], but fast for lists of thousands, in which most texts need no change.
pub fn as_plain(text: &str) -> Cow<'_, str> {
    if text.bytes().all(is_printable) || !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let shown = |c: char| if is_control(c) { c.escape_default().to_string() } else { c.to_string() };
    Cow::Owned(text.chars().map(shown).collect())
}

/// The content of a file: line breaks and tabs stay, invalid UTF-8 is shown as `\xff`.
pub fn content(bytes: &[u8]) -> Cow<'_, [u8]> {
    escaped(bytes, Some("\n"), |_| None, |c| c.escape_default().to_string())
}

/// JSON with such characters in strings escaped: `\u009b` has the same value.
pub fn json(bytes: &[u8]) -> Cow<'_, [u8]> {
    escaped(bytes, None, |_| None, |c| format!("\\u{:04x}", u32::from(c)))
}

/// A final check of text for a terminal: the only escape sequences that pass are skc's own colors, and none if
/// `has_color` is false.
pub fn last_look(bytes: &[u8], has_color: bool) -> Cow<'_, [u8]> {
    escaped(bytes, None, |rest| own_color(rest).filter(|_| has_color), |c| c.escape_default().to_string())
}

/// Length of the color sequence at the start of a text: bold, faint, underlined, one of six colors, or reset.
fn own_color(text: &str) -> Option<usize> {
    let end = text.strip_prefix("\u{1b}[")?.find('m')? + 2;
    matches!(&text[2..end], "0" | "1" | "2" | "4" | "31" | "32" | "33" | "34" | "35" | "36")
        .then_some(end + 1)
}

/// Escapes the control characters of a text. `line_end` replaces CR and CRLF; `skip` returns the number of bytes that
/// pass at a position.
fn escaped<'a>(
    bytes: &'a [u8],
    line_end: Option<&str>,
    skip: impl Fn(&str) -> Option<usize>,
    escape: impl Fn(char) -> String,
) -> Cow<'a, [u8]> {
    let is_plain = bytes.iter().all(|byte| is_printable(*byte) || matches!(byte, b'\n' | b'\t'));
    if is_plain || std::str::from_utf8(bytes).is_ok_and(|text| !text.contains(is_disturbing)) {
        return Cow::Borrowed(bytes);
    }
    let mut out = Vec::with_capacity(bytes.len() + 64);
    for chunk in bytes.utf8_chunks() {
        let mut rest = chunk.valid();
        while let Some(at) = rest.find(is_disturbing) {
            out.extend_from_slice(&rest.as_bytes()[..at]);
            rest = &rest[at..];
            let c = rest.chars().next().unwrap_or_default();
            let passed = match (skip(rest), line_end) {
                (Some(count), _) => {
                    out.extend_from_slice(&rest.as_bytes()[..count]);
                    count
                }
                (None, Some(end)) if c == '\r' => {
                    out.extend_from_slice(end.as_bytes());
                    if rest.starts_with("\r\n") { 2 } else { 1 }
                }
                _ => {
                    out.extend_from_slice(escape(c).as_bytes());
                    c.len_utf8()
                }
            };
            rest = &rest[passed..];
        }
        out.extend_from_slice(rest.as_bytes());
        chunk.invalid().iter().for_each(|byte| out.extend_from_slice(format!("\\x{byte:02x}").as_bytes()));
    }
    Cow::Owned(out)
}

/// Whether a byte is printable ASCII. Most texts consist of such bytes, and are checked faster this way.
fn is_printable(byte: u8) -> bool {
    matches!(byte, b' '..=b'~')
}

/// Control characters except tab and line feed.
fn is_disturbing(c: char) -> bool {
    !matches!(c, '\n' | '\t') && is_control(c)
}

/// Control characters, and marks that change the writing direction.
fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: Cow<'_, [u8]>) -> String {
        String::from_utf8(bytes.into_owned()).unwrap()
    }

    /// RFC-0007:C-OUTPUT
    #[test]
    fn control_characters_are_written_as_escapes() {
        assert_eq!(plain("a\u{1b}[2Jb"), "a\\u{1b}[2Jb");
        assert_eq!(plain("tab\tünïcode 中"), "tab\\tünïcode 中");
        assert_eq!(plain("a\u{202e}b"), "a\\u{202e}b");
    }

    /// RFC-0007:C-OUTPUT
    #[test]
    fn content_keeps_its_lines_and_tabs_and_nothing_else_that_moves_a_cursor() {
        let shown = |bytes: &[u8]| text(content(bytes));
        assert_eq!(shown(b"a\tb\r\nc\rd\n"), "a\tb\nc\nd\n");
        assert_eq!(
            shown(b"\x1b]52;c;x\x07\xc2\x9b1m\x7f\xff\x9b"),
            "\\u{1b}]52;c;x\\u{7}\\u{9b}1m\\u{7f}\\xff\\x9b"
        );
        assert_eq!(shown("\u{202e}é中".as_bytes()), "\\u{202e}é中");
        assert!(matches!(content("é\n\t中".as_bytes()), Cow::Borrowed(_)));
    }

    /// RFC-0007:C-OUTPUT
    #[test]
    fn json_says_the_same_after_its_escapes() {
        let said = "a\u{9b}\u{7f}\u{202e}\u{1b}é";
        let bytes = serde_json::to_vec(said).unwrap();
        let shown = json(&bytes);
        assert!(!text(shown.clone()).contains(is_control));
        assert_eq!(serde_json::from_slice::<String>(&shown).unwrap(), said);
    }

    /// RFC-0007:C-OUTPUT
    #[test]
    fn only_the_colors_of_the_program_pass_the_last_look() {
        let colored = "\u{1b}[1m\u{1b}[31merror\u{1b}[0m\n";
        assert_eq!(text(last_look(colored.as_bytes(), true)), colored);
        assert_eq!(text(last_look(colored.as_bytes(), false)), colored.replace('\u{1b}', "\\u{1b}"));
        for hostile in
            ["\u{1b}[8m", "\u{1b}[2J", "\u{1b}[1;31m", "\u{1b}]0;m", "\u{1b}[", "\u{1b}", "\r", "\u{9b}1m"]
        {
            let shown = text(last_look(hostile.as_bytes(), true));
            assert!(!shown.contains(is_control), "{shown:?}");
        }
    }
}
