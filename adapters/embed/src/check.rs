//! Compares files with those of the published model.

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use skillc_domain::digest::Digest;
use skillc_domain::model::{CONFIG, EmbeddingModel, ModelFile, ModelFlaw, SHAPE};
use skillc_ports::{ErrorKind, PortError, Progress};
use std::fs::{self, File};
use std::io::{self, ErrorKind as Io, Read};
use std::path::Path;

/// Number of bytes hashed at a time.
const BLOCK_BYTES: usize = 1024 * 1024;

/// The file that records that all files were checked, and where they came from. A folder without it is not a model.
pub(crate) const RECEIPT: &str = "installed.json";

/// Maximum size in bytes of a receipt; it has about 900.
const RECEIPT_BYTES_MAX: u64 = 64 * 1024;

/// Maximum size in bytes of `config.json`: a hundred times the published file.
pub(crate) const CONFIG_BYTES_MAX: u64 = CONFIG.bytes * 100;

/// Converts errors of accessing a path to port errors; `verb` begins their message.
pub(crate) fn io_error(verb: &'static str, path: &Path) -> impl Fn(io::Error) -> PortError + Copy {
    move |error| PortError::io(format!("{verb} '{}'", path.display()), error)
}

/// The error for files that differ from the published model.
pub(crate) fn model_error(folder: &Path, flaw: ModelFlaw) -> PortError {
    PortError::new(ErrorKind::Corrupt, format!("use the model in '{}'", folder.display())).caused_by(flaw)
}

/// Checks that every file exists with the published size; takes one `stat` each.
pub(crate) fn check_lengths(model: &EmbeddingModel, folder: &Path) -> Result<(), PortError> {
    for file in model.files {
        let bytes = length(folder, &file)?;
        if !is_config(&file) {
            file.check_length(bytes).map_err(|flaw| model_error(folder, flaw))?;
        }
    }
    Ok(())
}

/// Whether a file is compared by its values, because other commits differ in some that do not affect the network.
pub(crate) fn is_config(file: &ModelFile) -> bool {
    file.name == CONFIG.name
}

fn length(folder: &Path, file: &ModelFile) -> Result<u64, PortError> {
    let path = folder.join(file.name);
    match fs::metadata(&path) {
        Ok(metadata) if metadata.is_file() => Ok(metadata.len()),
        Ok(_) => Err(model_error(folder, ModelFlaw::Missing { file: file.name })),
        Err(error) if matches!(error.kind(), Io::NotFound | Io::NotADirectory) => {
            Err(model_error(folder, ModelFlaw::Missing { file: file.name }))
        }
        Err(error) => Err(io_error("read", &path)(error)),
    }
}

/// Checks that a folder's receipt is for these weights; those of another version may have the same size.
pub(crate) fn check_receipt(model: &EmbeddingModel, folder: &Path) -> Result<(), PortError> {
    let path = folder.join(RECEIPT);
    let flawed = |flaw| model_error(folder, flaw);
    let receipt = match File::open(&path) {
        Err(error) if error.kind() == Io::NotFound => return Err(flawed(ModelFlaw::Unchecked)),
        opened => opened.map_err(io_error("read", &path))?,
    };
    let receipt: Option<Value> = serde_json::from_reader(receipt.take(RECEIPT_BYTES_MAX)).ok();
    let files = receipt.as_ref().and_then(|receipt| receipt["files"].as_array());
    let weights = model.weights();
    let has_weights = |file: &Value| file["name"] == weights.name && file["sha256"] == weights.sha256;
    match files {
        None => Err(flawed(ModelFlaw::Unchecked)),
        Some(files) if files.iter().any(has_weights) => Ok(()),
        Some(_) => Err(flawed(ModelFlaw::Outdated)),
    }
}

/// Checks everything that does not require reading the weights.
pub(crate) fn check_shape(model: &EmbeddingModel, folder: &Path) -> Result<(), PortError> {
    length(folder, &CONFIG)?;
    check_config(folder)?;
    check_lengths(model, folder)
}

/// Checks that every file has the published bytes, or for `config.json` the published values.
pub(crate) fn check_contents(
    model: &EmbeddingModel,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<(), PortError> {
    check_shape(model, folder)?;
    progress.begin("Checking the model", model.bytes());
    let checked = model.files.iter().filter(|file| !is_config(file)).try_for_each(|file| {
        let digest = digest(&folder.join(file.name), progress)?;
        file.check_digest(digest).map_err(|flaw| model_error(folder, flaw))
    });
    progress.end();
    checked
}

/// Checks that `config.json` describes the network.
fn check_config(folder: &Path) -> Result<(), PortError> {
    let path = folder.join(CONFIG.name);
    let failed = io_error("read", &path);
    let file = File::open(&path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(CONFIG_BYTES_MAX).read_to_end(&mut bytes).map_err(failed)?;
    let config: Value = serde_json::from_slice(&bytes)
        .map_err(|_| model_error(folder, ModelFlaw::Foreign { file: CONFIG.name }))?;
    for &(key, expected) in SHAPE {
        let value = config[key].as_u64();
        if value != Some(expected) {
            return Err(model_error(folder, ModelFlaw::Shape { key, value, expected }));
        }
    }
    Ok(())
}

/// SHA-256 of a file; reports the bytes read as progress.
pub(crate) fn digest(path: &Path, progress: &dyn Progress) -> Result<Digest, PortError> {
    let failed = io_error("read", path);
    let mut file = File::open(path).map_err(failed)?;
    let (mut sha, mut block) = (Sha256::new(), vec![0; BLOCK_BYTES]);
    loop {
        match file.read(&mut block).map_err(failed)? {
            0 => return Ok(Digest(sha.finalize().into())),
            read => {
                sha.update(&block[..read]);
                progress.advance(read as u64);
            }
        }
    }
}
