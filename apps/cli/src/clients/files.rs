//! Locates the files of clients, and handles how they begin.

use super::table::{Client, UserFile};
use skillc_domain::agents::expand;
use skillc_domain::places::Places;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Some programs write it at the start of UTF-8 files.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The client's file: the user's, or the project's, at its root or in the working directory; `None` if the client has
/// no file in projects.
pub fn file_of(
    places: &Places,
    variables: &BTreeMap<String, String>,
    client: &Client,
    is_project: bool,
) -> Option<PathBuf> {
    let file = if is_project {
        places.project.as_deref().unwrap_or(&places.cwd).join(client.project?)
    } else {
        let var = |name: &str| variables.get(name).cloned();
        // Each variable in a client's template has a fallback.
        let found = expand(here(&client.user), &places.home.to_string_lossy(), &var).unwrap_or_default();
        places.cwd.join(found)
    };
    let other = client.extension_else.map(|extension| file.with_extension(extension));
    Some(match other {
        Some(other) if !file.exists() && other.exists() => other,
        _ => file,
    })
}

fn here(file: &UserFile) -> &'static str {
    if cfg!(windows) {
        file.windows
    } else if cfg!(target_os = "macos") {
        file.macos
    } else {
        file.linux
    }
}

/// Splits a text after its byte order mark, if it has one.
pub fn marked(text: &str) -> (&str, &str) {
    text.split_at(if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 })
}
