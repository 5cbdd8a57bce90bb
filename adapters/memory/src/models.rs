//! A model store without files: it records only the states.

use skillc_domain::model::{EmbeddingModel, MINILM};
use skillc_ports::{ErrorKind, ModelOrigin, ModelState, ModelStore, PortError, Progress};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Installs the default model from the hub at once, and nothing from disk.
#[derive(Clone, Debug)]
pub struct MemoryModelStore {
    state: Arc<Mutex<ModelState>>,
}

impl MemoryModelStore {
    /// A store with the default model in this state, and no other.
    pub fn new(state: ModelState) -> Self {
        Self { state: Arc::new(Mutex::new(state)) }
    }
}

impl ModelStore for MemoryModelStore {
    fn folder(&self, model: &'static EmbeddingModel) -> PathBuf {
        PathBuf::from("/home/.skillc/models").join(model.name)
    }

    fn hub(&self, model: &'static EmbeddingModel) -> Option<String> {
        model.hub.map(|_| "https://hub.example".to_owned())
    }

    fn recognize(&self, path: &Path) -> Result<&'static EmbeddingModel, PortError> {
        Err(PortError::new(ErrorKind::NotFound, format!("read '{}'", path.display())))
    }

    fn state(&self, model: &'static EmbeddingModel, _: &dyn Progress) -> Result<ModelState, PortError> {
        match *model == MINILM {
            true => Ok(self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()),
            false => Ok(ModelState::Missing),
        }
    }

    fn install(
        &self,
        model: &'static EmbeddingModel,
        origin: &ModelOrigin,
        _: &dyn Progress,
    ) -> Result<bool, PortError> {
        match origin {
            ModelOrigin::Hub if *model == MINILM => {}
            ModelOrigin::Hub => return Err(PortError::new(ErrorKind::NotFound, "fetch the model")),
            ModelOrigin::Disk(path) => return self.recognize(path).map(|_| false),
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let was_sound = *state == ModelState::Sound;
        *state = ModelState::Sound;
        Ok(!was_sound)
    }
}
