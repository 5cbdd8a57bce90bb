//! Edits of configuration files by commands (RFC-0010:C-ENABLE).

use crate::app::App;
use crate::failure::Failure;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::Fault;
use skillc_domain::limits::SETTINGS_BYTES_MAX;
use skillc_domain::places::SKILLC_DIR;
use skillc_ports::{ErrorKind, PortError, SettingsChange, WriteOptions};
use std::path::{Path, PathBuf};

/// The initial configuration written by `skc init`.
const NEW_SETTINGS: &[u8] = b"version = 1\n\n[index]\non_stale = \"rebuild\"\n";

/// The initial configuration written by `skc config edit`, which sets nothing.
const HEADER: &str =
    "# Settings of skc: 'skc config' shows each one with its value and its origin.\n\nversion = 1\n";

/// Whether a configuration is the user's or the project's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Whose {
    /// The user's own.
    User,
    /// The project's.
    Project,
}

/// The path of a configuration file, which may not exist.
///
/// # Errors
/// E100 for the project's configuration outside a project.
pub fn file(app: &App, whose: Whose) -> Result<PathBuf, Fault> {
    let in_base = |base: &PathBuf| base.join(SKILLC_DIR).join("config.toml");
    let found = match whose {
        Whose::User => Some(app.call.places.own.join("config.toml")),
        // The file that is actually read, which need not be in the nearest store.
        Whose::Project => app
            .call
            .environment
            .project_config
            .clone()
            .or_else(|| app.call.places.project.as_ref().map(in_base)),
    };
    found.ok_or_else(|| {
        Fault::refused_option(
            "--project needs a project, and there is none here",
            "run 'skc init' to create one, or leave out --project to set it for you",
        )
    })
}

/// Edits a configuration file, creating it if needed. Returns `false` if the change has no effect.
///
/// # Errors
/// E105 if it cannot be read, edited or written; it is then unchanged.
pub fn change(app: &App, whose: Whose, change: &SettingsChange) -> Result<bool, Failure> {
    change_at(app, whose, &file(app, whose)?, change)
}

/// Writes the configuration of a new store, unless one exists: with it, the next command that reads an edited skill
/// rebuilds its index.
///
/// # Errors
/// E018 for a link in its place, E105 if it cannot be written.
pub fn create(app: &App, whose: Whose, path: &Path) -> Result<(), Failure> {
    write_new(app, whose, path, NEW_SETTINGS)
}

/// Creates a configuration that sets nothing, and its folder, unless one exists.
///
/// # Errors
/// E018 for a link on the path that may not be followed, E105 if it cannot be written.
pub fn create_to_edit(app: &App, whose: Whose, path: &Path) -> Result<(), Failure> {
    make_folder(app, whose, path.parent().unwrap_or(path))?;
    if text(app, path)?.is_none() {
        write_new(app, whose, path, HEADER.as_bytes())?;
    }
    let writing =
        WriteOptions { root: root(whose, path), follows: whose == Whose::User, may_replace: &|_| false };
    app.ports.named.resolved(path, &writing).map(drop).map_err(|error| because(path, error))
}

fn write_new(app: &App, whose: Whose, path: &Path, text: &[u8]) -> Result<(), Failure> {
    let writing = WriteOptions { root: root(whose, path), follows: false, may_replace: &|_| false };
    match app.ports.named.write(path, text, &writing) {
        Err(error) if error.kind == ErrorKind::AlreadyExists => Ok(()),
        written => written.map_err(|error| because(path, error)),
    }
}

fn make_folder(app: &App, whose: Whose, folder: &Path) -> Result<(), Failure> {
    if whose == Whose::Project {
        app.ports.runtimes.refuse_links(folder)?;
    }
    if app.ports.stores.is_folder(folder) {
        return Ok(());
    }
    app.ports.stores.create_folder(folder).map_err(|error| because(folder, error))
}

/// Like [`change`], for the file of a project that is being created.
///
/// # Errors
/// As [`change`].
pub fn change_at(app: &App, whose: Whose, path: &Path, change: &SettingsChange) -> Result<bool, Failure> {
    let folder = path.parent().unwrap_or(path);
    if whose == Whose::Project {
        app.ports.runtimes.refuse_links(folder)?;
    }
    if !app.ports.stores.is_folder(folder) {
        if app.ports.settings_editor.changed("", change) == Ok(None) {
            return Ok(false);
        }
        app.ports.stores.create_folder(folder).map_err(|error| because(path, error))?;
    }
    // Makes other writers wait, so that no change is lost.
    let _held = app.ports.named.hold(folder);
    let old = text(app, path)?;
    let changed = app.ports.settings_editor.changed(old.as_deref().unwrap_or_default(), change);
    let Some(new) = changed.map_err(|message| unchanged(path, message))? else { return Ok(false) };
    let is_as_read = |now: &[u8]| Some(now) == old.as_deref().map(str::as_bytes);
    let writing =
        WriteOptions { root: root(whose, path), follows: whose == Whose::User, may_replace: &is_as_read };
    app.ports.named.write(path, new.as_bytes(), &writing).map_err(|error| because(path, error))?;
    Ok(true)
}

/// The names that a configuration file disables; empty if it cannot be read.
pub fn disabled(app: &App, whose: Whose) -> Vec<String> {
    let text = file(app, whose).ok().and_then(|path| text(app, &path).ok()).flatten();
    app.ports.settings_editor.disabled(&text.unwrap_or_default())
}

/// The folder that links may not leave. The configuration file of a cloned repository may be a link that leads out of
/// the project.
fn root(whose: Whose, path: &Path) -> Option<&Path> {
    path.ancestors().nth(2).filter(|_| whose == Whose::Project)
}

fn text(app: &App, path: &Path) -> Result<Option<String>, Failure> {
    match app.ports.named.read(path, SETTINGS_BYTES_MAX) {
        Ok(bytes) => {
            let text = String::from_utf8(bytes);
            text.map(Some).map_err(|_| unchanged(path, "it is not UTF-8".to_owned()).into())
        }
        Err(error) if error.kind == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(because(path, error)),
    }
}

fn unchanged(path: &Path, message: String) -> Fault {
    Fault::SettingsUnchanged { path: path.to_owned(), message }
}

fn because(path: &Path, error: PortError) -> Failure {
    if error.kind == ErrorKind::Linked {
        return error.into();
    }
    Failure::because(unchanged(path, error.reason().to_owned()), error)
}
