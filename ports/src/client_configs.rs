//! The configuration files of MCP clients.

use std::path::PathBuf;

/// A server that a client starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientServer {
    /// Its name in the file.
    pub name: String,
    /// The program, as written in the file.
    pub command: String,
    /// The folder that a relative path of the program starts from.
    pub folder: PathBuf,
    /// Whether the entry sets a `PATH` of its own.
    pub has_own_path: bool,
}

/// A configuration file of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientConfig {
    /// The client's id.
    pub client: &'static str,
    /// The file.
    pub file: PathBuf,
    /// The servers that the client starts, in order, or the reason why the file cannot be read.
    pub servers: Result<Vec<ClientServer>, String>,
}

/// Reads the configuration files of known clients. Writes nothing.
pub trait ClientConfigs: Send + Sync {
    /// The existing files of the user and the project.
    fn read(&self) -> Vec<ClientConfig>;
}
