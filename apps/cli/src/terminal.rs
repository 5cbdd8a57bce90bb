//! Where all text leaves for the two streams: raw into a pipe or a file, and onto a terminal only what is harmless there.
//!
//! Whoever puts a text together escapes the parts that are not ours; this is the last look at the whole.

use skillc_ops::harmless::last_look;
use std::borrow::Cow;
use std::io::{self, IsTerminal, Write, stderr, stdout};

/// Writes to standard output.
///
/// # Errors
/// Those of the stream.
pub fn out(bytes: &[u8], has_colour: bool) -> io::Result<()> {
    write(&mut stdout().lock(), bytes, has_colour)
}

/// Writes to standard error; where nobody can be told, nobody is.
pub fn err(bytes: &[u8], has_colour: bool) {
    let _ = write(&mut stderr().lock(), bytes, has_colour);
}

fn write(stream: &mut (impl Write + IsTerminal), bytes: &[u8], has_colour: bool) -> io::Result<()> {
    let shown = if stream.is_terminal() { last_look(bytes, has_colour) } else { Cow::Borrowed(bytes) };
    stream.write_all(&shown)?;
    stream.flush()
}
