//! What a search for skills fails at.

use crate::app::App;
use crate::failure::Failure;
use crate::model::unusable;
use skillc_ports::PortError;

/// What failed: each has another way out.
#[derive(Debug)]
pub enum SearchError {
    /// The index of skills.
    Index(PortError),
    /// The model.
    Model(PortError),
}

impl SearchError {
    /// What the user is told where there is no way out.
    pub fn failure(self, app: &App) -> Failure {
        match self {
            Self::Index(error) => error.into(),
            Self::Model(error) => unusable(app, error),
        }
    }
}
