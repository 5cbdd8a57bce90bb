//! The folder of the model.

use crate::check;
use crate::disk;
use crate::hub::Fetch;
use serde_json::json;
use skillc_domain::model::{MINILM, Model, ModelFlaw};
use skillc_ports::models::{ModelOrigin, ModelState, ModelStore};
use skillc_ports::{ErrorKind, PortError, Progress, Quiet};
use std::fs::{self, File};
use std::io::ErrorKind as Io;
use std::path::{Path, PathBuf};

/// Where the authors of the model published it.
pub const HUB: &str = "https://huggingface.co";

/// The file which says that all others were compared, and with what. Without it a folder is no model.
pub(crate) const WITNESS: &str = "installed.json";

/// The model in a folder of this machine.
///
/// Beside it, in the folder above: `.lock`, and while it is put there `.<name>.part` (what came from the hub so far),
/// `.<name>.copy` and `.<name>.old`.
#[derive(Clone, Debug)]
pub struct DiskModelStore {
    model: &'static Model,
    folder: PathBuf,
    hub: String,
}

impl DiskModelStore {
    /// The model below a folder of models; fetched from a hub by its address, such as `HUB`.
    pub fn new(models: &Path, hub: &str) -> Self {
        Self::of(&MINILM, models, hub)
    }

    /// The same for another model.
    pub(crate) fn of(model: &'static Model, models: &Path, hub: &str) -> Self {
        let hub = format!("{}/{}/resolve/{}", hub.trim_end_matches('/'), model.repository, model.revision);
        Self { model, folder: models.join(model.name), hub }
    }

    fn beside(&self, end: &str) -> PathBuf {
        self.folder.with_file_name(format!(".{}.{end}", self.model.name))
    }

    /// Held while the model is put there; given back with the file.
    fn lock(&self) -> Result<File, PortError> {
        let path = self.folder.with_file_name(".lock");
        let doing = || format!("write '{}'", path.display());
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|e| PortError::io(doing(), e))?;
        }
        let file = File::options().write(true).create(true).truncate(false).open(&path);
        let file = file.map_err(|e| PortError::io(doing(), e))?;
        match file.lock() {
            // Where the file system knows no locks, the last one wins.
            Err(error) if error.kind() != Io::Unsupported => Err(PortError::io(doing(), error)),
            _ => Ok(file),
        }
    }

    fn fetch(&self, progress: &dyn Progress) -> Result<PathBuf, PortError> {
        let stage = self.beside("part");
        fs::create_dir_all(&stage).map_err(|e| PortError::io(format!("write '{}'", stage.display()), e))?;
        Fetch::new(self.model, &self.hub, &stage, progress).all()?;
        Ok(stage)
    }

    fn copy(&self, from: &Path, progress: &dyn Progress) -> Result<PathBuf, PortError> {
        let stage = self.beside("copy");
        remove(&stage)?;
        fs::create_dir_all(&stage).map_err(|e| PortError::io(format!("write '{}'", stage.display()), e))?;
        disk::copy(self.model, from, &stage, progress).inspect_err(|_| {
            let _ = fs::remove_dir_all(&stage);
        })?;
        Ok(stage)
    }

    fn put_in_place(&self, stage: &Path) -> Result<(), PortError> {
        let old = self.beside("old");
        remove(&old)?;
        let doing = || format!("write '{}'", self.folder.display());
        if self.folder.symlink_metadata().is_ok() {
            fs::rename(&self.folder, &old).map_err(|e| PortError::io(doing(), e))?;
        }
        if let Err(error) = fs::rename(stage, &self.folder) {
            let _ = fs::rename(&old, &self.folder);
            return Err(PortError::io(doing(), error));
        }
        remove(&old)
    }
}

impl ModelStore for DiskModelStore {
    fn folder(&self) -> PathBuf {
        self.folder.clone()
    }

    fn hub(&self) -> String {
        self.hub.clone()
    }

    fn state(&self, progress: &dyn Progress) -> Result<ModelState, PortError> {
        if !self.folder.exists() {
            return Ok(ModelState::Missing);
        }
        match check::wholly(self.model, &self.folder, progress) {
            Ok(()) if self.folder.join(WITNESS).is_file() => Ok(ModelState::Sound),
            Ok(()) => Ok(ModelState::Flawed(ModelFlaw::Unchecked)),
            Err(error) => match flaw_of(&error) {
                Some(flaw) => Ok(ModelState::Flawed(flaw)),
                None => Err(error),
            },
        }
    }

    fn install(&self, origin: &ModelOrigin, progress: &dyn Progress) -> Result<bool, PortError> {
        let _held = self.lock()?;
        if self.state(&Quiet)? == ModelState::Sound {
            return Ok(false);
        }
        let (stage, source) = match origin {
            ModelOrigin::Hub => (self.fetch(progress)?, self.hub.clone()),
            ModelOrigin::Disk(from) => (self.copy(from, progress)?, from.to_string_lossy().into_owned()),
        };
        testify(self.model, &stage, &source)?;
        self.put_in_place(&stage)?;
        Ok(true)
    }
}

/// What a failure of `check` is about.
fn flaw_of(error: &PortError) -> Option<ModelFlaw> {
    let source = error.source.as_ref().filter(|_| error.kind == ErrorKind::Corrupt)?;
    source.downcast_ref::<ModelFlaw>().cloned()
}

/// Writes down that the files are those which were published.
fn testify(model: &Model, stage: &Path, source: &str) -> Result<(), PortError> {
    let files: Vec<_> = model
        .files
        .iter()
        .map(|file| json!({"name": file.name, "bytes": file.bytes, "sha256": file.sha256}))
        .collect();
    let witness = json!({
        "model": model.name,
        "revision": model.revision,
        "licence": model.licence,
        "attribution": model.attribution,
        "source": source,
        "files": files,
    });
    let path = stage.join(WITNESS);
    fs::write(&path, format!("{witness:#}\n"))
        .map_err(|e| PortError::io(format!("write '{}'", path.display()), e))
}

/// A file or folder, if it is there; a link itself, never what it leads to.
fn remove(path: &Path) -> Result<(), PortError> {
    let done = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == Io::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    };
    done.map_err(|e| PortError::io(format!("remove '{}'", path.display()), e))
}

#[cfg(test)]
mod tests;
