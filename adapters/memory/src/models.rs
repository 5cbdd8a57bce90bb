//! A model store without files: it records only the state.

use skillc_domain::model::MINILM;
use skillc_ports::{ErrorKind, ModelOrigin, ModelState, ModelStore, PortError, Progress};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Installs from the hub at once, and never from disk.
#[derive(Clone, Debug)]
pub struct MemoryModelStore {
    state: Arc<Mutex<ModelState>>,
}

impl MemoryModelStore {
    /// A store in this state.
    pub fn new(state: ModelState) -> Self {
        Self { state: Arc::new(Mutex::new(state)) }
    }
}

impl ModelStore for MemoryModelStore {
    fn folder(&self) -> PathBuf {
        PathBuf::from("/home/.skillc/models").join(MINILM.name)
    }

    fn hub(&self) -> String {
        "https://hub.example".to_owned()
    }

    fn state(&self, _: &dyn Progress) -> Result<ModelState, PortError> {
        Ok(self.state.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    fn install(&self, origin: &ModelOrigin, _: &dyn Progress) -> Result<bool, PortError> {
        if let ModelOrigin::Disk(path) = origin {
            return Err(PortError::new(ErrorKind::NotFound, format!("read '{}'", path.display())));
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let was_sound = *state == ModelState::Sound;
        *state = ModelState::Sound;
        Ok(!was_sound)
    }
}
