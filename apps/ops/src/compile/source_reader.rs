//! Reads, hashes and parses the files of a skill in threads, while another thread writes the index.

use super::skill_file::SkillFile;
use super::stub::reference;
use skillc_domain::digest::FileDigest;
use skillc_domain::document::Document;
use skillc_domain::fault::Warning;
use skillc_domain::format::{Cut, Format, format_of};
use skillc_domain::freshness::RecordedFile;
use skillc_domain::frontmatter::Opening;
use skillc_domain::limits::TEXT_BYTES_MAX;
use skillc_domain::path::RelPath;
use skillc_domain::places::SKILL_FILE;
use skillc_domain::section::IndexableText;
use skillc_domain::stub::Reference;
use skillc_domain::survey::SurveyedFile;
use skillc_ports::{DocumentReader, ErrorKind, IndexedFile, PortError, Progress, SkillFiles, SkillTree};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

/// Maximum number of files in a batch: enough to make handing it over cheap, few enough that the writer need not wait
/// for the first.
const BATCH_FILES_MAX: usize = 4;
/// Maximum size of a batch in bytes, unless a single file is larger.
const BATCH_BYTES_MAX: u64 = 256 * 1024;
/// Number of batches queued between a reader and the writer, so that neither is woken often. With 2, builds of 1,000
/// files took 5 % longer.
const BATCHES_WAITING_MAX: usize = 32;
/// Number of batches up to which the number of cores is not queried, since that takes as long as reading a batch.
const FEW_BATCHES: usize = 64;
/// Number of bytes up to which files are read without a thread. Starting one, and waking the writer, took longer when
/// measured.
const BYTES_HERE_MAX: u64 = 128 * 1024;
/// Maximum number of reader threads. More were not faster, since the writer takes the most time.
const READERS_MAX: usize = 4;

/// The source of a build, with everything needed to read it.
#[derive(Clone)]
pub struct Source {
    pub tree: Arc<dyn SkillTree>,
    pub files: Arc<dyn SkillFiles>,
    pub reader: Arc<dyn DocumentReader>,
    /// SKILL.md, which has already been read.
    pub skill_file: Arc<SkillFile>,
    /// The files that the stub lists, sorted by path.
    pub listed: Arc<[RelPath]>,
}

/// A file that was read; empty if it vanished after the survey.
#[derive(Default)]
struct Parsed {
    file: Option<IndexedFile>,
    reference: Option<Reference>,
    /// Why the text is not in the index, if it is not.
    warning: Option<Warning>,
}

impl Source {
    /// Reads one file. A file that vanished after the survey is omitted, since the next survey will not find it
    /// either.
    fn parse(&self, file: &SurveyedFile) -> Result<Parsed, PortError> {
        if file.path.as_str() == SKILL_FILE {
            return Ok(self.parsed_skill_file(file));
        }
        let done = match format_of(&file.path) {
            Some(format) if file.stamp.size <= TEXT_BYTES_MAX => self.parse_text(file, format),
            Some(_) => self.digest(file, Some(too_large(&file.path))),
            None => self.digest(file, None),
        };
        match done {
            Err(error) if matches!(error.kind, ErrorKind::NotFound | ErrorKind::NotAFile) => {
                Ok(Parsed::default())
            }
            Err(error) if error.kind == ErrorKind::Denied => {
                let message = error.reason().to_owned();
                let warning = Warning::FileUnreadable { path: file.path.to_string(), message };
                Ok(Parsed {
                    file: Some(bare(file, FileDigest::Unreadable)),
                    warning: Some(warning),
                    ..Parsed::default()
                })
            }
            // Since the survey, it was replaced by a link that leads out of the skill.
            Err(error) if error.kind == ErrorKind::Escapes => Err(error.at(Path::new(file.path.as_str()))),
            Err(error) if error.kind == ErrorKind::TooLarge => self.digest(file, Some(too_large(&file.path))),
            other => other,
        }
    }

    fn parsed_skill_file(&self, file: &SurveyedFile) -> Parsed {
        let SkillFile { text, document, .. } = self.skill_file.as_ref();
        let indexable = IndexableText::new(text.clone(), document.sections());
        let bare = bare(file, FileDigest::Content(self.files.digest(text.as_bytes())));
        Parsed { file: Some(IndexedFile { text: Some(indexable), ..bare }), ..Parsed::default() }
    }

    fn digest(&self, file: &SurveyedFile, warning: Option<Warning>) -> Result<Parsed, PortError> {
        let digest = FileDigest::Content(self.tree.digest(&file.path)?);
        Ok(Parsed { file: Some(bare(file, digest)), warning, ..Parsed::default() })
    }

    fn parse_text(&self, file: &SurveyedFile, format: &Format) -> Result<Parsed, PortError> {
        let content = self.tree.read(&file.path, TEXT_BYTES_MAX)?;
        let bare = bare(file, FileDigest::Content(self.files.digest(&content.bytes)));
        let Ok(text) = String::from_utf8(content.bytes) else {
            let warning = Warning::FileNotUtf8 { path: file.path.to_string() };
            return Ok(Parsed { file: Some(bare), warning: Some(warning), ..Parsed::default() });
        };
        let document = match format.cut {
            Cut::Headings => self.reader.document(&text, Opening::of(&file.path)),
            Cut::Whole => Document::plain(&text),
        };
        let is_listed = self.listed.binary_search(&file.path).is_ok();
        let reference = is_listed.then(|| reference(self.reader.as_ref(), &file.path, &text, &document));
        let sections = document.sections();
        Ok(Parsed {
            file: Some(IndexedFile { text: Some(IndexableText::new(text, sections)), ..bare }),
            reference,
            warning: None,
        })
    }
}

fn bare(file: &SurveyedFile, digest: FileDigest) -> IndexedFile {
    let record = RecordedFile { path: file.path.clone(), stamp: file.stamp, digest };
    IndexedFile { record, text: None }
}

fn too_large(path: &RelPath) -> Warning {
    Warning::FileTooLarge { path: path.to_string(), limit: TEXT_BYTES_MAX }
}

type Batch = Vec<Result<Parsed, PortError>>;

/// What a build needs to know about the files that were read, apart from their rows.
#[derive(Default)]
pub struct ReadFiles {
    /// Path, stamp and digest of each file, sorted by path.
    pub records: Vec<RecordedFile>,
    /// The files that the stub lists, sorted by path.
    pub references: Vec<(RelPath, Reference)>,
    /// One warning per file whose text is not in the index.
    pub warnings: Vec<Warning>,
}

/// Iterates over the files by path. Threads read ahead.
pub struct SourceReader {
    batches: Batches,
    batch: std::vec::IntoIter<Result<Parsed, PortError>>,
    progress: Arc<dyn Progress>,
    read: ReadFiles,
}

impl SourceReader {
    pub fn new(source: Source, files: Arc<[SurveyedFile]>, progress: Arc<dyn Progress>) -> Self {
        let batches = Batches::new(source, files);
        Self { batches, batch: Vec::new().into_iter(), progress, read: ReadFiles::default() }
    }

    /// Information about the files that the iterator has returned.
    pub fn finish(self) -> ReadFiles {
        self.read
    }

    fn next_parsed(&mut self) -> Option<Result<Parsed, PortError>> {
        loop {
            if let Some(parsed) = self.batch.next() {
                return Some(parsed);
            }
            match self.batches.next()? {
                Ok(batch) => {
                    self.progress.advance(batch.len() as u64);
                    self.batch = batch.into_iter();
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl Iterator for SourceReader {
    type Item = Result<IndexedFile, PortError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Parsed { file, reference, warning } = match self.next_parsed()? {
                Ok(parsed) => parsed,
                Err(error) => return Some(Err(error)),
            };
            self.read.warnings.extend(warning);
            let Some(file) = file else { continue };
            self.read.references.extend(reference.map(|reference| (file.record.path.clone(), reference)));
            self.read.records.push(file.record.clone());
            return Some(Ok(file));
        }
    }
}

/// Batches of parsed files, sorted by path.
enum Batches {
    /// So few files that a thread would cost more than it saves.
    Here { source: Source, files: Arc<[SurveyedFile]>, is_done: bool },
    /// Reader `i` of `n` reads batches `i`, `i + n`, …, and batches are received from each in turn, so that the order
    /// of rows does not depend on the speed of threads. A reader ends when its channel is dropped.
    Threads { channels: Vec<Receiver<Batch>>, next: usize, left: usize },
}

impl Batches {
    fn new(source: Source, files: Arc<[SurveyedFile]>) -> Self {
        let ranges: Arc<[Range<usize>]> = batches(&files).into();
        if files.iter().map(|file| file.stamp.size).sum::<u64>() <= BYTES_HERE_MAX {
            return Self::Here { source, files, is_done: false };
        }
        let readers = readers(ranges.len());
        let read = |first: usize| {
            let (sender, channel) = sync_channel(BATCHES_WAITING_MAX);
            let (source, files, ranges) = (source.clone(), files.clone(), ranges.clone());
            std::thread::spawn(move || {
                for range in ranges.iter().skip(first).step_by(readers) {
                    let batch = files[range.clone()].iter().map(|file| source.parse(file)).collect();
                    if sender.send(batch).is_err() {
                        break;
                    }
                }
            });
            channel
        };
        Self::Threads { channels: (0..readers).map(read).collect(), next: 0, left: ranges.len() }
    }

    fn next(&mut self) -> Option<Result<Batch, PortError>> {
        match self {
            Self::Here { is_done: true, .. } | Self::Threads { left: 0, .. } => None,
            Self::Here { source, files, is_done } => {
                *is_done = true;
                Some(Ok(files.iter().map(|file| source.parse(file)).collect()))
            }
            Self::Threads { channels, next, left } => {
                *left -= 1;
                let channel = &channels[*next];
                *next = (*next + 1) % channels.len();
                Some(
                    channel
                        .recv()
                        .map_err(|_| PortError::new(ErrorKind::Failed, "read the files of the skill")),
                )
            }
        }
    }
}

/// The number of reader threads; one core is left for the writer.
fn readers(batches: usize) -> usize {
    if batches <= FEW_BATCHES {
        return 1;
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    cores.saturating_sub(1).clamp(1, READERS_MAX)
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
        assert_eq!(sizes(&vec![file(1); 10]), [4, 4, 2]);
        assert_eq!(sizes(&[file(BATCH_BYTES_MAX * 9), file(1), file(1)]), [1, 2]);
        assert!(sizes(&[]).is_empty());
    }
}
