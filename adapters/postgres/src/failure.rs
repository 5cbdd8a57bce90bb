//! What a server's refusals mean.

use crate::address::Target;
use skillc_ports::{ErrorKind, PortError};
use sqlx::migrate::MigrateError;
use std::io;

/// Why something was not done.
pub enum Trouble {
    /// The driver or the server says so.
    Driver(sqlx::Error),
    /// This crate found it out: the kind, and what was found.
    Found(ErrorKind, String),
}

impl From<sqlx::Error> for Trouble {
    fn from(error: sqlx::Error) -> Self {
        Self::Driver(error)
    }
}

impl From<MigrateError> for Trouble {
    fn from(error: MigrateError) -> Self {
        match error {
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => Self::Driver(error),
            MigrateError::VersionMissing(_) => Self::Found(ErrorKind::Newer, error.to_string()),
            other => Self::Found(ErrorKind::Failed, other.to_string()),
        }
    }
}

impl Trouble {
    /// Whether the same may well succeed at once: the server chose this one to get out of the others' way.
    pub fn is_passing(&self) -> bool {
        matches!(self.code().as_deref(), Some("40P01" | "40001"))
    }

    /// The failure as the port tells it; what must not be seen is not in it.
    pub fn told(self, doing: &str, target: &Target) -> PortError {
        let kind = match &self {
            Self::Driver(error) => kind(error),
            Self::Found(kind, _) => *kind,
        };
        let cause = self.text(&target.secrets);
        PortError::new(kind, format!("{doing} '{}'", target.address)).caused_by(cause)
    }

    fn code(&self) -> Option<String> {
        let Self::Driver(error) = self else { return None };
        error.as_database_error()?.code().map(|code| code.into_owned())
    }

    fn text(&self, secrets: &[String]) -> String {
        let text = match (self, self.code()) {
            (Self::Driver(error), Some(code)) => format!("{error} ({code})"),
            (Self::Driver(error), None) => error.to_string(),
            (Self::Found(_, text), _) => text.clone(),
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
        // So rustls tells of a certificate that does not hold, and of an answer that is no TLS.
        io::ErrorKind::InvalidData => ErrorKind::Insecure,
        io::ErrorKind::PermissionDenied => ErrorKind::Denied,
        _ => ErrorKind::Unreachable,
    }
}

/// Of the codes in appendix A of PostgreSQL's manual.
fn kind_of_code(code: &str, message: &str) -> ErrorKind {
    match code {
        // Only the words tell that the server takes encrypted connections alone; "SSL off" is that of older ones.
        "28000" if message.contains("no encryption") || message.contains("SSL off") => ErrorKind::Insecure,
        // Wrong password, no such user, missing right; a server that is read-only.
        "28P01" | "28000" | "42501" | "25006" => ErrorKind::Denied,
        // No such database.
        "3D000" => ErrorKind::NotFound,
        // No such table, no such schema.
        "42P01" | "3F000" => ErrorKind::NotReady,
        // Lock or statement took too long, deadlock, serialisation, too many connections.
        "55P03" | "57014" | "40P01" | "40001" | "53300" => ErrorKind::Busy,
        // Shutdown, crash, start, idle for too long.
        "57P01" | "57P02" | "57P03" | "57P05" | "25P03" => ErrorKind::Unreachable,
        code if code.starts_with("08") => ErrorKind::Unreachable,
        _ => ErrorKind::Failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::TeamSettings;

    #[test]
    fn a_password_in_a_cause_is_not_told() {
        let url = "postgres://u:a%2Fb@h/d";
        let target = Target::read(&TeamSettings::new(url)).unwrap();
        let trouble = Trouble::Found(ErrorKind::Failed, "it was 'a/b', once 'a%2Fb'".to_owned());
        let error = trouble.told("read the team store", &target);
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
            ("53100", "", ErrorKind::Failed),
            ("", "", ErrorKind::Failed),
        ] {
            assert_eq!(kind_of_code(code, message), expected, "{code}");
        }
    }
}
