//! Reads which servers are started by the configuration files of clients.

use super::files::{file_of, marked};
use super::json::{Dialect, JsonConfig};
use super::table::{CLIENTS, Client, Syntax};
use super::toml::TomlConfig;
use serde_json::Value;
use skillc_domain::limits::CLIENT_CONFIG_BYTES_MAX;
use skillc_domain::places::Places;
use skillc_ports::{
    ClientConfig, ClientConfigs, ClientServer, ErrorKind, NamedFiles, PortError, WriteOptions,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The key under which Claude Code stores the servers of individual projects, in the user's file.
const PROJECTS: &str = "projects";

/// The files of user and project, as `skc mcp config` finds them.
pub struct FileClientConfigs {
    /// Home, working directory and project.
    pub places: Places,
    /// Variables by which clients move their files.
    pub variables: BTreeMap<String, String>,
    /// Reads the files.
    pub named: Arc<dyn NamedFiles>,
}

impl ClientConfigs for FileClientConfigs {
    fn read(&self) -> Vec<ClientConfig> {
        let of_client = |client: &'static Client| {
            let files = [false, true].into_iter().filter_map(move |is_project| {
                let file = file_of(&self.places, &self.variables, client, is_project)?;
                self.config(client, file, is_project)
            });
            files.collect::<Vec<_>>()
        };
        CLIENTS.iter().flat_map(of_client).collect()
    }
}

impl FileClientConfigs {
    /// The servers in a file; `None` if it does not exist.
    fn config(&self, client: &'static Client, file: PathBuf, is_project: bool) -> Option<ClientConfig> {
        let places = &self.places;
        let project = places.project.as_deref().unwrap_or(&places.cwd);
        let text = match self.text(&file, is_project.then_some(project)) {
            Ok(bytes) => String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned()),
            Err(error) if error.kind == ErrorKind::NotFound => return None,
            Err(error) => Err(error.reason().to_owned()),
        };
        let folder = if is_project { project } else { &places.home };
        let servers = text.and_then(|text| servers(client, marked(&text).1, folder));
        Some(ClientConfig { client: client.id, file, servers })
    }

    /// The bytes of a file. A project's file may be a link from a clone, which is not followed out of the project.
    fn text(&self, file: &Path, project: Option<&Path>) -> Result<Vec<u8>, PortError> {
        let within = WriteOptions { root: project, follows: false, may_replace: &|_| false };
        let file = match project {
            Some(_) => &self.named.resolved(file, &within)?,
            None => file,
        };
        self.named.read(file, CLIENT_CONFIG_BYTES_MAX)
    }
}

/// The servers that a text starts.
fn servers(client: &Client, text: &str, folder: &Path) -> Result<Vec<ClientServer>, String> {
    let root = match client.syntax {
        Syntax::Json { .. } if text.trim().is_empty() => return Ok(Vec::new()),
        Syntax::Json { comments, trailing_commas } => {
            JsonConfig::parse(text, Dialect { comments, trailing_commas })?.value()
        }
        Syntax::Toml => TomlConfig::parse(text)?.value(),
    };
    let at = |keys: &[&str], from: &Value| -> Option<Value> {
        keys.iter().try_fold(from.clone(), |value, key| value.get(key).cloned())
    };
    let other = client.servers_else.and_then(|keys| at(keys, &root)).filter(Value::is_object);
    let mut found = listed(other.or_else(|| at(client.servers, &root)), folder);
    for (project, settings) in root.get(PROJECTS).and_then(Value::as_object).into_iter().flatten() {
        found.extend(listed(at(client.servers, settings), Path::new(project)));
    }
    Ok(found)
}

fn listed(servers: Option<Value>, folder: &Path) -> Vec<ClientServer> {
    let Some(Value::Object(servers)) = servers else { return Vec::new() };
    servers.iter().filter_map(|(name, entry)| server(name, entry, folder)).collect()
}

/// A server that a client starts; `None` for one that is disabled or reached over the network.
fn server(name: &str, entry: &Value, folder: &Path) -> Option<ClientServer> {
    let is_off = entry["disabled"] == true || entry["enabled"] == false;
    let command = match &entry["command"] {
        Value::Array(words) => words.first()?.as_str()?,
        command => command.as_str()?,
    };
    let has_own_path = ["env", "environment"].iter().any(|key| entry[key].get("PATH").is_some());
    let folder = entry["cwd"].as_str().map_or_else(|| folder.to_owned(), |cwd| folder.join(cwd));
    let server = ClientServer { name: name.to_owned(), command: command.to_owned(), folder, has_own_path };
    (!is_off && !command.is_empty()).then_some(server)
}

#[cfg(test)]
mod tests {
    use super::super::table::client;
    use super::*;

    fn commands(id: &str, text: &str) -> Vec<(String, String)> {
        let found = servers(client(id).unwrap(), text, Path::new("/p")).unwrap();
        found.into_iter().map(|server| (server.name, server.command)).collect()
    }

    fn pair(name: &str, command: &str) -> (String, String) {
        (name.to_owned(), command.to_owned())
    }

    /// RFC-0016:C-DOCTOR
    #[test]
    fn the_servers_of_each_form_of_file_are_read() {
        let claude = r#"{"mcpServers": {"a": {"command": "/x/skc", "args": ["mcp"]}, "web": {"url": "https://x"}},
                         "projects": {"/q": {"mcpServers": {"b": {"command": "./run", "cwd": "tools"}}}}}"#;
        assert_eq!(commands("claude-code", claude), [pair("a", "/x/skc"), pair("b", "./run")]);
        let folder =
            servers(client("claude-code").unwrap(), claude, Path::new("/p")).unwrap()[1].folder.clone();
        assert_eq!(folder, Path::new("/q/tools"));
        let codex = "[mcp_servers.c]\ncommand = \"node\"\n[mcp_servers.c.env]\nPATH = \"/own\"\n[mcp_servers.off]\ncommand = \"x\"\nenabled = false\n";
        assert_eq!(commands("codex", codex), [pair("c", "node")]);
        assert!(servers(client("codex").unwrap(), codex, Path::new("/p")).unwrap()[0].has_own_path);
        let opencode =
            "{ // mine\n \"mcp\": {\"d\": {\"type\": \"local\", \"command\": [\"bun\", \"x\"],},},}";
        assert_eq!(commands("opencode", opencode), [pair("d", "bun")]);
        assert_eq!(commands("vscode", "{\"servers\": {\"e\": {\"command\": 3}}}"), []);
        assert!(servers(client("cursor").unwrap(), "{", Path::new("/p")).is_err());
    }
}
