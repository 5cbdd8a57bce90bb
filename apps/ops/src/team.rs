//! The team store of an operation, and the faults for its failures.

use crate::app::App;
use crate::failure::Failure;
use skillc_domain::fault::Fault;
use skillc_domain::team::TeamOrigin;
use skillc_ports::{AccessLog, ErrorKind, PortError, TeamStore};

/// The configured store, and the origin of events sent to it.
pub struct TeamConnection<'a> {
    /// The server.
    pub store: &'a dyn TeamStore,
    /// This machine in its organization.
    pub origin: TeamOrigin,
}

impl<'a> TeamConnection<'a> {
    /// The configured store.
    ///
    /// # Errors
    /// E043 if none is configured, E110 in a program without team stores.
    pub fn of(app: &'a App) -> Result<Self, Fault> {
        match (&app.ports.team, &app.call.settings.team) {
            (Some(store), Some(settings)) => Ok(Self {
                store: store.as_ref(),
                origin: TeamOrigin { org: settings.org.clone(), machine: settings.machine.clone() },
            }),
            (None, Some(_)) => Err(Fault::FeatureMissing { feature: "team".to_owned() }),
            (_, None) => Err(Fault::TeamNotConfigured {}),
        }
    }

    /// The log of the team.
    pub fn log(&self) -> Box<dyn AccessLog> {
        self.store.log(&self.origin)
    }

    /// The fault for a failure of the server: E044 to E049.
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
                message:
                    "it is not postgres://user@host/database with one host and reserved characters as %XX"
                        .to_owned(),
            },
            _ => Fault::TeamFailed { address, message: error.reason().to_owned() },
        };
        Failure::because(fault, error)
    }
}
