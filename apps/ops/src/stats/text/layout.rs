//! Headings, paths and the line after cut rows.

use super::super::words::number;
use crate::render::{View, line, plain};
use std::path::Path;

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

/// Adds how many rows were cut, unless none were.
pub fn put_more(count: usize, view: &View, out: &mut Vec<u8>) {
    if count > 0 {
        line(out, view.faint(format!("  … and {} more", number(count as u64))));
    }
}
