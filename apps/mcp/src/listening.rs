//! Where a started server can be reached, and the error if it cannot start.

use skillc_domain::fault::Fault;
use std::fmt::Display;
use std::path::PathBuf;

/// Reported once when the server accepts connections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listening {
    /// A URL, or the path of a socket.
    pub address: String,
    /// The file with the token that HTTP clients have to send.
    pub token: Option<PathBuf>,
}

/// E103.
pub fn cannot_listen(address: &impl Display, reason: &impl Display) -> Fault {
    Fault::CannotListen { address: address.to_string(), message: reason.to_string() }
}
