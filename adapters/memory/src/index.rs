//! The index of a machine in memory: plain rows, of which a reader keeps its own moment.

use crate::faults::{Effect, Operation};
use crate::machine::MemoryMachine;
use crate::moment::{Files, Moment};
use crate::tree::{Content, ROOT};
use async_trait::async_trait;
use skillc_domain::freshness::{IndexHeader, RecordedFile};
use skillc_domain::lookup::FoundHeading;
use skillc_domain::path::RelPath;
use skillc_domain::plan::IndexState;
use skillc_domain::query::{Hit, Query};
use skillc_ports::{
    ErrorKind, IndexChange, IndexFeed, IndexReader, Patience, PortError, Projection, SectionIndex,
};
use std::path::Path;
use std::sync::Arc;

/// Indexes on a machine in memory, each at its path. Words are not stemmed, whatever the tokenizer.
#[derive(Clone, Debug)]
pub struct MemorySectionIndex {
    machine: MemoryMachine,
}

/// One moment of an index.
#[derive(Clone, Debug)]
pub struct MemoryIndexReader {
    machine: MemoryMachine,
    moment: Arc<Moment>,
}

impl MemorySectionIndex {
    /// Keeps indexes on this machine.
    pub fn new(machine: &MemoryMachine) -> Self {
        Self { machine: machine.clone() }
    }

    /// What stands at a path: `Err` when it is no index.
    fn moment(&self, index: &Path) -> Result<Option<Arc<Moment>>, ErrorKind> {
        let tree = &self.machine.world().tree;
        let Ok(id) = tree.find(index) else { return Ok(None) };
        match tree.content(id) {
            Content::Index(moment) => Ok(Some(Arc::clone(moment))),
            _ => Err(ErrorKind::Corrupt),
        }
    }

    fn commit(&self, index: &Path, moment: Moment) -> Result<(), ErrorKind> {
        let tree = &mut self.machine.world().tree;
        tree.make_folders(index.parent().unwrap_or(Path::new("/")))?;
        tree.put(index, Content::Index(Arc::new(moment))).map(drop)
    }
}

#[async_trait]
impl SectionIndex for MemorySectionIndex {
    async fn state(&self, index: &Path) -> IndexState {
        match self.moment(index) {
            Ok(None) => IndexState::Missing,
            Err(_) => IndexState::Corrupt,
            Ok(Some(moment)) => IndexState::Present(moment.header.clone()),
        }
    }

    async fn open(&self, index: &Path) -> Option<Box<dyn IndexReader>> {
        let moment = self.moment(index).ok()??;
        Some(Box::new(MemoryIndexReader { machine: self.machine.clone(), moment }))
    }

    async fn write(
        &self,
        index: &Path,
        change: IndexChange,
        feed: &mut dyn IndexFeed,
    ) -> Result<(), PortError> {
        let failed = |kind| PortError::new(kind, format!("write the index '{}'", index.display()));
        let mut steps = Steps::begin(&self.machine).map_err(failed)?;
        let (mut files, before) = match change {
            IndexChange::Replace(_) => (Files::default(), None),
            IndexChange::Edit { removed } => {
                let before = self.moment(index).map_err(failed)?.ok_or_else(|| failed(ErrorKind::Failed))?;
                let mut files = before.files.clone();
                removed.iter().for_each(|path| files.forget(path));
                (files, Some(before))
            }
        };
        while let Some(file) = feed.next() {
            files.put(file?);
            steps.take().map_err(failed)?;
        }
        let moment = Moment::publish(files, feed.publication()?, before.as_deref());
        steps.commit(|| self.commit(index, moment)).map_err(failed)
    }
}

/// The changes that a write may still make. It asks its feed in between, and the feed asks the machine, so the machine
/// cannot be held all the time.
struct Steps<'a> {
    machine: &'a MemoryMachine,
    left: Option<u64>,
}

impl<'a> Steps<'a> {
    fn begin(machine: &'a MemoryMachine) -> Result<Self, ErrorKind> {
        match machine.count(Operation::WriteIndex) {
            Some(Effect::Refuse(kind)) => Err(kind),
            Some(Effect::StopAfter(steps)) => Ok(Self { machine, left: Some(steps) }),
            None => Ok(Self { machine, left: None }),
        }
    }

    fn take(&mut self) -> Result<(), ErrorKind> {
        if let Some(left) = &mut self.left {
            *left = left.checked_sub(1).ok_or(ErrorKind::Failed)?;
        }
        self.machine.world().tree.step(&[ROOT])
    }

    /// The last step; a write that is to stop stops before it at the latest.
    fn commit(self, commit: impl FnOnce() -> Result<(), ErrorKind>) -> Result<(), ErrorKind> {
        if self.left.is_some() { Err(ErrorKind::Failed) } else { commit() }
    }
}

impl MemoryIndexReader {
    fn ask<T>(&self, question: impl FnOnce(&Moment) -> T) -> Result<T, PortError> {
        self.machine.call(
            Operation::ReadIndex,
            || "read the index".to_owned(),
            |_| Ok(question(&self.moment)),
        )
    }
}

#[async_trait]
impl IndexReader for MemoryIndexReader {
    fn header(&self) -> &IndexHeader {
        &self.moment.header
    }

    async fn files(&self) -> Result<Vec<RecordedFile>, PortError> {
        self.ask(Moment::records)
    }

    async fn projections(&self) -> Result<Vec<Projection>, PortError> {
        self.ask(Moment::projections)
    }

    async fn headings(&self, folded: &str, file: Option<&RelPath>) -> Result<Vec<FoundHeading>, PortError> {
        self.ask(|moment| moment.headings_like(folded, file))
    }

    async fn all_headings(&self) -> Result<Vec<FoundHeading>, PortError> {
        self.ask(Moment::headings)
    }

    async fn search(&self, query: &Query, limit: u32, patience: &Patience) -> Result<Vec<Hit>, PortError> {
        if patience.is_over() {
            return Err(PortError::new(ErrorKind::OutOfTime, "search the index"));
        }
        self.ask(|moment| moment.search(query, limit))
    }
}
