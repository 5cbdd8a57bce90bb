//! The section index of a skill.

use crate::error::PortError;
use crate::patience::Patience;
use async_trait::async_trait;
use skillc_domain::config::Tokenizer;
use skillc_domain::freshness::{IndexHeader, RecordedFile};
use skillc_domain::lookup::FoundHeading;
use skillc_domain::path::RelPath;
use skillc_domain::plan::IndexState;
use skillc_domain::query::{Hit, Query};
use skillc_domain::section::IndexableText;
use skillc_domain::section_names::SectionNames;
use std::path::Path;

/// A file to be indexed.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexedFile {
    /// Path, stamp and digest.
    pub record: RecordedFile,
    /// The text to index; `None` if the format is not indexed or the file could not be read.
    pub text: Option<IndexableText>,
}

/// A file of the runtime that is committed with the index and then written from it: stub or manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedFile {
    /// Path relative to the runtime, as in `RuntimeFile::path`.
    pub name: String,
    /// The complete content of the file.
    pub bytes: Vec<u8>,
}

/// What is committed together with the rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publication {
    /// Replaces the header of the index.
    pub header: IndexHeader,
    /// The new stub and manifest.
    pub files: Vec<PublishedFile>,
}

/// How an index is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexChange {
    /// Replaces any existing index with a new one. Every file is put.
    Replace(Tokenizer),
    /// Changes the existing index. Only new and changed files are put; each replaces the one at the same path. If its
    /// digest is the recorded one, only the stamp changes.
    Edit {
        /// Files to delete from the index.
        removed: Vec<RelPath>,
    },
}

/// Stores indexes, each in its own file.
#[async_trait]
pub trait SectionIndex: Send + Sync {
    /// Opens a snapshot of an index for reading. An index that cannot be read, for whatever reason, is `Corrupt`.
    /// Writes nothing, except that it rolls back an interrupted transaction. Drop the reader soon: an edit may wait for
    /// it.
    async fn open(&self, index: &Path) -> IndexState<Box<dyn IndexReader>>;

    /// Begins to write an index and creates its folders if needed. The caller holds the build lock.
    ///
    /// # Errors
    /// `Denied`, `Busy`, `Failed`; also when there is no index to edit. The index is then unchanged.
    async fn writer(&self, index: &Path, change: IndexChange) -> Result<Box<dyn IndexWriter>, PortError>;
}

/// An index being written. Readers see all of the old index until `commit` and all of the new one afterwards, even if
/// the process dies at any moment. Dropping the writer leaves the index unchanged.
#[async_trait]
pub trait IndexWriter: Send {
    /// Adds a file. Files must be added in the order of their paths, each once.
    ///
    /// # Errors
    /// `Denied`, `Busy`, `Failed`; the writer must then be dropped.
    async fn put(&mut self, file: IndexedFile) -> Result<(), PortError>;

    /// Makes the changes visible in one step. An edit may wait until no reader is open; a replacement never waits.
    ///
    /// # Errors
    /// `Denied`, `Busy` if a reader stays open, `Failed`. The index is then unchanged.
    async fn commit(self: Box<Self>, publication: &Publication) -> Result<(), PortError>;
}

/// A snapshot of an index.
#[async_trait]
pub trait IndexReader: Send {
    /// The metadata of the index.
    fn header(&self) -> &IndexHeader;

    /// All files, sorted by path.
    ///
    /// # Errors
    /// `Corrupt`.
    async fn files(&self) -> Result<Vec<RecordedFile>, PortError>;

    /// The stub and the manifest that the last build committed.
    ///
    /// # Errors
    /// `Corrupt`.
    async fn published_files(&self) -> Result<Vec<PublishedFile>, PortError>;

    /// Headings whose text folds to `folded` (`text::case_fold`), in one file or in all, by file and line.
    ///
    /// # Errors
    /// `Corrupt`.
    async fn headings(&self, folded: &str, file: Option<&RelPath>) -> Result<Vec<FoundHeading>, PortError>;

    /// Every heading, by file and line.
    ///
    /// # Errors
    /// `Corrupt`.
    async fn all_headings(&self) -> Result<Vec<FoundHeading>, PortError>;

    /// File and text of every heading, by file and line.
    ///
    /// # Errors
    /// `Corrupt`.
    async fn section_names(&self) -> Result<SectionNames, PortError>;

    /// At most `limit` sections in which every word of the query occurs, in file name, heading or text; by score, then
    /// file, then position. Takes time linear in the text of the sections found.
    ///
    /// # Errors
    /// `Corrupt`, or `OutOfTime` soon after `patience` ends; the reader remains usable then.
    async fn search(&self, query: &Query, limit: u32, patience: &Patience) -> Result<Vec<Hit>, PortError>;
}
