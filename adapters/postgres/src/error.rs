//! Errors of the driver, the server and this crate, and their mapping to port errors.

use crate::address::ServerAddress;
use skillc_ports::{ErrorKind, PortError};
use sqlx::migrate::MigrateError;
use std::io;

/// Why a query failed.
pub enum QueryError {
    /// Reported by the driver or the server.
    Driver(sqlx::Error),
    /// Detected by this crate: kind and message.
    Other(ErrorKind, String),
}

impl From<sqlx::Error> for QueryError {
    fn from(error: sqlx::Error) -> Self {
        Self::Driver(error)
    }
}

impl From<MigrateError> for QueryError {
    fn from(error: MigrateError) -> Self {
        match error {
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => Self::Driver(error),
            MigrateError::VersionMissing(_) => Self::Other(ErrorKind::Newer, error.to_string()),
            other => Self::Other(ErrorKind::Failed, other.to_string()),
        }
    }
}

impl QueryError {
    /// Whether the same query may succeed at once: the server aborted it in favor of others (deadlock, serialization).
    pub fn is_retryable(&self) -> bool {
        matches!(self.code().as_deref(), Some("40P01" | "40001"))
    }

    /// Converts to a port error without the secrets of the address; `doing` begins with a verb.
    pub fn into_port_error(self, doing: &str, server: &ServerAddress) -> PortError {
        let kind = match &self {
            Self::Driver(error) => kind(error),
            Self::Other(kind, _) => *kind,
        };
        let cause = self.text(&server.secrets);
        PortError::new(kind, format!("{doing} '{}'", server.address)).caused_by(cause)
    }

    fn code(&self) -> Option<String> {
        let Self::Driver(error) = self else { return None };
        error.as_database_error()?.code().map(|code| code.into_owned())
    }

    fn text(&self, secrets: &[String]) -> String {
        let text = match (self, self.code()) {
            (Self::Driver(error), Some(code)) => format!("{error} ({code})"),
            (Self::Driver(error), None) => error.to_string(),
            (Self::Other(_, text), _) => text.clone(),
        };
        secrets.iter().fold(text, |text, secret| text.replace(secret.as_str(), "***"))
    }
}

fn kind(error: &sqlx::Error) -> ErrorKind {
    match error {
        sqlx::Error::Io(error) => kind_of_io(error),
        sqlx::Error::Tls(_) => ErrorKind::Insecure,
        sqlx::Error::Configuration(_) => ErrorKind::Invalid,
        sqlx::Error::Database(error) => {
            kind_of_code(error.code().as_deref().unwrap_or_default(), error.message())
        }
        _ => ErrorKind::Failed,
    }
}

fn kind_of_io(error: &io::Error) -> ErrorKind {
    match error.kind() {
        // rustls reports an invalid certificate, or a response that is not TLS, in this way.
        io::ErrorKind::InvalidData => ErrorKind::Insecure,
        io::ErrorKind::PermissionDenied => ErrorKind::Denied,
        _ => ErrorKind::Unreachable,
    }
}

/// Maps SQLSTATE codes (PostgreSQL manual, appendix A).
fn kind_of_code(code: &str, message: &str) -> ErrorKind {
    match code {
        // Only the message shows that the server requires encryption; "SSL off" is that of older servers.
        "28000" if message.contains("no encryption") || message.contains("SSL off") => ErrorKind::Insecure,
        // Wrong password, unknown user, missing privilege; read-only server.
        "28P01" | "28000" | "42501" | "25006" => ErrorKind::Denied,
        // Unknown database.
        "3D000" => ErrorKind::NotFound,
        // Unknown table or schema.
        "42P01" | "3F000" => ErrorKind::NotReady,
        // Lock or statement timeout, deadlock, serialization, too many connections.
        "55P03" | "57014" | "40P01" | "40001" | "53300" => ErrorKind::Busy,
        // Shutdown, crash, startup, idle timeout.
        "57P01" | "57P02" | "57P03" | "57P05" | "25P03" => ErrorKind::Unreachable,
        // The server's disk is full.
        "53100" => ErrorKind::DiskFull,
        code if code.starts_with("08") => ErrorKind::Unreachable,
        _ => ErrorKind::Failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::PostgresSettings;

    #[test]
    fn a_password_in_a_cause_is_not_reported() {
        let url = "postgres://u:a%2Fb@h/d";
        let server = ServerAddress::parse(&PostgresSettings::new(url)).unwrap();
        let error = QueryError::Other(ErrorKind::Failed, "it was 'a/b', once 'a%2Fb'".to_owned());
        let error = error.into_port_error("read the team store", &server);
        assert_eq!(error.to_string(), "cannot read the team store 'h/d': the system reported a failure");
        assert_eq!(error.source.unwrap().to_string(), "it was '***', once '***'");
    }

    #[test]
    fn codes_have_their_kinds() {
        for (code, message, expected) in [
            ("28P01", "password authentication failed", ErrorKind::Denied),
            (
                "28000",
                "no pg_hba.conf entry for host \"h\", user \"u\", database \"d\", no encryption",
                ErrorKind::Insecure,
            ),
            ("28000", "role \"u\" does not exist", ErrorKind::Denied),
            ("3D000", "database \"d\" does not exist", ErrorKind::NotFound),
            ("42P01", "", ErrorKind::NotReady),
            ("55P03", "", ErrorKind::Busy),
            ("08006", "", ErrorKind::Unreachable),
            ("53100", "", ErrorKind::DiskFull),
            ("XX000", "", ErrorKind::Failed),
            ("", "", ErrorKind::Failed),
        ] {
            assert_eq!(kind_of_code(code, message), expected, "{code}");
        }
    }
}
