//! Section indexes in memory: plain rows, with a snapshot for each reader.

use crate::faults::{FaultEffect, PortCall};
use crate::machine::MemoryMachine;
use crate::snapshot::{Files, Snapshot};
use crate::tree::{Content, ROOT};
use async_trait::async_trait;
use skillc_domain::freshness::{IndexHeader, RecordedFile};
use skillc_domain::lookup::FoundHeading;
use skillc_domain::path::RelPath;
use skillc_domain::plan::IndexState;
use skillc_domain::query::{Hit, Query};
use skillc_domain::section_names::SectionNames;
use skillc_ports::{
    ErrorKind, IndexChange, IndexReader, IndexWriter, IndexedFile, Patience, PortError, Publication,
    PublishedFile, SectionIndex,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Indexes on a machine in memory. Words are not stemmed, whatever the tokenizer.
#[derive(Clone, Debug)]
pub struct MemorySectionIndex {
    machine: MemoryMachine,
}

/// A reader of one snapshot.
#[derive(Clone, Debug)]
pub struct MemoryIndexReader {
    machine: MemoryMachine,
    snapshot: Arc<Snapshot>,
}

/// Collects files until the commit.
struct MemoryIndexWriter {
    index: PathBuf,
    steps: Steps,
    files: Files,
    /// The snapshot that is edited.
    before: Option<Arc<Snapshot>>,
}

impl MemorySectionIndex {
    /// Stores indexes on this machine.
    pub fn new(machine: &MemoryMachine) -> Self {
        Self { machine: machine.clone() }
    }

    fn snapshot(&self, index: &Path) -> IndexState<Arc<Snapshot>> {
        let tree = &self.machine.world().tree;
        let Ok(id) = tree.find(index) else { return IndexState::Missing };
        match tree.content(id) {
            Content::Index(snapshot) => IndexState::Present(Arc::clone(snapshot)),
            _ => IndexState::Corrupt,
        }
    }

    fn begin(&self, index: &Path, change: IndexChange) -> Result<MemoryIndexWriter, ErrorKind> {
        let steps = Steps::begin(&self.machine)?;
        let (files, before) = match change {
            IndexChange::Replace(_) => (Files::default(), None),
            IndexChange::Edit { removed } => {
                let before = match self.snapshot(index) {
                    IndexState::Present(snapshot) => snapshot,
                    IndexState::Corrupt => return Err(ErrorKind::Corrupt),
                    IndexState::Missing => return Err(ErrorKind::Failed),
                };
                let mut files = before.files.clone();
                removed.iter().for_each(|path| files.remove(path));
                (files, Some(before))
            }
        };
        Ok(MemoryIndexWriter { index: index.to_owned(), steps, files, before })
    }
}

fn write_error(index: &Path, kind: ErrorKind) -> PortError {
    PortError::new(kind, format!("write the index '{}'", index.display()))
}

#[async_trait]
impl SectionIndex for MemorySectionIndex {
    async fn open(&self, index: &Path) -> IndexState<Box<dyn IndexReader>> {
        let machine = self.machine.clone();
        self.snapshot(index)
            .map(|snapshot| Box::new(MemoryIndexReader { machine, snapshot }) as Box<dyn IndexReader>)
    }

    async fn writer(&self, index: &Path, change: IndexChange) -> Result<Box<dyn IndexWriter>, PortError> {
        let writer = self.begin(index, change).map_err(|kind| write_error(index, kind))?;
        Ok(Box::new(writer))
    }
}

#[async_trait]
impl IndexWriter for MemoryIndexWriter {
    async fn put(&mut self, file: IndexedFile) -> Result<(), PortError> {
        self.files.put(file);
        self.steps.take().map_err(|kind| write_error(&self.index, kind))
    }

    async fn commit(self: Box<Self>, publication: &Publication) -> Result<(), PortError> {
        let Self { index, steps, files, before } = *self;
        let snapshot = Snapshot::publish(files, publication, before.as_deref());
        steps.commit(&index, snapshot).map_err(|kind| write_error(&index, kind))
    }
}

/// The changes that a write may still make. The machine is not locked meanwhile, since files are read in between.
struct Steps {
    machine: MemoryMachine,
    left: Option<u64>,
}

impl Steps {
    fn begin(machine: &MemoryMachine) -> Result<Self, ErrorKind> {
        let left = match machine.count(PortCall::WriteIndex) {
            Some(FaultEffect::Refuse(kind)) => return Err(kind),
            Some(FaultEffect::StopAfter(steps)) => Some(steps),
            None => None,
        };
        Ok(Self { machine: machine.clone(), left })
    }

    fn take(&mut self) -> Result<(), ErrorKind> {
        if let Some(left) = &mut self.left {
            *left = left.checked_sub(1).ok_or(ErrorKind::Failed)?;
        }
        self.machine.world().tree.step(&[ROOT])
    }

    /// Makes the last change. A write that is planned to stop stops here at the latest.
    fn commit(self, index: &Path, snapshot: Snapshot) -> Result<(), ErrorKind> {
        if self.left.is_some() {
            return Err(ErrorKind::Failed);
        }
        let tree = &mut self.machine.world().tree;
        tree.make_folders(index.parent().unwrap_or(Path::new("/")))?;
        tree.put(index, Content::Index(Arc::new(snapshot))).map(drop)
    }
}

impl MemoryIndexReader {
    fn query<T>(&self, query: impl FnOnce(&Snapshot) -> T) -> Result<T, PortError> {
        let doing = || "read the index".to_owned();
        self.machine.call(PortCall::ReadIndex, doing, |_| Ok(query(&self.snapshot)))
    }
}

#[async_trait]
impl IndexReader for MemoryIndexReader {
    fn header(&self) -> &IndexHeader {
        &self.snapshot.header
    }

    async fn files(&self) -> Result<Vec<RecordedFile>, PortError> {
        self.query(Snapshot::records)
    }

    async fn published_files(&self) -> Result<Vec<PublishedFile>, PortError> {
        self.query(Snapshot::published_files)
    }

    async fn headings(&self, folded: &str, file: Option<&RelPath>) -> Result<Vec<FoundHeading>, PortError> {
        self.query(|snapshot| snapshot.headings_matching(folded, file))
    }

    async fn all_headings(&self) -> Result<Vec<FoundHeading>, PortError> {
        self.query(Snapshot::headings)
    }

    async fn section_names(&self) -> Result<SectionNames, PortError> {
        let headings = self.query(Snapshot::headings)?;
        Ok(headings.iter().map(|heading| (heading.file.as_str(), heading.text.as_str())).collect())
    }

    async fn search(&self, query: &Query, limit: u32, patience: &Patience) -> Result<Vec<Hit>, PortError> {
        if patience.is_over() {
            return Err(PortError::new(ErrorKind::OutOfTime, "search the index"));
        }
        self.query(|snapshot| snapshot.search(query, limit))
    }
}
