//! Starts the server on one of its transports.

use crate::listening::Listening;
use crate::server::Server;
use crate::shutdown::shutdown_signal;
use crate::stdio::serve_stdio;
use skillc_domain::fault::Fault;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// Where clients reach the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listen {
    /// Standard input and output: the one client is the parent process.
    Stdio,
    /// An HTTP server on one address.
    Http {
        /// An address such as `127.0.0.1:8080`; port 0 picks a free one.
        address: SocketAddr,
        /// Allows an address that other machines can reach.
        is_remote_allowed: bool,
    },
    /// A Unix socket at this path; each connection is one client.
    Socket(PathBuf),
}

/// Parses an address with a port as a user types it: numeric, or `localhost:PORT`.
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

/// Serves until the input ends or a signal asks the process to end. `on_listening` is called once, for HTTP and
/// sockets.
///
/// # Errors
/// If it cannot start: E100, E102 or E103; E110 for HTTP in a program without it.
pub async fn serve(
    server: Server,
    listen: &Listen,
    on_listening: impl FnOnce(&Listening),
) -> Result<(), Fault> {
    match listen {
        Listen::Stdio => {
            tokio::select! {
                () = serve_stdio(server) => {}
                () = shutdown_signal() => {}
            }
            Ok(())
        }
        #[cfg(feature = "http")]
        Listen::Http { address, is_remote_allowed } => {
            crate::http::serve_http(server, *address, *is_remote_allowed, on_listening).await
        }
        #[cfg(not(feature = "http"))]
        Listen::Http { .. } => Err(Fault::FeatureMissing { feature: "http".to_owned() }),
        #[cfg(unix)]
        Listen::Socket(path) => crate::socket::serve_socket(server, path, on_listening).await,
        #[cfg(not(unix))]
        Listen::Socket(path) => {
            let message =
                format!("--socket {} is not supported: this system has no Unix sockets", path.display());
            Err(Fault::invalid_option(message))
        }
    }
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
