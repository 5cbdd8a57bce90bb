//! An index on a machine, and content to write to it.

use super::machines::{Machine, RealMachine, block_on, in_memory};
use skillc_domain::config::Tokenizer;
use skillc_domain::digest::{Digest, FileDigest};
use skillc_domain::freshness::{IndexHeader, RecordedFile};
use skillc_domain::limits::INDEX_SCHEMA_VERSION;
use skillc_domain::lookup::FoundHeading;
use skillc_domain::path::RelPath;
use skillc_domain::plan::IndexState;
use skillc_domain::query::{Hit, Query};
use skillc_domain::section::{Heading, IndexableText, Section, sections};
use skillc_domain::survey::Stamp;
use skillc_memory::{MemoryMachine, MemorySectionIndex, MemorySkillFiles};
use skillc_ports::{
    IndexChange, IndexReader, IndexedFile, Patience, PortError, Publication, PublishedFile, SectionIndex,
    SkillFiles,
};
use skillc_sqlite::SqliteSectionIndex;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// An index at a path of a machine.
pub struct IndexScene {
    pub machine: Box<dyn Machine>,
    pub index: Box<dyn SectionIndex>,
}

pub fn memory() -> IndexScene {
    let machine = in_memory();
    let index = Box::new(MemorySectionIndex::new(&machine));
    IndexScene { machine: Box::new(machine), index }
}

pub fn sqlite() -> IndexScene {
    IndexScene { machine: Box::new(RealMachine::new()), index: Box::new(SqliteSectionIndex::default()) }
}

/// The same, with connections that stay open.
pub fn pooled() -> IndexScene {
    IndexScene { machine: Box::new(RealMachine::new()), index: Box::new(SqliteSectionIndex::pooled()) }
}

/// Path of the index, relative to the scene.
pub const INDEX: &str = "runtime/x/.skillc-meta/search-0123456789abcdef.db";

impl IndexScene {
    pub fn path(&self) -> PathBuf {
        self.machine.at(INDEX)
    }

    /// The content of a folder besides the lock that prevents opening while renaming.
    pub fn left_in(&self, folder: &str) -> Vec<String> {
        let mut names = self.machine.names(folder);
        names.retain(|name| !name.ends_with(".lock"));
        names
    }

    /// The header of the index, if it can be opened.
    pub fn state(&self) -> IndexState<IndexHeader> {
        self.open().map(|reader| reader.header().clone())
    }

    pub fn open(&self) -> IndexState<Box<dyn IndexReader>> {
        block_on(self.index.open(&self.path()))
    }

    pub fn reader(&self) -> Box<dyn IndexReader> {
        self.open().present().expect("an index that can be read")
    }

    pub fn write(&self, change: IndexChange, content: Content) -> Result<(), PortError> {
        write(self.index.as_ref(), &self.path(), change, content)
    }

    /// Creates a new index without stemming from these files.
    pub fn replace(&self, files: &[(&str, &str)]) {
        self.write(IndexChange::Replace(Tokenizer::Cjk), Content::of(files)).unwrap();
    }

    /// Adds and removes files of the index.
    pub fn edit(&self, files: &[(&str, &str)], removed: &[&str]) {
        self.write(removing(removed), Content::of(files)).unwrap();
    }

    pub fn search(&self, query: &str, limit: u32) -> Vec<Hit> {
        search(self.reader().as_ref(), query, limit)
    }

    /// File and section of each result, in order.
    pub fn hits(&self, query: &str) -> Vec<(String, String)> {
        places(self.search(query, 1_000))
    }

    /// Files of the results, in order.
    pub fn files_of(&self, query: &str) -> Vec<String> {
        self.hits(query).into_iter().map(|(file, _)| file).collect()
    }

    pub fn headings(&self, folded: &str) -> Vec<FoundHeading> {
        block_on(self.reader().headings(folded, None)).unwrap()
    }

    /// File and line of every heading.
    pub fn all_headings(&self) -> Vec<(String, u32, String)> {
        let all = block_on(self.reader().all_headings()).unwrap();
        let names = block_on(self.reader().section_names()).unwrap();
        let expected = all.iter().map(|heading| (heading.file.as_str(), heading.text.as_str()));
        assert!(names.iter().eq(expected), "{names:?}");
        all.into_iter().map(|heading| (heading.file, heading.start_line, heading.text)).collect()
    }

    pub fn files(&self) -> Vec<RecordedFile> {
        block_on(self.reader().files()).unwrap()
    }

    pub fn published_files(&self) -> Vec<PublishedFile> {
        let mut all = block_on(self.reader().published_files()).unwrap();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }
}

pub fn search(reader: &dyn IndexReader, query: &str, limit: u32) -> Vec<Hit> {
    let query = Query::parse(query).unwrap();
    block_on(reader.search(&query, limit, &patience())).unwrap()
}

/// Longer than any search here takes.
pub fn patience() -> Patience {
    Patience::new(Duration::from_secs(600), Arc::default())
}

pub fn places(hits: Vec<Hit>) -> Vec<(String, String)> {
    hits.into_iter().map(|hit| (hit.file, hit.section)).collect()
}

/// File and section of expected hits.
pub fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(file, section)| (file.to_string(), section.to_string())).collect()
}

pub fn removing(paths: &[&str]) -> IndexChange {
    IndexChange::Edit { removed: paths.iter().map(|path| rel(path)).collect() }
}

pub fn rel(path: &str) -> RelPath {
    RelPath::parse(path).unwrap()
}

/// Puts every file and commits.
pub fn write(
    index: &dyn SectionIndex,
    path: &Path,
    change: IndexChange,
    content: Content,
) -> Result<(), PortError> {
    block_on(async {
        let mut writer = index.writer(path, change).await?;
        for file in content.files {
            writer.put(file).await?;
        }
        writer.commit(&content.publication).await
    })
}

/// The files of an index, and the stub and manifest published with it.
pub struct Content {
    pub files: Vec<IndexedFile>,
    pub publication: Publication,
}

impl Content {
    /// These files in the order of their paths.
    pub fn of(files: &[(&str, &str)]) -> Self {
        Self::of_files(files.iter().map(|(path, text)| file(path, text)).collect())
    }

    pub fn of_files(mut files: Vec<IndexedFile>) -> Self {
        files.sort_by(|a, b| a.record.path.cmp(&b.record.path));
        Self { files, publication: publication("made") }
    }

    pub fn publishing(self, publication: Publication) -> Self {
        Self { publication, ..self }
    }
}

pub fn header(indexed_at: &str) -> IndexHeader {
    IndexHeader {
        skill_path: "/home/x/.skillc/skills/x".to_owned(),
        source_hash: Digest([7; 32]),
        schema_version: INDEX_SCHEMA_VERSION,
        tokenizer: Tokenizer::Cjk,
        fingerprint: 7,
        trusted_ns: 7,
        indexed_at: indexed_at.to_owned(),
    }
}

pub fn publication(indexed_at: &str) -> Publication {
    Publication { header: header(indexed_at), files: Vec::new() }
}

/// A file whose lines that begin with `#` are headings.
pub fn file(path: &str, text: &str) -> IndexedFile {
    IndexedFile {
        record: record(path, text),
        text: Some(IndexableText::new(text.to_owned(), sections_of(text))),
    }
}

pub fn record(path: &str, text: &str) -> RecordedFile {
    let digest = FileDigest::Content(MemorySkillFiles::new(&MemoryMachine::new()).digest(text.as_bytes()));
    let stamp = Stamp { size: text.len() as u64, mtime_ns: 1, ctime_ns: 2, inode: 3 };
    RecordedFile { path: rel(path), stamp, digest }
}

fn sections_of(text: &str) -> Vec<Section> {
    let mut offset = 0;
    let mut headings = Vec::new();
    for (at, line) in (1..).zip(text.split_inclusive('\n')) {
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        if level > 0 {
            let text = line[level..].trim().to_owned();
            headings.push(Heading { level: level as u8, text, line: at, offset });
        }
        offset += line.len();
    }
    sections(&headings, text.len(), text.lines().count() as u32)
}
