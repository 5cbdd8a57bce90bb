//! Whether files are the model.

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use skillc_domain::digest::Digest;
use skillc_domain::model::{CONFIG, Model, ModelFile, ModelFlaw, SHAPE};
use skillc_ports::{ErrorKind, PortError, Progress};
use std::fs::{self, File};
use std::io::{ErrorKind as Io, Read};
use std::path::Path;

/// Bytes that are digested at once.
const BLOCK_BYTES: usize = 1024 * 1024;

/// Bytes of a `config.json` that are read: a hundred times the published one, which holds nothing but a few numbers.
pub(crate) const CONFIG_BYTES_MAX: u64 = CONFIG.bytes * 100;

/// A failure of files that are not the model.
pub(crate) fn flawed(folder: &Path, flaw: ModelFlaw) -> PortError {
    PortError::new(ErrorKind::Corrupt, format!("use the model in '{}'", folder.display())).caused_by(flaw)
}

/// Whether every file is there and as long as the published one. Costs one look at each.
pub(crate) fn lengths(model: &Model, folder: &Path) -> Result<(), PortError> {
    for file in model.files {
        let bytes = length(folder, &file)?;
        if !is_config(&file) {
            file.check_length(bytes).map_err(|flaw| flawed(folder, flaw))?;
        }
    }
    Ok(())
}

/// Whether it is compared by what it says: one of another commit may differ in what the network does not depend on.
pub(crate) fn is_config(file: &ModelFile) -> bool {
    file.name == CONFIG.name
}

fn length(folder: &Path, file: &ModelFile) -> Result<u64, PortError> {
    let path = folder.join(file.name);
    match fs::metadata(&path) {
        Ok(metadata) if metadata.is_file() => Ok(metadata.len()),
        Ok(_) => Err(flawed(folder, ModelFlaw::Missing { file: file.name })),
        Err(error) if matches!(error.kind(), Io::NotFound | Io::NotADirectory) => {
            Err(flawed(folder, ModelFlaw::Missing { file: file.name }))
        }
        Err(error) => Err(PortError::io(format!("read '{}'", path.display()), error)),
    }
}

/// Whether every file may be the one that was published, as far as that can be told without reading the weights.
pub(crate) fn looks_right(model: &Model, folder: &Path) -> Result<(), PortError> {
    length(folder, &CONFIG)?;
    shape(folder)?;
    lengths(model, folder)
}

/// Whether every file has the bytes of the published one; of `config.json`, the numbers that count.
pub(crate) fn wholly(model: &Model, folder: &Path, progress: &dyn Progress) -> Result<(), PortError> {
    looks_right(model, folder)?;
    progress.begin("Checking the model", model.bytes());
    let checked = model.files.iter().filter(|file| !is_config(file)).try_for_each(|file| {
        let digest = digest(&folder.join(file.name), progress)?;
        file.check_digest(digest).map_err(|flaw| flawed(folder, flaw))
    });
    progress.end();
    checked
}

/// Whether `config.json` describes the network.
fn shape(folder: &Path) -> Result<(), PortError> {
    let path = folder.join(CONFIG.name);
    let doing = || format!("read '{}'", path.display());
    let file = File::open(&path).map_err(|e| PortError::io(doing(), e))?;
    let mut bytes = Vec::new();
    file.take(CONFIG_BYTES_MAX).read_to_end(&mut bytes).map_err(|e| PortError::io(doing(), e))?;
    let config: Value = serde_json::from_slice(&bytes)
        .map_err(|_| flawed(folder, ModelFlaw::Foreign { file: CONFIG.name }))?;
    for &(key, expected) in SHAPE {
        let value = config[key].as_u64();
        if value != Some(expected) {
            return Err(flawed(folder, ModelFlaw::Shape { key, value, expected }));
        }
    }
    Ok(())
}

/// SHA-256 of a file; tells its bytes as they go by.
pub(crate) fn digest(path: &Path, progress: &dyn Progress) -> Result<Digest, PortError> {
    let doing = || format!("read '{}'", path.display());
    let mut file = File::open(path).map_err(|e| PortError::io(doing(), e))?;
    let (mut sha, mut block) = (Sha256::new(), vec![0; BLOCK_BYTES]);
    loop {
        match file.read(&mut block).map_err(|e| PortError::io(doing(), e))? {
            0 => return Ok(Digest(sha.finalize().into())),
            read => {
                sha.update(&block[..read]);
                progress.advance(read as u64);
            }
        }
    }
}
