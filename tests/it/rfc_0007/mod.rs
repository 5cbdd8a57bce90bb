//! RFC-0007: what all commands share, and `list`, `try` and `explain`.

mod commands;
mod completions;
mod explain;
mod files;
mod help;
mod in_place;
mod list;
mod logging;
mod man;
mod output;
mod remove;
mod rename;
mod resolution;
mod shipped;
mod sync;
pub mod terminal;
mod tour;
mod widths;

use crate::site::{Run, Site, finish, program};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A user id to which file permissions apply, unlike root.
const NOBODY: u32 = 65_534;

/// Removes a permission from a path and runs the program as a user to whom that applies, even if the tests run as
/// root.
fn without_permission(site: &Site, path: &Path, mode: u32, args: &[&str]) -> Run {
    let is_root = tempfile::tempfile().unwrap().metadata().unwrap().uid() == 0;
    let before = fs::metadata(path).unwrap().permissions();
    let copy = site.root().join("skc");
    // Copied by another process, because a file that this process had open for writing could not be executed.
    assert!(Command::new("cp").arg(program()).arg(&copy).status().unwrap().success());
    if is_root {
        everything_below(&site.root())
            .iter()
            .for_each(|path| chown(path, Some(NOBODY), Some(NOBODY)).unwrap());
    }
    fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    let prepared = site.command(args);
    let mut command = Command::new(copy);
    command.args(prepared.get_args()).current_dir(site.project()).env_clear();
    command.envs(prepared.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if is_root {
        command.uid(NOBODY).gid(NOBODY);
    }
    let run = finish(command);
    fs::set_permissions(path, before).unwrap();
    run
}

fn everything_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    let mut at = 0;
    while at < found.len() {
        if fs::symlink_metadata(&found[at]).unwrap().is_dir() {
            found.extend(fs::read_dir(&found[at]).unwrap().map(|entry| entry.unwrap().path()));
        }
        at += 1;
    }
    found.retain(|path| !path.is_symlink());
    found
}
