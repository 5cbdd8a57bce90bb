//! What a search for skills fails at.

use crate::app::App;
use crate::failure::Failure;
use crate::model::unusable;
use skillc_ports::PortError;

/// What failed: each has another way out.
#[derive(Debug)]
pub enum Trouble {
    /// The directory of skills.
    Directory(PortError),
    /// The model.
    Model(PortError),
}

impl Trouble {
    /// What the user is told where there is no way out.
    pub fn failure(self, app: &App) -> Failure {
        match self {
            Self::Directory(error) => error.into(),
            Self::Model(error) => unusable(app, error),
        }
    }
}
