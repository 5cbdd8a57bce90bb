//! The `.gitignore` in a `.skillc` folder: builds and logs belong to one machine (RFC-0001:C-CLONE).

use crate::app::App;
use skillc_ports::WriteOptions;
use std::path::{Path, PathBuf};

const CONTENT: &[u8] = b"# Written by skc: builds and logs belong to one machine.\n/runtime/\n/logs/\n";

/// Writes the file, unless it exists or the folder is the user's own. A folder that cannot be written to goes
/// without.
pub fn ensure(app: &App, skillc_dir: &Path) {
    let path = path(skillc_dir);
    if skillc_dir == app.call.places.own || app.ports.stores.is_file(&path) {
        return;
    }
    if let Err(error) = app.ports.named.write(&path, CONTENT, &write_options(skillc_dir, &|_| false)) {
        app.call.detail(|| format!("cannot write .gitignore: {error}"));
    }
}

/// Removes the file if skc wrote it and nothing remains for it to ignore, so that the folder can be removed too.
pub fn remove_with_last_log(app: &App, skillc_dir: &Path) {
    let folders = app.ports.stores.names(skillc_dir).unwrap_or_default();
    let logs = app.ports.stores.names(&skillc_dir.join("logs")).unwrap_or_default();
    let has_config = app.ports.stores.is_file(&skillc_dir.join("config.toml"));
    if folders == ["logs"] && logs.len() < 2 && !has_config {
        let is_ours = |bytes: &[u8]| bytes == CONTENT;
        if let Err(error) = app.ports.named.remove(&path(skillc_dir), &write_options(skillc_dir, &is_ours)) {
            app.call.detail(|| format!("cannot remove .gitignore: {error}"));
        }
    }
}

fn path(skillc_dir: &Path) -> PathBuf {
    skillc_dir.join(".gitignore")
}

fn write_options<'a>(skillc_dir: &'a Path, may_replace: &'a dyn Fn(&[u8]) -> bool) -> WriteOptions<'a> {
    WriteOptions { root: skillc_dir.parent(), follows: false, may_replace }
}
