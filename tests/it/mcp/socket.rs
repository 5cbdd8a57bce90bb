//! The server on a Unix socket (RFC-0007:C-MCP-TRANSPORTS).

use super::client::DEADLINE;
use super::http::Served;
use crate::site::{Site, put};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

/// The path of a site's socket.
pub fn path(site: &Site) -> PathBuf {
    site.root().join("mcp.sock")
}

/// Starts the server.
#[track_caller]
pub fn serve(site: &Site) -> Served {
    Served::start(site.command(["mcp", "--socket", path(site).to_str().unwrap()]), 1)
}

/// A client after its handshake.
pub struct Client(BufReader<UnixStream>);

impl Client {
    /// Connects and completes the handshake, as client `s/1`.
    pub fn connect(path: &Path) -> Self {
        let stream = UnixStream::connect(path).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        let mut client = Self(BufReader::new(stream));
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "s", "version": "1" } });
        client.ask(json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }));
        client
    }

    /// Sends a message and returns its answer.
    pub fn ask(&mut self, message: Value) -> Value {
        writeln!(self.0.get_mut(), "{message}").unwrap();
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// Sends a notification.
    pub fn tell(&mut self, message: Value) {
        writeln!(self.0.get_mut(), "{message}").unwrap();
    }

    /// Calls the tool that lists the skills.
    pub fn list(&mut self) -> Value {
        let params = json!({ "name": "skc_list", "arguments": {} });
        self.ask(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }))
    }
}

/// RFC-0007:C-MCP-TRANSPORTS
#[test]
fn each_connection_to_the_socket_is_a_client_and_only_its_user_has_any() {
    let site = Site::new();
    let served = serve(&site);
    assert_eq!(fs::metadata(path(&site)).unwrap().permissions().mode() & 0o777, 0o600);
    let (mut one, mut two) = (Client::connect(&path(&site)), Client::connect(&path(&site)));
    assert_eq!(one.list()["result"]["isError"], false);
    drop(one);
    assert_eq!(two.list()["result"]["isError"], false);
    assert_eq!(Client::connect(&path(&site)).list()["result"]["isError"], false);
    assert_eq!(served.end("-TERM"), (Some(0), String::new()));
    assert!(!path(&site).exists());
}

/// RFC-0007:C-MCP-TRANSPORTS
#[test]
fn a_dead_socket_is_replaced_and_nothing_else_is() {
    let site = Site::new();
    let mut killed = serve(&site);
    site.skc(["mcp", "--socket", path(&site).to_str().unwrap()]).fails("E103");
    killed.child.kill().unwrap();
    killed.child.wait().unwrap();
    assert!(path(&site).exists(), "a killed server leaves its socket");
    let served = serve(&site);
    assert_eq!(Client::connect(&path(&site)).list()["result"]["isError"], false);
    assert_eq!(served.end("-INT"), (Some(0), String::new()));

    let foreign = site.root().join("foreign.sock");
    drop(UnixListener::bind(&foreign).unwrap());
    let file = site.root().join("file");
    put(&file, "text");
    let link = site.root().join("link");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    for there in [&foreign, &file, &link, &site.root()] {
        site.skc(["mcp", "--socket", there.to_str().unwrap()]).fails("E103");
    }
    assert!(fs::symlink_metadata(&foreign).unwrap().file_type().is_socket());
    assert_eq!(fs::read_to_string(&link).unwrap(), "text");
    site.skc(["mcp", "--socket", site.root().join("none/x").to_str().unwrap()]).fails("E103");
    site.skc(["mcp", "--socket", "x", "--http", "127.0.0.1:0"]).fails("E100");
}
