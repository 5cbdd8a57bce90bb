//! The team's store as an operation sees it: there or not configured, and what its failures mean.

use crate::app::App;
use crate::failure::Failure;
use skillc_domain::fault::Fault;
use skillc_domain::team::TeamOrigin;
use skillc_ports::{AccessLog, ErrorKind, PortError, TeamStore};

/// The configured store, and who sends to it.
pub struct TeamConnection<'a> {
    /// The server.
    pub store: &'a dyn TeamStore,
    /// This machine in its organisation.
    pub origin: TeamOrigin,
}

impl<'a> TeamConnection<'a> {
    /// The configured one.
    ///
    /// # Errors
    /// E043 where none is.
    pub fn of(app: &'a App) -> Result<Self, Fault> {
        match (&app.ports.team, &app.call.settings.team) {
            (Some(store), Some(settings)) => Ok(Self {
                store: store.as_ref(),
                origin: TeamOrigin { org: settings.org.clone(), machine: settings.machine.clone() },
            }),
            _ => Err(Fault::TeamNotConfigured {}),
        }
    }

    /// Its log.
    pub fn log(&self) -> Box<dyn AccessLog> {
        self.store.log(&self.origin)
    }

    /// What a failure of the server means: E044 to E049.
    pub fn failure(&self, error: PortError) -> Failure {
        let address = self.store.address();
        let fault = match error.kind {
            ErrorKind::Unreachable => Fault::TeamUnreachable { address },
            ErrorKind::Denied => Fault::TeamDenied { address },
            ErrorKind::Insecure => Fault::TeamInsecure { address },
            ErrorKind::NotReady => Fault::TeamNotReady { address },
            ErrorKind::Newer => Fault::TeamNewer { address },
            ErrorKind::Invalid => Fault::TeamFailed {
                address,
                message: "it is not postgres://user@host/database with reserved characters as %XX".to_owned(),
            },
            _ => Fault::TeamFailed { address, message: error.reason().to_owned() },
        };
        Failure::because(fault, error)
    }
}
