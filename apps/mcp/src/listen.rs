//! Where clients reach the server.

use crate::http::serve_http;
use crate::server::Server;
use crate::stdio::serve_stdio;
use crate::stop::stopped;
use skillc_domain::fault::Fault;
use std::fmt::Display;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// Where clients reach the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listen {
    /// Standard input and output: one client, who started it.
    Stdio,
    /// HTTP at an address with a port; port 0 is any that is free.
    Http {
        /// Such as `127.0.0.1:8080`.
        address: SocketAddr,
        /// Whether it may be an address that other machines reach.
        is_remote_allowed: bool,
    },
    /// A Unix socket: each connection is a client.
    Socket(PathBuf),
}

/// What is told when the server can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listening {
    /// Where: a URL, or a path.
    pub address: String,
    /// The file with the token that callers must show, where they must.
    pub token: Option<PathBuf>,
}

/// An address with its port, as a user types it: numbers, or `localhost`.
///
/// # Errors
/// E100 for anything else.
pub fn parse_address(given: &str) -> Result<SocketAddr, Fault> {
    let port = given.strip_prefix("localhost:").and_then(|port| port.parse().ok());
    let localhost = port.map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let refused = || {
        Fault::invalid_option(format!("expected an address with a port, such as 127.0.0.1:0, got '{given}'"))
    };
    localhost.or_else(|| given.parse().ok()).ok_or_else(refused)
}

/// Serves until the input ends or the process is told to end.
///
/// # Errors
/// Why it cannot begin: E100, E102 or E103.
pub async fn serve(server: Server, listen: &Listen, told: impl FnOnce(&Listening)) -> Result<(), Fault> {
    match listen {
        Listen::Stdio => {
            tokio::select! {
                () = serve_stdio(server) => {}
                () = stopped() => {}
            }
            Ok(())
        }
        Listen::Http { address, is_remote_allowed } => {
            serve_http(server, *address, *is_remote_allowed, told).await
        }
        #[cfg(unix)]
        Listen::Socket(path) => crate::socket::serve_socket(server, path, told).await,
        #[cfg(not(unix))]
        Listen::Socket(path) => {
            let message =
                format!("--socket {} is not supported: this system has no Unix sockets", path.display());
            Err(Fault::invalid_option(message))
        }
    }
}

pub fn cannot_listen(address: &impl Display, reason: &impl Display) -> Fault {
    Fault::CannotListen { address: address.to_string(), message: reason.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0007:C-MCP-TRANSPORTS
    #[test]
    fn an_address_is_numbers_or_localhost_with_a_port() {
        let parsed = |given| parse_address(given).map(|address| address.to_string()).ok();
        assert_eq!(parsed("127.0.0.1:0").as_deref(), Some("127.0.0.1:0"));
        assert_eq!(parsed("localhost:80").as_deref(), Some("127.0.0.1:80"));
        assert_eq!(parsed("[::1]:8080").as_deref(), Some("[::1]:8080"));
        for wrong in [
            "",
            "127.0.0.1",
            "8080",
            "localhost",
            "localhost:",
            "example.com:80",
            "127.0.0.1:99999",
            "::1:80x",
        ] {
            assert_eq!(parsed(wrong), None, "{wrong}");
        }
    }
}
