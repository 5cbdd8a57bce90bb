//! Writes all text to the two streams: unchanged to a pipe or a file, with control characters escaped to a terminal.
//!
//! Texts of skills are escaped where they are rendered; this is a second line of defense.

use skillc_ops::harmless::last_look;
use std::borrow::Cow;
use std::io::{self, IsTerminal, Write, stderr, stdout};

/// Columns of the terminal that standard output leads to; `None` for a pipe or a file.
pub fn width() -> Option<usize> {
    terminal_size::terminal_size_of(stdout()).map(|(width, _)| usize::from(width.0))
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
