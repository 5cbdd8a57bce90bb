//! The failure of an operation: the fault that is reported, and its cause.

use skillc_domain::fault::Fault;
use skillc_ports::{ErrorKind, PortError};
use std::error::Error;

/// A fault, and the port error that caused it, if any.
#[derive(Debug)]
pub struct Failure {
    /// What is reported to the caller.
    pub fault: Fault,
    /// The cause, shown with `-v`.
    pub source: Option<PortError>,
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self { fault, source: None }
    }
}

/// E018 for a link, E012 for a path that leads out of a skill, E107 to E109 if a resource of the machine is exhausted,
/// otherwise E999 with the failed action and the kind of failure.
impl From<PortError> for Failure {
    fn from(error: PortError) -> Self {
        let message = error.to_string();
        let fault = match (error.kind, &error.at) {
            (ErrorKind::Linked, Some(link)) => Fault::LinkInTheWay { path: link.to_path_buf() },
            (ErrorKind::Escapes, Some(path)) => {
                Fault::PathEscapes { path: path.to_string_lossy().into_owned() }
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
    /// A fault caused by a port error.
    pub fn because(fault: Fault, source: PortError) -> Self {
        Self { fault, source: Some(source) }
    }

    /// Whether it was caused by a port error of this kind.
    pub fn is(&self, kind: ErrorKind) -> bool {
        self.source.as_ref().is_some_and(|source| source.kind == kind)
    }

    /// The texts of the errors that caused it, outermost first.
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
