//! Replies in parts: the arguments that request a part, the line after a cut, and the cursor for the next part.

use crate::app::App;
use crate::context::Caller;
use crate::render::{View, line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::Fault;
use skillc_domain::limits::AGENT_TEXT_BYTES_MAX;
use skillc_domain::text::excerpt::Bounds;
use skillc_domain::text::lines::is_ended;
use std::path::Path;

// Without a doc comment: clap and schemars would use it for the whole request.
#[allow(missing_docs)]
#[derive(Debug, Default, clap::Args, Serialize, Deserialize, JsonSchema)]
pub struct Paging {
    /// Maximum number of lines.
    #[arg(long, value_name = "N")]
    #[schemars(range(min = 1))]
    pub max_lines: Option<u32>,
    /// Maximum number of bytes of text, cut at the end of a line.
    #[arg(long, value_name = "N")]
    #[schemars(range(min = 1))]
    pub max_bytes: Option<u32>,
    /// The next_cursor of an earlier answer: continue where it ended.
    #[arg(long, value_name = "CURSOR")]
    pub cursor: Option<String>,
}

impl Paging {
    /// The requested bounds.
    ///
    /// # Errors
    /// E100 for 0.
    pub fn bounds(&self, app: &App) -> Result<Bounds, Fault> {
        bounds(app, self.max_lines, self.max_bytes)
    }
}

/// The requested bounds. An agent that sets no byte limit gets a default one: every byte costs context, and unlike
/// terminal output it cannot be removed later.
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

/// The end of a cut text: empty, or a line with the number of lines cut (RFC-0002:C-SHOW).
pub fn cut_line(text: &[u8], lines_cut: u32) -> String {
    let is_open = !text.is_empty() && !is_ended(text);
    match lines_cut {
        0 => String::new(),
        count => format!("{}... ({count} more lines)\n", if is_open { "\n" } else { "" }),
    }
}

/// Prints the base directory of the skill, and the cursor that continues the reply, on stderr.
pub fn print_dir_and_next_cursor(view: &View, dir: &Path, next_cursor: Option<&str>, out: &mut Vec<u8>) {
    line(out, format!("base directory: {}", view.path(dir)));
    print_next_cursor(view, next_cursor, out);
}

/// Prints the cursor that continues the reply, on stderr.
pub fn print_next_cursor(view: &View, next_cursor: Option<&str>, out: &mut Vec<u8>) {
    if let Some(cursor) = next_cursor {
        line(out, format!("continue with {} {cursor}", view.reader.argument("cursor")));
    }
}
