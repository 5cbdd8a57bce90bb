//! Writes all text to the two streams: unchanged to a pipe or a file, with control characters escaped to a terminal.
//!
//! Texts of skills are escaped where they are rendered; this is a second line of defense.

use crate::environment::variable;
use skillc_ops::harmless::last_look;
use skillc_ops::render::fit;
use std::borrow::Cow;
use std::io::{self, IsTerminal, Write, stderr, stdout};

/// Width of the terminal that standard output is connected to, or COLUMNS; `None` for a pipe or a file.
pub fn width() -> Option<usize> {
    chosen("COLUMNS", &stdout(), terminal_size::terminal_size_of(stdout()).map(|(width, _)| width.0))
}

/// The same for standard error.
pub fn err_width() -> Option<usize> {
    chosen("COLUMNS", &stderr(), terminal_size::terminal_size_of(stderr()).map(|(width, _)| width.0))
}

/// Height of the terminal that standard output is connected to, or LINES; `None` for a pipe or a file.
pub fn height() -> Option<usize> {
    chosen("LINES", &stdout(), terminal_size::terminal_size_of(stdout()).map(|(_, height)| height.0))
}

/// The size from a variable if the stream is a terminal, otherwise that of the terminal.
fn chosen(name: &str, stream: &impl IsTerminal, of_terminal: Option<u16>) -> Option<usize> {
    let number = || variable(name)?.parse().ok().filter(|number| *number > 0);
    number().filter(|_| stream.is_terminal()).or(of_terminal.map(usize::from))
}

/// Writes to standard output.
///
/// # Errors
/// I/O errors.
pub fn out(bytes: &[u8], has_color: bool) -> io::Result<()> {
    write(&mut stdout().lock(), bytes, has_color)
}

/// Writes to standard error; errors are ignored, since there is nowhere to report them.
pub fn err(bytes: &[u8], has_color: bool) {
    let _ = write(&mut stderr().lock(), bytes, has_color);
}

/// A text with its lines wrapped at this width.
pub fn fitted(text: Vec<u8>, width: Option<usize>) -> Vec<u8> {
    match width {
        Some(width) => fit(&text, width),
        None => text,
    }
}

fn write(stream: &mut (impl Write + IsTerminal), bytes: &[u8], has_color: bool) -> io::Result<()> {
    let shown = if stream.is_terminal() { last_look(bytes, has_color) } else { Cow::Borrowed(bytes) };
    stream.write_all(&shown)?;
    stream.flush()
}
