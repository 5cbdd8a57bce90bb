//! How a reply shows itself to people.

use crate::harmless::content;
pub use crate::harmless::plain;
use clap::builder::styling::{AnsiColor, Style};
use std::fmt::Display;
use std::path::Path;

/// How people want to see it.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// Whether the stream takes colour.
    pub has_colour: bool,
    /// Whether people see it as it is printed; what a skill holds is not to move their cursor then.
    pub is_terminal: bool,
    /// Whether `-v` was given.
    pub is_verbose: bool,
    /// Shown as `~` at the beginning of a path.
    pub home: std::path::PathBuf,
    /// Left out at the beginning of a path.
    pub cwd: std::path::PathBuf,
}

/// A reply that can be shown as text.
pub trait Render {
    /// Adds the text to `out`, ending with a line break unless it is empty or a file's own bytes.
    fn render(&self, view: &View, out: &mut Vec<u8>);

    /// The text.
    fn text(&self, view: &View) -> Vec<u8> {
        let mut out = Vec::new();
        self.render(view, &mut out);
        out
    }

    /// Adds what belongs on stderr beside the text, such as findings.
    fn diagnostics(&self, _view: &View, _out: &mut Vec<u8>) {}

    /// Whether the exit status is 1 although there is a reply.
    fn has_failed(&self) -> bool {
        false
    }

    /// The reply in a format beyond text and JSON; `None` where there is no such.
    fn formatted(&self, _format: &str) -> Option<Vec<u8>> {
        None
    }
}

impl View {
    fn styled(&self, style: Style, text: impl Display) -> String {
        if self.has_colour { format!("{style}{text}{style:#}") } else { text.to_string() }
    }

    /// Something to look at first.
    pub fn strong(&self, text: impl Display) -> String {
        self.styled(Style::new().bold(), text)
    }

    /// Something beside the point.
    pub fn faint(&self, text: impl Display) -> String {
        self.styled(Style::new().dimmed(), text)
    }

    /// What is drawn, such as a bar.
    pub fn accent(&self, text: impl Display) -> String {
        self.styled(AnsiColor::Cyan.on_default(), text)
    }

    /// Something good.
    pub fn good(&self, text: impl Display) -> String {
        self.styled(AnsiColor::Green.on_default(), text)
    }

    /// Something to be careful about.
    pub fn careful(&self, text: impl Display) -> String {
        self.styled(AnsiColor::Yellow.on_default(), text)
    }

    /// Something bad.
    pub fn bad(&self, text: impl Display) -> String {
        self.styled(AnsiColor::Red.on_default().bold(), text)
    }

    /// A path, short: relative below the working directory, with `~` below the home.
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

    /// Adds what a file holds: its own bytes, but for a terminal.
    pub fn content(&self, bytes: &[u8], out: &mut Vec<u8>) {
        match self.is_terminal {
            true => out.extend_from_slice(&content(bytes)),
            false => out.extend_from_slice(bytes),
        }
    }
}

/// Adds a line.
pub fn line(out: &mut Vec<u8>, text: impl Display) {
    out.extend_from_slice(text.to_string().as_bytes());
    out.push(b'\n');
}

/// Rows under a heading, in columns two blanks apart; the last column is not padded.
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

/// Characters that a cell takes, colour codes not counted.
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
