//! The index of a skill's sections.

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
use std::path::Path;

/// A file on its way into the index.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexedFile {
    /// Path, stamp and digest.
    pub record: RecordedFile,
    /// Its text, where its format is indexed and it could be read; the rows are cut from it, headings are its sections'.
    pub text: Option<IndexableText>,
}

/// Stub or manifest as committed with the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Projection {
    /// `SKILL.md` or `manifest.json`.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What is committed together with the rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publication {
    /// What the index says about itself from then on.
    pub header: IndexHeader,
    /// Stub and manifest as they are to be.
    pub projections: Vec<Projection>,
}

/// Where the rows come from while an index is written.
pub trait IndexFeed: Send {
    /// The next file, in the order of paths; `None` after the last.
    ///
    /// # Errors
    /// Ends the writing; the index is then as it was.
    fn next(&mut self) -> Option<Result<IndexedFile, PortError>>;

    /// Called once, after the last file.
    ///
    /// # Errors
    /// Ends the writing; the index is then as it was.
    fn publication(&mut self) -> Result<Publication, PortError>;
}

/// How an index is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexChange {
    /// Anew, in place of whatever is there: the feed brings all files.
    Replace(Tokenizer),
    /// In place, where an index is: the feed brings new and changed files, which replace those of the same path; these are forgotten. A
    /// file whose digest is the recorded one gets its new stamp and keeps its rows.
    Edit {
        /// Paths of files that are gone.
        removed: Vec<RelPath>,
    },
}

/// Keeps indexes, each in a file of its own.
#[async_trait]
pub trait SectionIndex: Send + Sync {
    /// What is at a path. Any failure to read it is `Corrupt`. Writes nothing but the roll-back of an interrupted
    /// transaction.
    async fn state(&self, index: &Path) -> IndexState;

    /// Opens an index for reading: one moment of it, whatever a build does meanwhile. `None` when it is missing or
    /// corrupt. A reader is to be dropped soon, since an edit may wait for it.
    async fn open(&self, index: &Path) -> Option<Box<dyn IndexReader>>;

    /// Writes an index in one step: other readers see all of the old or all of the new, also when the process dies at
    /// any moment. Folders are made if need be. The caller holds the build lock. An edit may wait until no reader is
    /// open and give up as `Busy`; a replacement waits for nobody.
    ///
    /// # Errors
    /// What the feed gives, `Denied`, `Busy`, `Failed`; the index is then as it was.
    async fn write(
        &self,
        index: &Path,
        change: IndexChange,
        feed: &mut dyn IndexFeed,
    ) -> Result<(), PortError>;
}

/// One moment of an index.
#[async_trait]
pub trait IndexReader: Send {
    /// What it says about itself.
    fn header(&self) -> &IndexHeader;

    /// All files, sorted by path.
    ///
    /// # Errors
    /// `Corrupt`.
    async fn files(&self) -> Result<Vec<RecordedFile>, PortError>;

    /// Stub and manifest as committed.
    ///
    /// # Errors
    /// `Corrupt`.
    async fn projections(&self) -> Result<Vec<Projection>, PortError>;

    /// Headings whose text folds to `folded` (`domain::fold`), in one file or in all, by file and line.
    ///
    /// # Errors
    /// `Corrupt`.
    async fn headings(&self, folded: &str, file: Option<&RelPath>) -> Result<Vec<FoundHeading>, PortError>;

    /// Every heading, by file and line, for suggestions.
    ///
    /// # Errors
    /// `Corrupt`.
    async fn all_headings(&self) -> Result<Vec<FoundHeading>, PortError>;

    /// The best sections for a query: all words occur in file name, heading or text. By score, then file, then
    /// position; at most `limit`. Takes time linear in the text of what is found.
    ///
    /// # Errors
    /// `Corrupt`, and `OutOfTime` soon after the caller's patience has ended; the index is as good as before then.
    async fn search(&self, query: &Query, limit: u32, patience: &Patience) -> Result<Vec<Hit>, PortError>;
}
