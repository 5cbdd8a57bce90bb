//! The ways in which a search for skills can fail.

use crate::app::App;
use crate::failure::Failure;
use crate::model::unusable;
use skillc_ports::PortError;

/// The part of a search that failed; the search may continue without it.
#[derive(Debug)]
pub enum SearchError {
    /// The skill index; an index in memory replaces it.
    Index(PortError),
    /// The embedding model; the search uses words only.
    Model(PortError),
}

impl SearchError {
    /// The failure to report if the search cannot continue without this part.
    pub fn failure(self, app: &App) -> Failure {
        match self {
            Self::Index(error) => error.into(),
            Self::Model(error) => unusable(app, error),
        }
    }
}
