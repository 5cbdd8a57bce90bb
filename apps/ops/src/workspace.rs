//! The context of each call of a server: the current state of the machine, not that at the start.

use crate::app::App;
use crate::context::{CallContext, Environment};
use skillc_domain::config::Settings;
use skillc_domain::places::Places;
use std::path::Path;
use std::sync::Arc;

/// The context of a working directory.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// Home, working directory and project.
    pub places: Places,
    /// The settings that apply there.
    pub settings: Settings,
    /// The environment for operations in that directory.
    pub environment: Environment,
}

/// Resolves the workspace of a working directory, which exists and is absolute.
pub type WorkspaceResolver = Arc<dyn Fn(&Path) -> Workspace + Send + Sync>;

/// The ports of a server, with current settings for each call.
#[derive(Clone)]
pub struct LiveApp {
    app: App,
    resolve: WorkspaceResolver,
}

impl LiveApp {
    /// A server with these ports.
    pub fn new(app: App, resolve: WorkspaceResolver) -> Self {
        Self { app, resolve }
    }

    /// A server whose context never changes.
    pub fn fixed(app: App) -> Self {
        let CallContext { places, settings, environment, .. } = app.call.clone();
        let workspace = Workspace { places, settings, environment };
        Self::new(app, Arc::new(move |_| workspace.clone()))
    }

    /// Changes the context, except for what the workspace sets.
    #[must_use]
    pub fn with(mut self, set: impl FnOnce(&mut CallContext)) -> Self {
        set(&mut self.app.call);
        self
    }

    /// The app in its initial state.
    pub fn initial(&self) -> &App {
        &self.app
    }

    /// The app in the working directory of the process.
    pub fn current(&self) -> App {
        self.at(&self.app.call.places.cwd)
    }

    /// The app in another working directory.
    pub fn at(&self, cwd: &Path) -> App {
        let Workspace { places, settings, environment } = (self.resolve)(cwd);
        let mut app = self.app.clone();
        app.call = CallContext { places, settings, environment, ..app.call };
        app
    }
}
