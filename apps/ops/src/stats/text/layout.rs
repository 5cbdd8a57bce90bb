//! Headings, paths and the line after cut rows.

use super::super::words::number;
use crate::render::{View, line, plain};
use skillc_domain::limits::TEXT_COLUMNS;
use std::path::Path;

/// Minimum width of a terminal in columns that leaves room for a table.
const COLUMNS_MIN: usize = 40;
/// Maximum width in columns; wider rows are hard to follow.
const COLUMNS_MAX: usize = 120;

/// The width of lines: that of the terminal, or a usual one in a pipe.
pub fn columns_of(view: &View) -> usize {
    view.width.map_or(TEXT_COLUMNS, |width| width.clamp(COLUMNS_MIN, COLUMNS_MAX))
}

/// A path with `~` for the home folder.
pub fn from_home(path: &str, view: &View) -> String {
    let below = Path::new(path).strip_prefix(&view.home).ok();
    match below.filter(|_| !view.home.as_os_str().is_empty()) {
        Some(below) if below.as_os_str().is_empty() => "~".to_owned(),
        Some(below) => plain(&format!("~/{}", below.to_string_lossy())),
        None => plain(path),
    }
}

/// Adds a heading after an empty line.
pub fn put_heading(text: &str, view: &View, out: &mut Vec<u8>) {
    line(out, "");
    line(out, view.strong(format!("{text}:")));
}

/// Adds the number of rows that were omitted, if any were.
pub fn put_more(count: usize, view: &View, out: &mut Vec<u8>) {
    if count > 0 {
        line(out, view.faint(format!("  … and {} more", number(count as u64))));
    }
}
