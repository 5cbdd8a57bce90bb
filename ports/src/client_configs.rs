//! What the configuration files of MCP clients say.

use std::path::PathBuf;

/// A server that a client starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientServer {
    /// Its name in the file.
    pub name: String,
    /// The program, as it is written there.
    pub command: String,
    /// The folder from which a relative path of the program counts.
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
    /// The servers that it starts, in order; or why the file cannot be read.
    pub servers: Result<Vec<ClientServer>, String>,
}

/// Reads the configuration files of the clients that skc knows. Writes nothing.
pub trait ClientConfigs: Send + Sync {
    /// The files of user and project that are there.
    fn read(&self) -> Vec<ClientConfig>;
}
