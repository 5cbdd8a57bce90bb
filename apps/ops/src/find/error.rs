//! Failures of a search for skills.

use crate::app::App;
use crate::failure::Failure;
use crate::model::unusable;
use skillc_ports::PortError;

/// The part of a search that failed; a search may do without either.
#[derive(Debug)]
pub enum SearchError {
    /// The skill index: another one in memory takes its place.
    Index(PortError),
    /// The embedding model: words alone are searched.
    Model(PortError),
}

impl SearchError {
    /// The failure that the user sees if the search cannot do without it.
    pub fn failure(self, app: &App) -> Failure {
        match self {
            Self::Index(error) => error.into(),
            Self::Model(error) => unusable(app, error),
        }
    }
}
