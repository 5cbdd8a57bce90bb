//! How replies are rendered as text.

use crate::app::App;
use crate::harmless::content;
pub use crate::harmless::plain;
use clap::builder::styling::{AnsiColor, Style};
use skillc_domain::reader::Reader;
use std::fmt::Display;
use std::path::Path;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The properties of the output.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// Whether the stream supports color.
    pub has_colour: bool,
    /// Whether a person sees the output on a terminal, where untrusted text must not send commands.
    pub is_terminal: bool,
    /// Whether `-v` was given.
    pub is_verbose: bool,
    /// Columns of the terminal; `None` for a pipe or a file, where nothing is cut.
    pub width: Option<usize>,
    /// The home folder, shown as `~` at the start of a path.
    pub home: std::path::PathBuf,
    /// The working directory, left out at the start of a path.
    pub cwd: std::path::PathBuf,
    /// Who reads the output.
    pub reader: Reader,
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
    fn tool_text(&self, view: &View, out: &mut Vec<u8>) {
        self.render(view, out);
    }

    /// The field of the JSON form that has the same text, which an agent gets once.
    fn text_field(&self) -> Option<&'static str> {
        None
    }

    /// Appends additional text for stderr, such as findings.
    fn diagnostics(&self, _view: &View, _out: &mut Vec<u8>) {}

    /// Takes back what the call recorded about its caller, who left before the reply.
    fn not_delivered(&self, _app: &App) {}

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

/// Rows under a heading, in columns separated by two spaces; the last column is not padded. On a terminal the widest
/// columns are narrowed until a row fits: cells are cut, and the last one wraps below itself.
pub fn table(view: &View, heads: &[&str], rows: &[Vec<String>]) -> String {
    let natural = |at: usize| {
        rows.iter().map(|row| shown_width(&row[at])).chain([heads[at].len()]).max().unwrap_or_default()
    };
    let widths = fitting((0..heads.len()).map(natural).collect(), view.width);
    let mut lines =
        vec![view.strong(row_text(&heads.iter().map(ToString::to_string).collect::<Vec<_>>(), &widths))];
    lines.extend(rows.iter().map(|row| row_text(row, &widths)));
    lines.join("\n")
}

/// Spaces between two columns.
const COLUMN_GAP: usize = 2;
/// Columns to which a column of a table is narrowed at most.
const COLUMN_WIDTH_MIN: usize = 8;

/// The widths with the widest columns narrowed, one character at a time, until they fit.
fn fitting(mut widths: Vec<usize>, terminal: Option<usize>) -> Vec<usize> {
    let Some(available) = terminal else { return widths };
    let gaps = COLUMN_GAP * widths.len().saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > available {
        match widths.iter_mut().rev().max_by_key(|width| **width).filter(|width| **width > COLUMN_WIDTH_MIN) {
            Some(widest) => *widest -= 1,
            None => break,
        }
    }
    widths
}

fn row_text(cells: &[String], widths: &[usize]) -> String {
    let last = widths.len() - 1;
    let mut text = String::new();
    for (cell, width) in cells.iter().zip(widths).take(last) {
        let shown = cut(cell, *width);
        text += &format!("{shown}{}", " ".repeat(width + COLUMN_GAP - shown_width(&shown)));
    }
    let indent = widths[..last].iter().map(|width| width + COLUMN_GAP).sum();
    let below = format!("\n{}", " ".repeat(indent));
    let lines = match shown_width(&cells[last]) > widths[last] {
        true => wrap(&cells[last], widths[last]),
        false => vec![cells[last].clone()],
    };
    text += &lines.join(&below);
    text.trim_end().to_owned()
}

/// A text of at most so many columns; one that is longer loses its end, and its colors, for `…`.
pub fn cut(text: &str, width: usize) -> String {
    if shown_width(text) <= width {
        return text.to_owned();
    }
    let mut start = String::new();
    for c in visible(text) {
        if start.width() + c.width().unwrap_or_default() + 1 > width {
            break;
        }
        start.push(c);
    }
    start + "…"
}

/// The lines of a text, broken at blanks so that each has at most so many columns; a longer word is cut.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let word = cut(word, width.max(1));
        match lines.last_mut() {
            Some(line) if line.is_empty() => *line = word,
            Some(line) if shown_width(line) + 1 + shown_width(&word) <= width => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

/// The columns that a text takes in a terminal, without color codes.
fn shown_width(text: &str) -> usize {
    visible(text).filter_map(|c| c.width()).sum()
}

/// The characters of a text without color codes.
fn visible(text: &str) -> impl Iterator<Item = char> {
    let mut is_escape = false;
    text.chars().filter(move |c| match (*c, is_escape) {
        ('\u{1b}', _) => {
            is_escape = true;
            false
        }
        (c, true) => {
            is_escape = c != 'm';
            false
        }
        (_, false) => true,
    })
}

/// `1 event`, `2 events`.
pub fn counted(count: u64, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
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

    #[test]
    fn a_table_fits_the_terminal_and_is_whole_in_a_pipe() {
        let rows =
            [vec!["one".to_owned(), "long-name-of-a-column".into(), "words that wrap at blanks".into()]];
        let narrow = table(&View { width: Some(32), ..View::default() }, &["A", "B", "C"], &rows);
        assert!(narrow.lines().all(|line| line.width() <= 32), "{narrow}");
        assert!(narrow.contains("long-name-o…"), "{narrow}");
        assert!(table(&View::default(), &["A", "B", "C"], &rows).ends_with("words that wrap at blanks"));
    }

    #[test]
    fn a_wide_character_takes_two_columns() {
        assert_eq!(cut("技能技能", 5), "技能…");
        assert_eq!(wrap("a bb ccc", 4), ["a bb", "ccc"]);
    }
}
