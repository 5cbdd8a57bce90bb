//! `skc mcp config`: registers the server with a client, in the client's own configuration file.

mod files;
mod json;
mod removal;
mod servers;
pub mod table;
mod toml;

use crate::clients::files::{file_of, marked};
use crate::clients::removal::Removal;
pub use crate::clients::servers::FileClientConfigs;
use crate::clients::table::{CLIENTS, Client, ConfigValue, SERVER, Syntax, client, entry};
use crate::print::Printer;
use crate::tool_set;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde::Serialize;
use skillc_domain::fault::Fault;
use skillc_domain::limits::CLIENT_CONFIG_BYTES_MAX;
use skillc_ops::render::{Render, View, line};
use skillc_ops::{Answer, App, Failure};
use skillc_ports::{ErrorKind, PortError, WriteOptions};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLES: &str = "Examples:
  skc mcp config claude-code
  skc mcp config cursor --write
  skc mcp config vscode --write --project
  skc mcp config codex --remove";

/// The subcommand `mcp config`.
pub fn command() -> Command {
    let flag = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
    };
    Command::new("config")
        .about("Register the server with a client: print the configuration it needs, write it, or remove it")
        .after_help(EXAMPLES)
        .arg(
            Arg::new("client")
                .required(true)
                .value_name("CLIENT")
                .value_parser(PossibleValuesParser::new(CLIENTS.iter().map(|client| client.id)))
                .help("The client"),
        )
        .arg(tool_set::arg("read"))
        .arg(
            flag("write", "Write it to the client's file; the rest of the file stays as it is")
                .conflicts_with("remove"),
        )
        .arg(flag("remove", "Remove it from the client's file"))
        .arg(flag("project", "Use the file of this project instead of the user's own"))
        .arg(flag(
            "follow",
            "Write through a link that leads out of the project, if you own the link and the file",
        ))
}

/// The change that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum ConfigChange {
    /// None: the snippet is only shown.
    Shown,
    /// The entry was added or updated.
    Written,
    /// The entry was there already.
    Unchanged,
    /// The entry was removed.
    Removed,
    /// The file held nothing but the entry, and was removed.
    FileRemoved,
    /// There was no entry to remove.
    Absent,
}

/// The reply of the command.
#[derive(Debug, Serialize)]
struct Reply {
    client: &'static str,
    file: PathBuf,
    done: ConfigChange,
    snippet: String,
}

/// Runs the command.
pub fn run(app: &App, matches: &ArgMatches, printer: &Printer) -> ExitCode {
    match configure(app, matches) {
        Ok(reply) => printer.answer(&Answer {
            reply: Some(Box::new(reply)),
            failures: Vec::new(),
            warnings: Vec::new(),
        }),
        Err(failure) => {
            printer.answer(&Answer { reply: None, failures: vec![failure], warnings: Vec::new() })
        }
    }
}

fn configure(app: &App, matches: &ArgMatches) -> Result<Reply, Failure> {
    let id = matches.get_one::<String>("client").map(String::as_str).unwrap_or_default();
    let client = client(id).ok_or_else(|| Fault::invalid_option(format!("unknown client '{id}'")))?;
    let file = file(app, client, matches.get_flag("project"))?;
    let command = program(matches.get_flag("project"))?;
    let entry = entry(client.shape, &command, &["mcp", "--tools", tool_set::name(matches)]);
    let done = match (matches.get_flag("write"), matches.get_flag("remove")) {
        (true, _) => write(&ClientFile::of(app, client, &file, matches), &entry)?,
        (_, true) => remove(&ClientFile::of(app, client, &file, matches))?,
        _ => ConfigChange::Shown,
    };
    Ok(Reply { client: client.id, file, done, snippet: fresh(client, &entry) })
}

/// The client's file.
fn file(app: &App, client: &Client, is_project: bool) -> Result<PathBuf, Fault> {
    file_of(&app.call.places, &app.call.environment.agent_vars, client, is_project).ok_or_else(|| {
        Fault::invalid_option(format!(
            "--project is not supported for '{}', which has no project file",
            client.id
        ))
    })
}

/// The command that starts this program: its path, since a client may have another PATH. In the file of a project,
/// which other machines share, its name if PATH leads to this very file.
fn program(is_project: bool) -> Result<String, Fault> {
    let unknown = |message: String| Fault::Internal { message };
    let own = std::env::current_exe().and_then(fs::canonicalize);
    let own = own.map_err(|error| unknown(format!("cannot find the path of this program: {error}")))?;
    let name = format!("skc{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let first = std::env::split_paths(&path).map(|folder| folder.join(&name)).find(|file| file.is_file());
    if is_project && first.and_then(|first| fs::canonicalize(first).ok()).is_some_and(|first| first == own) {
        return Ok("skc".to_owned());
    }
    let path = own.to_str().map(str::to_owned);
    path.ok_or_else(|| unknown(format!("the path of this program is not UTF-8: '{}'", own.display())))
}

fn fresh(client: &Client, entry: &[(&str, ConfigValue)]) -> String {
    match client.syntax {
        Syntax::Json { .. } => json::fresh(&keys(client.servers), entry),
        Syntax::Toml => toml::fresh(client.servers[0], SERVER, entry),
    }
}

fn keys<'a>(servers: &[&'a str]) -> Vec<&'a str> {
    servers.iter().copied().chain([SERVER]).collect()
}

/// A client's configuration file, and the rules for writing it.
struct ClientFile<'a> {
    app: &'a App,
    client: &'a Client,
    path: &'a Path,
    /// The project, for a project-level file: links must not lead out of it.
    root: Option<&'a Path>,
    follows: bool,
}

impl<'a> ClientFile<'a> {
    fn of(app: &'a App, client: &'a Client, path: &'a Path, matches: &ArgMatches) -> Self {
        let is_project = matches.get_flag("project");
        let root = app.call.places.project.as_deref().unwrap_or(&app.call.places.cwd);
        let follows = !is_project || matches.get_flag("follow");
        Self { app, client, path, root: is_project.then_some(root), follows }
    }

    /// Replaces the content that was read, or creates the file.
    fn save(&self, old: Option<&str>, text: &str) -> Result<(), Failure> {
        let is_as_read = |now: &[u8]| Some(now) == old.map(str::as_bytes);
        let writing = WriteOptions { root: self.root, follows: self.follows, may_replace: &is_as_read };
        let done = self.app.ports.named.write(self.path, text.as_bytes(), &writing);
        done.map_err(|error| because(self.path, error))
    }

    /// Creates the parent folders of the file.
    fn make_folder(&self) -> Result<(), Failure> {
        let folder = self.path.parent().unwrap_or(self.path);
        let made = match self.root {
            Some(_) => self.app.ports.stores.create_folder(folder),
            None => self
                .app
                .ports
                .stores
                .users_path(folder)
                .and_then(|real| self.app.ports.stores.create_folder(&real)),
        };
        made.map_err(|error| because(self.path, error))
    }
}

fn write(file: &ClientFile<'_>, entry: &[(&str, ConfigValue)]) -> Result<ConfigChange, Failure> {
    let refused = |message: String| refused(file.path, message);
    let Some(old) = read(file.app, file.path)? else {
        file.make_folder()?;
        file.save(None, &fresh(file.client, entry))?;
        return Ok(ConfigChange::Written);
    };
    let (mark, text) = marked(&old);
    let Some(new) = put(file.client, text, entry).map_err(refused)? else {
        return Ok(ConfigChange::Unchanged);
    };
    // The result is parsed again, so that no file is written that the client cannot read.
    put(file.client, &new, entry).map_err(refused)?;
    file.save(Some(&old), &format!("{mark}{new}"))?;
    Ok(ConfigChange::Written)
}

fn remove(file: &ClientFile<'_>) -> Result<ConfigChange, Failure> {
    let refused = |message: String| refused(file.path, message);
    let Some(old) = read(file.app, file.path)? else { return Ok(ConfigChange::Absent) };
    let (mark, text) = marked(&old);
    match take(file.client, text).map_err(refused)? {
        Removal::Absent => Ok(ConfigChange::Absent),
        Removal::Text(new) => {
            take(file.client, &new).map_err(refused)?;
            file.save(Some(&old), &format!("{mark}{new}"))?;
            Ok(ConfigChange::Removed)
        }
        // A link and its target belong to the user and stay.
        Removal::All if !mark.is_empty() || is_link(file.path) => {
            let empty = if file.client.syntax == Syntax::Toml { "" } else { "{}\n" };
            file.save(Some(&old), &format!("{mark}{empty}"))?;
            Ok(ConfigChange::Removed)
        }
        Removal::All => {
            let is_as_read = |now: &[u8]| now == old.as_bytes();
            let writing = WriteOptions { root: file.root, follows: file.follows, may_replace: &is_as_read };
            let removed = file.app.ports.named.remove(file.path, &writing);
            removed.map_err(|error| because(file.path, error))?;
            Ok(ConfigChange::FileRemoved)
        }
    }
}

/// The text with the entry; `None` if it is unchanged.
fn put(client: &Client, text: &str, entry: &[(&str, ConfigValue)]) -> Result<Option<String>, String> {
    match client.syntax {
        Syntax::Json { comments, trailing_commas } => {
            let file = json::JsonConfig::parse(text, json::Dialect { comments, trailing_commas })?;
            file.put(&keys(servers(client, &file)), entry)
        }
        Syntax::Toml => toml::TomlConfig::parse(text)?.put(client.servers[0], SERVER, entry),
    }
}

fn take(client: &Client, text: &str) -> Result<Removal, String> {
    match client.syntax {
        Syntax::Json { comments, trailing_commas } => {
            let file = json::JsonConfig::parse(text, json::Dialect { comments, trailing_commas })?;
            file.remove(&keys(servers(client, &file)))
        }
        Syntax::Toml => toml::TomlConfig::parse(text)?.remove(client.servers[0], SERVER),
    }
}

fn servers(client: &Client, file: &json::JsonConfig<'_>) -> &'static [&'static str] {
    client.servers_else.filter(|keys| file.has(keys)).unwrap_or(client.servers)
}

/// The text of the file; `None` if it does not exist.
fn read(app: &App, path: &Path) -> Result<Option<String>, Failure> {
    match app.ports.named.read(path, CLIENT_CONFIG_BYTES_MAX) {
        Ok(bytes) => {
            let text = String::from_utf8(bytes);
            text.map(Some).map_err(|_| refused(path, "it is not UTF-8".to_owned()).into())
        }
        Err(error) if error.kind == ErrorKind::NotFound && is_link(path) => {
            Err(Failure::because(refused(path, "the link is broken".to_owned()), error))
        }
        Err(error) if error.kind == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(because(path, error)),
    }
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink())
}

fn refused(path: &Path, message: String) -> Fault {
    Fault::ClientConfig { path: path.to_owned(), message }
}

fn because(path: &Path, error: PortError) -> Failure {
    if error.kind == ErrorKind::Linked {
        return error.into();
    }
    Failure::because(refused(path, error.reason().to_owned()), error)
}

impl Render for Reply {
    fn is_content(&self) -> bool {
        self.done == ConfigChange::Shown
    }

    fn render(&self, view: &View, out: &mut Vec<u8>) {
        let file = view.path(&self.file);
        match self.done {
            ConfigChange::Shown => out.extend_from_slice(self.snippet.as_bytes()),
            ConfigChange::Written => line(out, format!("{SERVER} was added to {file}")),
            ConfigChange::Unchanged => line(out, format!("{SERVER} is already in {file}")),
            ConfigChange::Removed => line(out, format!("{SERVER} was removed from {file}")),
            ConfigChange::FileRemoved => {
                line(out, format!("{SERVER} was removed with {file}, which had no other content"))
            }
            ConfigChange::Absent => line(out, format!("{SERVER} is not in {file}")),
        }
    }

    fn diagnostics(&self, view: &View, out: &mut Vec<u8>) {
        if self.done == ConfigChange::Shown {
            let file = view.path(&self.file);
            line(out, format!("Add this to {file}, or run the command again with --write"));
        }
    }
}
