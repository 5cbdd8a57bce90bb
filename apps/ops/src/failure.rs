//! How an operation fails: the fault that the user is told, and what the world said.

use skillc_domain::fault::Fault;
use skillc_ports::{ErrorKind, PortError};
use std::error::Error;

/// A fault, with the failure of a port behind it if there was one.
#[derive(Debug)]
pub struct Failure {
    /// What the user is told.
    pub fault: Fault,
    /// What the driver or the system said; for `-v`.
    pub source: Option<PortError>,
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self { fault, source: None }
    }
}

/// E018 for a link in the way, E107 to E109 where the machine has no more of something, else E999 with what was being done and the
/// kind of failure.
impl From<PortError> for Failure {
    fn from(error: PortError) -> Self {
        let message = error.to_string();
        let fault = match (error.kind, &error.at) {
            (ErrorKind::Linked, Some(link)) => {
                Fault::LinkInTheWay { path: link.to_string_lossy().into_owned() }
            }
            (ErrorKind::DiskFull, _) => Fault::DiskFull { message },
            (ErrorKind::TooManyOpenFiles, _) => Fault::TooManyOpenFiles { message },
            (ErrorKind::FileSizeLimit, _) => Fault::FileSizeLimit { message },
            _ => Fault::Internal { message },
        };
        Self { fault, source: Some(error) }
    }
}

impl Failure {
    /// A fault that stands for a port's failure.
    pub fn because(fault: Fault, source: PortError) -> Self {
        Self { fault, source: Some(source) }
    }

    /// Whether a port's failure of this kind is behind it.
    pub fn is(&self, kind: ErrorKind) -> bool {
        self.source.as_ref().is_some_and(|source| source.kind == kind)
    }

    /// The driver's texts, outermost first.
    pub fn causes(&self) -> Vec<String> {
        let mut causes = Vec::new();
        let mut next = self.source.as_ref().map(|e| e as &dyn Error);
        while let Some(error) = next {
            causes.push(error.to_string());
            next = error.source();
        }
        causes
    }
}
