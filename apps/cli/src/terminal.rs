//! Writes all text to the two streams: unchanged to a pipe or a file, with control characters escaped to a terminal.
//!
//! Texts of skills are escaped where they are rendered; this is a second line of defense.

use crate::environment::variable;
use skillc_ops::harmless::last_look;
use std::borrow::Cow;
use std::io::{self, IsTerminal, Write, stderr, stdout};

/// Columns of the terminal that standard output leads to, or COLUMNS; `None` for a pipe or a file.
pub fn width() -> Option<usize> {
    let of_terminal = terminal_size::terminal_size_of(stdout()).map(|(width, _)| usize::from(width.0));
    number("COLUMNS").filter(|_| stdout().is_terminal()).or(of_terminal)
}

/// The same for standard error.
pub fn err_width() -> Option<usize> {
    let of_terminal = terminal_size::terminal_size_of(stderr()).map(|(width, _)| usize::from(width.0));
    number("COLUMNS").filter(|_| stderr().is_terminal()).or(of_terminal)
}

/// Lines of the terminal that standard output leads to, or LINES; `None` for a pipe or a file.
pub fn height() -> Option<usize> {
    let of_terminal = terminal_size::terminal_size_of(stdout()).map(|(_, height)| usize::from(height.0));
    number("LINES").filter(|_| stdout().is_terminal()).or(of_terminal)
}

fn number(name: &str) -> Option<usize> {
    variable(name)?.parse().ok().filter(|number| *number > 0)
}

/// Writes to standard output.
///
/// # Errors
/// Those of the stream.
pub fn out(bytes: &[u8], has_colour: bool) -> io::Result<()> {
    write(&mut stdout().lock(), bytes, has_colour)
}

/// Writes to standard error; errors are ignored, since there is nowhere to report them.
pub fn err(bytes: &[u8], has_colour: bool) {
    let _ = write(&mut stderr().lock(), bytes, has_colour);
}

fn write(stream: &mut (impl Write + IsTerminal), bytes: &[u8], has_colour: bool) -> io::Result<()> {
    let shown = if stream.is_terminal() { last_look(bytes, has_colour) } else { Cow::Borrowed(bytes) };
    stream.write_all(&shown)?;
    stream.flush()
}
