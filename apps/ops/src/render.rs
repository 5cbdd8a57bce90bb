//! Rendering of replies as text.

use crate::app::App;
use crate::harmless::content;
pub use crate::harmless::plain;
use clap::builder::styling::{AnsiColor, Style};
use skillc_domain::places::relative;
use skillc_domain::reader::Reader;
pub use skillc_domain::text::counted::counted;
use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The properties of the output.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// Whether the stream supports color.
    pub has_color: bool,
    /// Whether a person sees the output on a terminal, which untrusted text must not control.
    pub is_terminal: bool,
    /// Whether `-v` was given.
    pub is_verbose: bool,
    /// Width of the terminal in columns; `None` for a pipe or file, where nothing is cut.
    pub width: Option<usize>,
    /// The home folder, shown as `~` at the start of a path.
    pub home: PathBuf,
    /// The working directory, which is omitted at the start of a path.
    pub cwd: PathBuf,
    /// The project. Paths inside it are shown relative to the working directory.
    pub project: Option<PathBuf>,
    /// Who reads the output.
    pub reader: Reader,
}

/// A reply that can be rendered as text.
pub trait Render {
    /// Appends the text to `out`; it ends with a line break, unless it is empty or the raw content of a file.
    fn render(&self, view: &View, out: &mut Vec<u8>);

    /// The whole text.
    fn text(&self, view: &View) -> Vec<u8> {
        let mut out = Vec::new();
        self.render(view, &mut out);
        out
    }

    /// Appends the text for an agent; by default the text for people.
    fn tool_text(&self, view: &View, out: &mut Vec<u8>) {
        self.render(view, out);
    }

    /// The field of the JSON form with the same text, which is then sent to an agent only once.
    fn text_field(&self) -> Option<&'static str> {
        None
    }

    /// Appends additional text for stderr, such as findings.
    fn diagnostics(&self, _view: &View, _out: &mut Vec<u8>) {}

    /// Whether the text is the content of files or skills, whose lines are not wrapped.
    fn is_content(&self) -> bool {
        false
    }

    /// Reverts what the call recorded about its caller, who disconnected before receiving the reply.
    fn not_delivered(&self, _app: &App) {}

    /// Whether the exit status is 1 although the call returned a reply.
    fn has_failed(&self) -> bool {
        false
    }

    /// The reply in a format other than text and JSON; `None` if it does not support the format.
    fn formatted(&self, _format: &str) -> Option<Vec<u8>> {
        None
    }
}

impl View {
    fn styled(&self, style: Style, text: impl Display) -> String {
        if self.has_color { format!("{style}{text}{style:#}") } else { text.to_string() }
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

    /// A short path: relative inside the working directory and the project, with `~` inside the home folder.
    pub fn path(&self, path: &Path) -> String {
        match path.strip_prefix(&self.home) {
            Ok(below) if self.relative(path).is_none() && !self.home.as_os_str().is_empty() => {
                plain(&format!("~/{}", below.to_string_lossy()))
            }
            _ => self.openable_path(path),
        }
    }

    /// A path that terminals and editors can open from the working directory: relative as in [`Self::path`],
    /// otherwise absolute.
    pub fn openable_path(&self, path: &Path) -> String {
        plain(&self.relative(path).as_deref().unwrap_or(path).to_string_lossy())
    }

    fn relative(&self, path: &Path) -> Option<PathBuf> {
        let is_with_cwd = |project: &PathBuf| path.starts_with(project) && self.cwd.starts_with(project);
        let below = path.strip_prefix(&self.cwd).ok().map(Path::to_owned);
        let in_project = || self.project.as_ref().is_some_and(is_with_cwd).then(|| relative(&self.cwd, path));
        below.or_else(in_project).filter(|path| !path.as_os_str().is_empty())
    }

    /// Appends the content of a file: its raw bytes, except on a terminal.
    pub fn content(&self, bytes: &[u8], out: &mut Vec<u8>) {
        match self.is_terminal {
            true => out.extend_from_slice(&content(bytes)),
            false => out.extend_from_slice(bytes),
        }
    }
}

/// Appends a line.
pub fn line(out: &mut Vec<u8>, text: impl Display) {
    // A write to memory does not fail.
    let _ = writeln!(out, "{text}");
}

/// A description on one line, truncated.
pub fn summary(text: &str) -> String {
    let mut joined = String::with_capacity(text.len().min(4 * SUMMARY_CHARS));
    for word in text.split_whitespace() {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
        // A byte more than the characters could take; the rest is not shown.
        if joined.len() > 4 * SUMMARY_CHARS {
            break;
        }
    }
    match joined.char_indices().nth(SUMMARY_CHARS) {
        Some((at, _)) => format!("{}…", joined[..at].trim_end()),
        None => joined,
    }
}

/// Number of characters of a description that a list shows.
const SUMMARY_CHARS: usize = 160;

/// Rows under a header, in columns separated by two spaces; the last column is not padded. On a terminal the widest
/// columns are narrowed until rows fit: cells are cut, and the last one wraps.
pub fn table(view: &View, heads: &[&str], rows: &[Vec<String>]) -> String {
    rows_text(view, heads, rows, wrap)
}

/// Like [`table`], with each row on one line: the last cell is cut too.
pub fn table_of_lines(view: &View, heads: &[&str], rows: &[Vec<String>]) -> String {
    rows_text(view, heads, rows, |cell, width| vec![cut(cell, width)])
}

fn rows_text(
    view: &View,
    heads: &[&str],
    rows: &[Vec<String>],
    fit_last: fn(&str, usize) -> Vec<String>,
) -> String {
    let natural = |at: usize| {
        rows.iter().map(|row| shown_width(&row[at])).chain([heads[at].len()]).max().unwrap_or_default()
    };
    let widths = fitting((0..heads.len()).map(natural).collect(), view.width);
    let heads: Vec<String> = heads.iter().map(ToString::to_string).collect();
    let mut lines = vec![view.strong(row_text(&heads, &widths, fit_last))];
    lines.extend(rows.iter().map(|row| row_text(row, &widths, fit_last)));
    lines.join("\n")
}

/// Number of spaces between columns.
const COLUMN_GAP: usize = 2;
/// Maximum width to which cells are padded. In a pipe, where cells are not cut, a longer cell shifts only the rest of
/// its own line.
const PADDED_WIDTH_MAX: usize = 1_000;
/// Minimum width of a narrowed column.
const COLUMN_WIDTH_MIN: usize = 8;

/// Narrows the widest columns, one character at a time, until the row fits. The first column, which identifies a row,
/// is narrowed last.
fn fitting(mut widths: Vec<usize>, terminal: Option<usize>) -> Vec<usize> {
    let Some(available) = terminal else { return widths };
    let gaps = COLUMN_GAP * widths.len().saturating_sub(1);
    let is_wide = |width: &&mut usize| **width > COLUMN_WIDTH_MIN;
    while widths.iter().sum::<usize>() + gaps > available {
        let widest = widths.iter_mut().skip(1).rev().max_by_key(|width| **width).filter(is_wide);
        match widest {
            Some(widest) => *widest -= 1,
            None => match widths.first_mut().filter(is_wide) {
                Some(first) => *first -= 1,
                None => break,
            },
        }
    }
    widths
}

fn row_text(cells: &[String], widths: &[usize], fit_last: fn(&str, usize) -> Vec<String>) -> String {
    let last = widths.len() - 1;
    let mut text = String::new();
    for (cell, width) in cells.iter().zip(widths).take(last) {
        let shown = cut(cell, *width);
        // One extremely long cell must not make all lines that long.
        let padding = (*width).min(PADDED_WIDTH_MAX).saturating_sub(shown_width(&shown));
        text += &shown;
        text += &" ".repeat(padding + COLUMN_GAP);
    }
    if shown_width(&cells[last]) > widths[last] {
        let indent = widths[..last].iter().map(|width| width.min(&PADDED_WIDTH_MAX) + COLUMN_GAP).sum();
        let below = format!("\n{}", " ".repeat(indent));
        text += &fit_last(&cells[last], widths[last]).join(&below);
    } else {
        text += &cells[last];
    }
    text.truncate(text.trim_end().len());
    text
}

/// A text cut to a width. A longer text loses its end and its colors, and gets `…`.
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

/// Breaks a text into lines of at most `width` columns, at spaces and next to double-width characters, which are
/// written without spaces. A longer word is cut.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    broken(text, width).iter().map(|line| cut(line, width.max(1))).collect()
}

/// Like [`wrap`], but keeps longer words whole, on lines of their own.
fn broken(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let mut gap = " ";
        for part in parts(word) {
            match lines.last_mut() {
                Some(line) if line.is_empty() => line.push_str(part),
                Some(line) if shown_width(line) + gap.len() + shown_width(part) <= width => {
                    line.push_str(gap);
                    line.push_str(part);
                }
                _ => lines.push(part.to_owned()),
            }
            gap = "";
        }
    }
    lines
}

/// The parts of a word between which a line may be broken: each double-width character, with the punctuation after
/// it, is one.
fn parts(word: &str) -> Vec<&str> {
    let is_wide = |c: char| c.width() == Some(2);
    let mut parts = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, c) in word.char_indices() {
        let may_break = is_wide(c) || before.is_some_and(is_wide);
        if at > start && may_break && !"、。，．・！？：；）」』】》".contains(c) {
            parts.push(&word[start..at]);
            start = at;
        }
        before = Some(c);
    }
    parts.push(&word[start..]);
    parts
}

/// Breaks the lines of a text at spaces to fit `width` columns; the rest of a line is indented like its beginning.
/// Words are never cut, so that paths can still be opened.
pub fn fit(text: &[u8], width: usize) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(text) else { return text.to_vec() };
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for line in text.split_inclusive('\n') {
        let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
        match shown_width(body) > width && !is_row(body) {
            true => out.push_str(&fit_line(body, width)),
            false => out.push_str(body),
        }
        out.push_str(end);
    }
    out.into_bytes()
}

/// Whether a line is a table row with many columns, which wrapping would destroy.
fn is_row(line: &str) -> bool {
    line.trim_start().split("  ").filter(|cell| !cell.trim().is_empty()).count() > 3
}

fn fit_line(line: &str, width: usize) -> String {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let label = label_end(line).filter(|end| *end <= width / 3);
    let hang = label.unwrap_or(indent + 2);
    let (first, rest) = match label {
        Some(end) => split_at_column(line, end),
        None => line.split_at(indent),
    };
    let below = format!("\n{}", " ".repeat(hang));
    // A first line with less indentation has room for slightly more; it is wrapped like the others.
    format!("{first}{}", broken(rest, width.saturating_sub(hang)).join(&below))
}

/// The column at which the text after a label begins: after its first gap of two spaces, or after `=`.
fn label_end(line: &str) -> Option<usize> {
    let shown: String = visible(line).collect();
    let indent = shown.len() - shown.trim_start_matches(' ').len();
    let body = &shown[indent..];
    if body.starts_with("= ") {
        return Some(indent + 2);
    }
    let gap = body.find("  ")?;
    let after = body[gap..].len() - body[gap..].trim_start_matches(' ').len();
    Some(shown[..indent + gap].width() + after)
}

/// Splits a line before a column, keeping color codes: the text in the columns before it, and the rest.
fn split_at_column(line: &str, column: usize) -> (&str, &str) {
    let end = line.char_indices().map(|(at, _)| at).find(|at| shown_width(&line[..*at]) >= column);
    line.split_at(end.unwrap_or(line.len()))
}

/// The width of a text in columns, ignoring color codes.
fn shown_width(text: &str) -> usize {
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return text.len();
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_with_and_without_color() {
        let view = View { has_color: true, ..View::default() };
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
        let by_name = [vec!["the-name-of-a-skill".to_owned(), "a description that is long".into()]];
        let narrow = table(&View { width: Some(32), ..View::default() }, &["SKILL", "WHAT"], &by_name);
        assert!(narrow.contains("\nthe-name-of-a-skill  "), "{narrow}");
        assert!(table(&View::default(), &["A", "B", "C"], &rows).ends_with("words that wrap at blanks"));
    }

    #[test]
    fn a_wide_character_takes_two_columns() {
        assert_eq!(cut("技能技能", 5), "技能…");
        assert_eq!(wrap("a bb ccc", 4), ["a bb", "ccc"]);
        assert_eq!(wrap("使用技能。 ok", 6), ["使用技", "能。", "ok"]);
    }

    /// RFC-0007:C-OUTPUT
    #[test]
    fn a_long_line_goes_on_below_its_own_text() {
        let fitted = |text: &str, width| String::from_utf8(fit(text.as_bytes(), width)).unwrap();
        assert_eq!(fitted("short\n", 10), "short\n");
        assert_eq!(fitted("  one two three four\n", 12), "  one two\n    three\n    four\n");
        assert_eq!(fitted("Key    one two three four five", 24), "Key    one two three\n       four five");
        assert_eq!(fitted("   = hint: do this now", 18), "   = hint: do this\n     now");
        assert_eq!(fitted("a  1  2  3  4", 8), "a  1  2  3  4");
        assert_eq!(fitted("see a/path/that/is/long now", 10), "see\n  a/path/that/is/long\n  now");
        assert_eq!(fitted("\u{1b}[1mone two\u{1b}[0m three", 9), "\u{1b}[1mone two\u{1b}[0m\n  three");
    }

    /// RFC-0007:C-OUTPUT
    #[test]
    fn a_path_in_the_project_is_relative_to_the_working_directory() {
        let view = View {
            home: "/h".into(),
            cwd: "/h/p/src".into(),
            project: Some("/h/p".into()),
            ..View::default()
        };
        assert_eq!(view.path(Path::new("/h/p/src/a.md")), "a.md");
        assert_eq!(view.path(Path::new("/h/p/.skillc/skills/x")), "../.skillc/skills/x");
        assert_eq!(view.path(Path::new("/h/.claude")), "~/.claude");
        assert_eq!(view.openable_path(Path::new("/h/.claude")), "/h/.claude");
    }
}
