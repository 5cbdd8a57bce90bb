//! How replies are rendered as text.

use crate::harmless::content;
pub use crate::harmless::plain;
use clap::builder::styling::{AnsiColor, Style};
use std::fmt::Display;
use std::path::Path;

/// The properties of the output.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// Whether the stream supports color.
    pub has_colour: bool,
    /// Whether a person sees the output on a terminal, where untrusted text must not send commands.
    pub is_terminal: bool,
    /// Whether `-v` was given.
    pub is_verbose: bool,
    /// The home folder, shown as `~` at the start of a path.
    pub home: std::path::PathBuf,
    /// The working directory, left out at the start of a path.
    pub cwd: std::path::PathBuf,
}

/// A reply that can be rendered as text.
pub trait Render {
    /// Appends the text to `out`; it ends with a line break unless it is empty or the raw bytes of a file.
    fn render(&self, view: &View, out: &mut Vec<u8>);

    /// The whole text.
    fn text(&self, view: &View) -> Vec<u8> {
        let mut out = Vec::new();
        self.render(view, &mut out);
        out
    }

    /// Appends the text for an agent; that for people unless an agent needs less.
    fn tool_text(&self, out: &mut Vec<u8>) {
        self.render(&View::default(), out);
    }

    /// The field of the JSON form that has the same text, which an agent gets once.
    fn text_field(&self) -> Option<&'static str> {
        None
    }

    /// Appends additional text for stderr, such as findings.
    fn diagnostics(&self, _view: &View, _out: &mut Vec<u8>) {}

    /// Whether the exit status is 1 although the call returned a reply.
    fn has_failed(&self) -> bool {
        false
    }

    /// The reply in a format other than text and JSON; `None` if it has none of this name.
    fn formatted(&self, _format: &str) -> Option<Vec<u8>> {
        None
    }
}

impl View {
    fn styled(&self, style: Style, text: impl Display) -> String {
        if self.has_colour { format!("{style}{text}{style:#}") } else { text.to_string() }
    }

    /// Formats a title.
    pub fn strong(&self, text: impl Display) -> String {
        self.styled(Style::new().bold(), text)
    }

    /// Formats secondary text.
    pub fn faint(&self, text: impl Display) -> String {
        self.styled(Style::new().dimmed(), text)
    }

    /// Formats graphics, such as a bar.
    pub fn accent(&self, text: impl Display) -> String {
        self.styled(AnsiColor::Cyan.on_default(), text)
    }

    /// Formats a success.
    pub fn good(&self, text: impl Display) -> String {
        self.styled(AnsiColor::Green.on_default(), text)
    }

    /// Formats a warning.
    pub fn careful(&self, text: impl Display) -> String {
        self.styled(AnsiColor::Yellow.on_default(), text)
    }

    /// Formats an error.
    pub fn bad(&self, text: impl Display) -> String {
        self.styled(AnsiColor::Red.on_default().bold(), text)
    }

    /// A short path: relative in the working directory, with `~` in the home folder.
    pub fn path(&self, path: &Path) -> String {
        if let Ok(below) = path.strip_prefix(&self.cwd)
            && !below.as_os_str().is_empty()
        {
            return plain(&below.to_string_lossy());
        }
        match path.strip_prefix(&self.home) {
            Ok(below) if !self.home.as_os_str().is_empty() => {
                plain(&format!("~/{}", below.to_string_lossy()))
            }
            _ => plain(&path.to_string_lossy()),
        }
    }

    /// Appends the content of a file: raw bytes, except on a terminal.
    pub fn content(&self, bytes: &[u8], out: &mut Vec<u8>) {
        match self.is_terminal {
            true => out.extend_from_slice(&content(bytes)),
            false => out.extend_from_slice(bytes),
        }
    }
}

/// Appends a line.
pub fn line(out: &mut Vec<u8>, text: impl Display) {
    out.extend_from_slice(text.to_string().as_bytes());
    out.push(b'\n');
}

/// Rows under a heading, in columns separated by two spaces; the last column is not padded.
pub fn table(view: &View, heads: &[&str], rows: &[Vec<String>]) -> String {
    let width = |at: usize| {
        rows.iter().map(|row| shown_width(&row[at])).chain([heads[at].len()]).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let pad = |cell: &str, at: usize| match at + 1 == widths.len() {
        true => cell.to_owned(),
        false => format!("{cell}{}", " ".repeat(widths[at] + 2 - shown_width(cell))),
    };
    let joined = |cells: Vec<String>| cells.concat().trim_end().to_owned();
    let head = joined(heads.iter().enumerate().map(|(at, head)| pad(head, at)).collect());
    let mut lines = vec![view.strong(head)];
    lines.extend(
        rows.iter().map(|row| joined(row.iter().enumerate().map(|(at, cell)| pad(cell, at)).collect())),
    );
    lines.join("\n")
}

/// The width of a cell in characters, without color codes.
fn shown_width(cell: &str) -> usize {
    let mut is_escape = false;
    let visible = cell.chars().filter(|c| match (*c, is_escape) {
        ('\u{1b}', _) => {
            is_escape = true;
            false
        }
        (c, true) => {
            is_escape = c != 'm';
            false
        }
        (_, false) => true,
    });
    visible.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_with_and_without_colour() {
        let view = View { has_colour: true, ..View::default() };
        let text = table(&View::default(), &["A", "BB"], &[vec![view.good("xyz"), "1".into()]]);
        assert_eq!(text.lines().next(), Some("A    BB"));
        assert!(text.ends_with("  1"));
    }
}
