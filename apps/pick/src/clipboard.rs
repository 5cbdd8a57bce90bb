//! Puts a text into the clipboard of the terminal, also through a connection to another machine.

use crate::terminal::tty;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::io::Write;

/// Bytes of text that terminals take: 100,000 characters of base64, the limit of hterm and of others.
const BYTES_MAX: usize = 74_994;

/// Sends a text to the clipboard by OSC 52, which a terminal may ignore; returns whether it was sent.
pub fn copy(text: &str) -> bool {
    let sequence = format!("\u{1b}]52;c;{}\u{7}", STANDARD.encode(text));
    let send = || {
        let mut terminal = tty()?;
        terminal.write_all(sequence.as_bytes())?;
        terminal.flush()
    };
    text.len() <= BYTES_MAX && send().is_ok()
}
