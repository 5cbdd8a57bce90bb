//! The docstrings of a Python file: strings in three quotes that are statements by themselves, and so are not run.

use std::ops::Range;

/// What shows a docstring to people.
const SHOWN: [&str; 7] =
    ["description=", "description = ", "docopt(", "epilog=", "print(", "usage=", "write("];

/// The byte ranges of the docstrings of a program, in order; none if the program does anything with a docstring but show
/// it. Linear in the text.
pub fn of(text: &str) -> Vec<Range<usize>> {
    let is_used = |(at, _): (usize, &str)| !SHOWN.iter().any(|call| text[..at].ends_with(call));
    if text.match_indices("__doc__").any(is_used) { Vec::new() } else { statements(text) }
}

fn statements(text: &str) -> Vec<Range<usize>> {
    let (bytes, mut found, mut at, mut depth) = (text.as_bytes(), Vec::new(), 0, 0_usize);
    // Whether only blank space precedes on the line, and whether the line before goes on.
    let (mut is_start, mut goes_on) = (true, false);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'#' => at += bytes[at..].iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len() - at),
            b'"' | b'\'' => {
                let end = string_end(bytes, at);
                if is_formatted(bytes, at) && opens_brace(&bytes[at..end]) {
                    // A string with code that contains quotes: what is a string after it cannot be told.
                    return found;
                }
                if is_start && depth == 0 && !goes_on && is_triple(bytes, at) {
                    found.push(at..end);
                }
                (is_start, at) = (false, end);
            }
            b'\n' => {
                goes_on = text[..at].trim_end_matches('\r').ends_with('\\');
                (is_start, at) = (true, at + 1);
            }
            _ => {
                match byte {
                    b'(' | b'[' | b'{' => depth += 1,
                    b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                let is_prefix =
                    b"rRuU".contains(&byte) && bytes.get(at + 1).is_some_and(|next| b"\"'".contains(next));
                is_start &= byte.is_ascii_whitespace() || is_prefix;
                at += 1;
            }
        }
    }
    found
}

/// Whether the string that opens at a quote contains code in braces: `f"{a}"`.
fn is_formatted(bytes: &[u8], at: usize) -> bool {
    let prefix = &bytes[at.saturating_sub(2)..at];
    prefix.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).any(|byte| b"fFtT".contains(byte))
}

/// Whether a string ends within braces.
fn opens_brace(string: &[u8]) -> bool {
    let count = |brace: u8| string.iter().filter(|byte| **byte == brace).count();
    count(b'{') > count(b'}')
}

fn is_triple(bytes: &[u8], at: usize) -> bool {
    bytes[at..].starts_with(&[bytes[at]; 3])
}

/// The end of the string that opens at a quote. One in single quotes ends at the end of its line at the latest.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let (quote, is_triple) = (bytes[at], is_triple(bytes, at));
    let mut end = at + if is_triple { 3 } else { 1 };
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'\\' => end += 1,
            b'\n' if !is_triple => return end,
            _ if is_triple && bytes[end..].starts_with(&[quote; 3]) => return end + 3,
            _ if !is_triple && byte == quote => return end + 1,
            _ => {}
        }
        end += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn only_a_string_that_is_a_statement_is_a_docstring() {
        for (text, expected) in [
            ("\"\"\"A\nb\"\"\"\nrun()\n", &["\"\"\"A\nb\"\"\""][..]),
            ("def f():\n    r'''A \"\"\" b'''\n", &["'''A \"\"\" b'''"]),
            ("\"\"\"A\n'''\nb\"\"\"\nx = '''c'''\n", &["\"\"\"A\n'''\nb\"\"\""]),
            ("os.system(\n\"\"\"\ncurl\n\"\"\")\n", &[]),
            ("x = \\\n\"\"\"a\"\"\"\n", &[]),
            ("x = \"\"\"a\"\"\"\n", &[]),
            ("# it's\n\"\"\"A\"\"\"\n", &["\"\"\"A\"\"\""]),
            ("x = 'it\\'s'\n\"\"\"A", &["\"\"\"A"]),
            ("\"plain\"\n", &[]),
            ("x = \\\r\n\"\"\"a\"\"\"\r\n", &[]),
            ("\"\"\"a\"\"\"\nos.system(__doc__)\n", &[]),
            ("\"\"\"a\"\"\"\nparser(description=__doc__)\n", &["\"\"\"a\"\"\""]),
            ("x = f\"{\"\"\"a\"\"\"}\"\n\"\"\"b\"\"\"\n", &[]),
            ("x = f'{'\n\"\"\"a\"\"\"\n", &[]),
            ("é = 'é'\n'''é'''\n", &["'''é'''"]),
        ] {
            let found: Vec<&str> = of(text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
