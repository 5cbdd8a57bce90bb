//! The line break of a file.

/// The line break after the first line of a text; `\n` by default.
pub fn newline(text: &str) -> &'static str {
    match text.split_once('\n') {
        Some((first, _)) if first.ends_with('\r') => "\r\n",
        _ => "\n",
    }
}
