//! Installs models in their folders.

use crate::check::{self, RECEIPT, io_error};
use crate::disk;
use crate::hub::{Download, HubLimits};
use serde_json::json;
use skillc_domain::model::{EmbeddingModel, ModelFlaw};
use skillc_ports::models::{ModelOrigin, ModelState, ModelStore, OtherInstall};
use skillc_ports::{ErrorKind, PortError, Progress, Quiet};
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind as Io, Write};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The hub on which the authors of all-MiniLM-L6-v2 published it.
pub const HUB: &str = "https://huggingface.co";

/// The interval at which a waiting install checks the lock.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Models in a local folder, each in a subfolder with its name.
///
/// The folder also contains `.lock` with the id of its last owner, and during an installation `.<name>.part`
/// (downloaded so far), `.<name>.copy` and `.<name>.old`.
#[derive(Clone, Debug)]
pub struct DiskModelStore {
    models: PathBuf,
    hub: String,
    limits: HubLimits,
}

impl DiskModelStore {
    /// Installs below the folder `models`, from a hub such as [`HUB`].
    pub fn new(models: &Path, hub: &str) -> Self {
        let hub = hub.trim_end_matches('/').to_owned();
        Self { models: models.to_owned(), hub, limits: HubLimits::default() }
    }

    fn of<'a>(&'a self, model: &'static EmbeddingModel) -> ModelFolder<'a> {
        ModelFolder { model, folder: self.models.join(model.name), store: self }
    }

    fn address(&self, model: &EmbeddingModel) -> Option<String> {
        let hub = model.hub?;
        Some(format!("{}/{}/resolve/{}", self.hub, hub.repository, hub.revision))
    }
}

/// A model in its folder.
struct ModelFolder<'a> {
    model: &'static EmbeddingModel,
    folder: PathBuf,
    store: &'a DiskModelStore,
}

impl ModelFolder<'_> {
    /// A path next to the model's folder.
    fn sibling(&self, end: &str) -> PathBuf {
        self.folder.with_file_name(format!(".{}.{end}", self.model.name))
    }

    /// Locks the model's folder until the file is closed. Waits a limited time for another installation.
    fn lock(&self, progress: &dyn Progress) -> Result<File, PortError> {
        let path = self.folder.with_file_name(".lock");
        let failed = io_error("write", &path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let file = File::options().write(true).create(true).truncate(false).open(&path);
        let file = file.map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            // Without locks, the last installation wins.
            Err(TryLockError::Error(error)) if error.kind() == Io::Unsupported => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
            Err(TryLockError::WouldBlock) => self.wait(&path, &file, progress)?,
        }
        write_process_id(&path, &file);
        Ok(file)
    }

    fn wait(&self, path: &Path, file: &File, progress: &dyn Progress) -> Result<(), PortError> {
        let (since, mut reported_s) = (Instant::now(), 0);
        progress.begin(
            &format!("Waiting for {}, which installs the model", holder(path)),
            self.store.limits.install_max.as_secs(),
        );
        let waited = loop {
            if file.try_lock().is_ok() {
                break Ok(());
            }
            if since.elapsed() >= self.store.limits.install_max {
                let doing = format!("lock '{}'", path.display());
                break Err(PortError::new(ErrorKind::Busy, doing).caused_by(holder(path)));
            }
            sleep(POLL_INTERVAL.min(self.store.limits.install_max));
            let waited_s = since.elapsed().as_secs();
            progress.advance(waited_s - reported_s);
            reported_s = waited_s;
        };
        progress.end();
        waited
    }

    fn fetch(&self, address: &str, progress: &dyn Progress) -> Result<PathBuf, PortError> {
        let stage = self.sibling("part");
        fs::create_dir_all(&stage).map_err(io_error("write", &stage))?;
        Download::new(self.model, address, &stage, self.store.limits, progress).all()?;
        Ok(stage)
    }

    fn copy(&self, from: &Path, progress: &dyn Progress) -> Result<PathBuf, PortError> {
        let stage = self.sibling("copy");
        remove(&stage)?;
        fs::create_dir_all(&stage).map_err(io_error("write", &stage))?;
        disk::copy(self.model, from, &stage, progress).inspect_err(|_| {
            let _ = fs::remove_dir_all(&stage);
        })?;
        Ok(stage)
    }

    fn put_in_place(&self, stage: &Path) -> Result<(), PortError> {
        let old = self.sibling("old");
        remove(&old)?;
        let failed = io_error("write", &self.folder);
        if self.folder.symlink_metadata().is_ok() {
            fs::rename(&self.folder, &old).map_err(failed)?;
        }
        if let Err(error) = fs::rename(stage, &self.folder) {
            let _ = fs::rename(&old, &self.folder);
            return Err(failed(error));
        }
        remove(&old)
    }
}

impl ModelStore for DiskModelStore {
    fn folder(&self, model: &'static EmbeddingModel) -> PathBuf {
        self.of(model).folder
    }

    fn hub(&self, model: &'static EmbeddingModel) -> Option<String> {
        self.address(model)
    }

    fn recognize(&self, path: &Path) -> Result<&'static EmbeddingModel, PortError> {
        disk::recognize(path)
    }

    fn state(
        &self,
        model: &'static EmbeddingModel,
        progress: &dyn Progress,
    ) -> Result<ModelState, PortError> {
        self.of(model).state(progress)
    }

    fn install(
        &self,
        model: &'static EmbeddingModel,
        origin: &ModelOrigin,
        progress: &dyn Progress,
    ) -> Result<bool, PortError> {
        self.of(model).install(origin, progress)
    }
}

impl ModelFolder<'_> {
    fn state(&self, progress: &dyn Progress) -> Result<ModelState, PortError> {
        if !self.folder.exists() {
            return Ok(ModelState::Missing);
        }
        let checked = check::check_contents(self.model, &self.folder, progress)
            .and_then(|()| check::check_receipt(self.model, &self.folder));
        match checked {
            Ok(()) => Ok(ModelState::Sound),
            Err(error) => match flaw_of(&error) {
                Some(flaw) => Ok(ModelState::Flawed(flaw)),
                None => Err(error),
            },
        }
    }

    fn install(&self, origin: &ModelOrigin, progress: &dyn Progress) -> Result<bool, PortError> {
        let _lock = self.lock(progress)?;
        if self.state(&Quiet)? == ModelState::Sound {
            return Ok(false);
        }
        let (stage, source) = match origin {
            ModelOrigin::Hub => {
                let doing = || format!("download '{}', which no hub has", self.model.name);
                let address = self.store.address(self.model);
                let address = address.ok_or_else(|| PortError::new(ErrorKind::NotFound, doing()))?;
                (self.fetch(&address, progress)?, address)
            }
            ModelOrigin::Disk(from) => (self.copy(from, progress)?, from.to_string_lossy().into_owned()),
        };
        write_receipt(self.model, &stage, &source)?;
        self.put_in_place(&stage)?;
        Ok(true)
    }
}

/// Writes the process id to the lock file if possible, but never through a link, which would change another file.
fn write_process_id(path: &Path, mut file: &File) {
    if fs::symlink_metadata(path).is_ok_and(|found| found.is_file()) && file.set_len(0).is_ok() {
        let _ = file.write_all(format!("{}\n", std::process::id()).as_bytes());
    }
}

/// The process that holds the lock.
fn holder(path: &Path) -> OtherInstall {
    let text = fs::read_to_string(path).unwrap_or_default();
    OtherInstall { process: text.trim_end().parse().ok() }
}

/// The flaw that caused an error of `check`.
fn flaw_of(error: &PortError) -> Option<ModelFlaw> {
    let source = error.source.as_ref().filter(|_| error.kind == ErrorKind::Corrupt)?;
    source.downcast_ref::<ModelFlaw>().cloned()
}

/// Records that the files are those of the published model.
fn write_receipt(model: &EmbeddingModel, stage: &Path, source: &str) -> Result<(), PortError> {
    let files: Vec<_> = model
        .files
        .iter()
        .map(|file| json!({"name": file.name, "bytes": file.bytes, "sha256": file.sha256}))
        .collect();
    let receipt = json!({
        "model": model.name,
        "revision": model.hub.map(|hub| hub.revision),
        "license": model.license,
        "attribution": model.attribution,
        "source": source,
        "files": files,
    });
    let path = stage.join(RECEIPT);
    fs::write(&path, format!("{receipt:#}\n")).map_err(io_error("write", &path))
}

/// Deletes a file, folder or link if it exists; never follows a link.
fn remove(path: &Path) -> Result<(), PortError> {
    let done = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == Io::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    };
    done.map_err(io_error("remove", path))
}

#[cfg(test)]
mod tests;
