//! What replies that come in parts share: their bounds, the line after a cut, and the word to go on with.

use crate::app::App;
use crate::context::Caller;
use crate::render::line;
use skillc_domain::fault::Fault;
use skillc_domain::limits::AGENT_TEXT_BYTES_MAX;
use skillc_domain::text::excerpt::Bounds;
use skillc_domain::text::lines::is_ended;

/// The bounds that were asked for. An agent that asks for no number of bytes gets a default one: its context pays for
/// every byte, and cannot be cut afterwards as a terminal's output can.
///
/// # Errors
/// E100 for 0.
pub fn bounds(app: &App, lines_max: Option<u32>, bytes_max: Option<u32>) -> Result<Bounds, Fault> {
    let bounds = Bounds::asked(lines_max, bytes_max)?;
    Ok(match app.call.caller {
        Caller::Agent(_) => bounds.or_bytes(AGENT_TEXT_BYTES_MAX),
        Caller::Person | Caller::Program => bounds,
    })
}

/// The end of a text: nothing, or a line with the number of lines cut (RFC-0002:C-SHOW).
pub fn cut_line(text: &[u8], lines_cut: u32) -> String {
    let is_open = !text.is_empty() && !is_ended(text);
    match lines_cut {
        0 => String::new(),
        count => format!("{}... ({count} more lines)\n", if is_open { "\n" } else { "" }),
    }
}

/// Tells beside the text how to go on.
pub fn print_next_cursor(next_cursor: Option<&str>, out: &mut Vec<u8>) {
    if let Some(cursor) = next_cursor {
        line(out, format!("continue with --cursor {cursor}"));
    }
}
