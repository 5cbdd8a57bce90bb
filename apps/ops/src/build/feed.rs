//! Reading, hashing and parsing of files on their way into the index, side by side with the one writer.

use crate::gate::UNREADABLE;
use skillc_domain::digest::Digest;
use skillc_domain::document::Document;
use skillc_domain::fault::Warning;
use skillc_domain::format::{Cut, Format, format_of};
use skillc_domain::freshness::RecordedFile;
use skillc_domain::limits::TEXT_BYTES_MAX;
use skillc_domain::path::RelPath;
use skillc_domain::survey::SurveyedFile;
use skillc_ports::{
    DocumentReader, ErrorKind, IndexFeed, IndexedFile, PortError, Progress, Publication, SkillFiles,
    SkillTree,
};
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

/// Files that travel together: enough to make a hand-over cheap, few enough to bound memory.
const BATCH_FILES_MAX: usize = 16;
/// Bytes of a batch, unless one file alone has more.
const BATCH_BYTES_MAX: u64 = 256 * 1024;
/// Batches that wait between a reader and the writer.
const BATCHES_WAITING_MAX: usize = 2;
/// More readers were no faster: the writer is what takes the time.
const READERS_MAX: usize = 4;

/// What is needed to read files.
#[derive(Clone)]
pub struct Source {
    /// The skill.
    pub tree: Arc<dyn SkillTree>,
    /// Digests.
    pub files: Arc<dyn SkillFiles>,
    /// Markdown.
    pub reader: Arc<dyn DocumentReader>,
}

/// A file that was read, or the reason why its text is not in the index; `None` inside when it is gone.
struct Parsed {
    file: Option<IndexedFile>,
    warning: Option<Warning>,
}

impl Source {
    /// Reads one file. One that vanished since the survey is left out: the next survey will not see it either.
    fn parse(&self, file: &SurveyedFile) -> Result<Parsed, PortError> {
        let done = match format_of(&file.path) {
            Some(format) if file.stamp.size <= TEXT_BYTES_MAX => self.parse_text(file, format),
            Some(_) => self.digest(file, Some(too_large(&file.path))),
            None => self.digest(file, None),
        };
        match done {
            Err(error) if matches!(error.kind, ErrorKind::NotFound | ErrorKind::NotAFile) => {
                Ok(Parsed { file: None, warning: None })
            }
            Err(error) if error.kind == ErrorKind::Denied => {
                let message = error.reason().to_owned();
                let warning = Warning::FileUnreadable { path: file.path.to_string(), message };
                Ok(Parsed { file: Some(bare(file, UNREADABLE)), warning: Some(warning) })
            }
            // Swapped for a link that leads out since the survey: the fault names the path alone.
            Err(error) if error.kind == ErrorKind::Escapes => {
                Err(PortError { doing: file.path.to_string(), ..error })
            }
            Err(error) if error.kind == ErrorKind::TooLarge => self.digest(file, Some(too_large(&file.path))),
            other => other,
        }
    }

    fn digest(&self, file: &SurveyedFile, warning: Option<Warning>) -> Result<Parsed, PortError> {
        Ok(Parsed { file: Some(bare(file, self.tree.digest(&file.path)?)), warning })
    }

    fn parse_text(&self, file: &SurveyedFile, format: &Format) -> Result<Parsed, PortError> {
        let content = self.tree.read(&file.path, TEXT_BYTES_MAX)?;
        let bare = bare(file, self.files.digest(&content.bytes));
        let Ok(text) = String::from_utf8(content.bytes) else {
            let warning = Warning::FileNotUtf8 { path: file.path.to_string() };
            return Ok(Parsed { file: Some(bare), warning: Some(warning) });
        };
        let document = match format.cut {
            Cut::Headings => self.reader.document(&text),
            Cut::Whole => Document::plain(&text),
        };
        let sections = document.sections();
        Ok(Parsed { file: Some(IndexedFile { text: Some(text), sections, ..bare }), warning: None })
    }
}

fn bare(file: &SurveyedFile, digest: Digest) -> IndexedFile {
    let record = RecordedFile { path: file.path.clone(), stamp: file.stamp, digest };
    IndexedFile { record, text: None, sections: Vec::new() }
}

fn too_large(path: &RelPath) -> Warning {
    Warning::FileTooLarge { path: path.to_string(), limit: TEXT_BYTES_MAX.to_string() }
}

type Batch = Vec<Result<Parsed, PortError>>;

/// A feed that reads files on threads of its own, in the order of paths.
///
/// Reader `i` of `n` takes batches `i`, `i + n`, …, and the feed takes one from each in turn, so the order of rows does
/// not depend on which is faster. A reader ends when its channel is dropped.
pub struct FileFeed<F> {
    channels: Vec<Receiver<Batch>>,
    next_channel: usize,
    batch: std::vec::IntoIter<Result<Parsed, PortError>>,
    batches_left: usize,
    progress: Arc<dyn Progress>,
    /// What was read, for the source hash.
    records: Vec<RecordedFile>,
    warnings: Vec<Warning>,
    publish: F,
}

impl<F> FileFeed<F>
where
    F: FnMut(&[RecordedFile]) -> Result<Publication, PortError> + Send,
{
    /// Begins to read. `publish` is asked for the publication after the last file.
    pub fn new(
        source: Source,
        files: Arc<Vec<SurveyedFile>>,
        progress: Arc<dyn Progress>,
        publish: F,
    ) -> Self {
        let batches = Arc::new(batches(&files));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let readers = batches.len().min(cores.saturating_sub(1).clamp(1, READERS_MAX)).max(1);
        let read = |first: usize| {
            let (sender, channel) = sync_channel(BATCHES_WAITING_MAX);
            let (source, files, batches) = (source.clone(), files.clone(), batches.clone());
            std::thread::spawn(move || {
                for range in batches.iter().skip(first).step_by(readers) {
                    let batch = files[range.clone()].iter().map(|file| source.parse(file)).collect();
                    if sender.send(batch).is_err() {
                        break;
                    }
                }
            });
            channel
        };
        Self {
            channels: (0..readers).map(read).collect(),
            next_channel: 0,
            batch: Vec::new().into_iter(),
            batches_left: batches.len(),
            progress,
            records: Vec::new(),
            warnings: Vec::new(),
            publish,
        }
    }

    /// The files whose text is not in the index.
    pub fn into_warnings(self) -> Vec<Warning> {
        self.warnings
    }

    fn next_parsed(&mut self) -> Option<Result<Parsed, PortError>> {
        loop {
            if let Some(parsed) = self.batch.next() {
                return Some(parsed);
            }
            if self.batches_left == 0 {
                return None;
            }
            self.batches_left -= 1;
            let channel = &self.channels[self.next_channel];
            self.next_channel = (self.next_channel + 1) % self.channels.len();
            match channel.recv() {
                Ok(batch) => {
                    self.progress.advance(batch.len() as u64);
                    self.batch = batch.into_iter();
                }
                Err(_) => return Some(Err(PortError::new(ErrorKind::Failed, "read the files of the skill"))),
            }
        }
    }
}

impl<F> IndexFeed for FileFeed<F>
where
    F: FnMut(&[RecordedFile]) -> Result<Publication, PortError> + Send,
{
    fn next(&mut self) -> Option<Result<IndexedFile, PortError>> {
        loop {
            let Parsed { file, warning } = match self.next_parsed()? {
                Ok(parsed) => parsed,
                Err(error) => return Some(Err(error)),
            };
            self.warnings.extend(warning);
            if let Some(file) = file {
                self.records.push(file.record.clone());
                return Some(Ok(file));
            }
        }
    }

    fn publication(&mut self) -> Result<Publication, PortError> {
        (self.publish)(&self.records)
    }
}

fn batches(files: &[SurveyedFile]) -> Vec<Range<usize>> {
    let mut batches: Vec<Range<usize>> = Vec::new();
    let mut bytes = 0;
    for (at, file) in files.iter().enumerate() {
        match batches.last_mut() {
            Some(last) if last.len() < BATCH_FILES_MAX && bytes + file.stamp.size <= BATCH_BYTES_MAX => {
                last.end += 1;
                bytes += file.stamp.size;
            }
            _ => {
                batches.push(at..at + 1);
                bytes = file.stamp.size;
            }
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillc_domain::survey::Stamp;

    #[test]
    fn batches_are_bounded_in_files_and_bytes() {
        let file = |size| SurveyedFile {
            path: RelPath::from_walk("a".into()),
            stamp: Stamp { size, ..Stamp::default() },
        };
        let sizes = |files: &[SurveyedFile]| batches(files).iter().map(|b| b.len()).collect::<Vec<_>>();
        assert_eq!(sizes(&vec![file(1); 40]), [16, 16, 8]);
        assert_eq!(sizes(&[file(BATCH_BYTES_MAX * 9), file(1), file(1)]), [1, 2]);
        assert!(sizes(&[]).is_empty());
    }
}
