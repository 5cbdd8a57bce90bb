//! Finds the sections that a read of lines returned.

use crate::app::App;
use crate::history::owner::OwnedFile;
use skillc_domain::document::Document;
use skillc_domain::frontmatter::Opening;
use skillc_domain::history::LineRange;
use skillc_domain::history::lines::sections_in;
use skillc_domain::path::RelPath;
use skillc_domain::section::Heading;
use skillc_domain::time::UnixNs;
use std::collections::HashMap;
use std::path::PathBuf;

/// Maximum size in bytes of a file that is searched for headings: far above any reference file, and little compared
/// with an import's memory.
const TEXT_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Number of files whose headings are cached.
const CACHED_MAX: usize = 2_000;

/// The sections that a read returned, as far as they are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadSections {
    /// The whole file was read.
    WholeFile,
    /// These sections were read.
    Of(Vec<String>),
    /// The file no longer exists or has changed since, so its lines mean nothing.
    LinesOnly,
}

/// The headings of a file, and its last modification.
struct KnownHeadings {
    headings: Vec<Heading>,
    modified: UnixNs,
}

/// Finds the sections of reads, and caches the headings of files during one import.
pub struct SectionFinder<'a> {
    app: &'a App,
    files: HashMap<(PathBuf, String), Option<KnownHeadings>>,
}

impl<'a> SectionFinder<'a> {
    /// Starts with an empty cache.
    pub fn new(app: &'a App) -> Self {
        Self { app, files: HashMap::new() }
    }

    /// The sections that a read of these lines returned, if the file has not changed since that time.
    pub fn of(&mut self, owned: &OwnedFile, range: LineRange, at: UnixNs) -> ReadSections {
        if range == LineRange::Whole {
            return ReadSections::WholeFile;
        }
        if owned.is_stub || owned.skill.is_gone || range == LineRange::Unknown {
            return ReadSections::LinesOnly;
        }
        let key = (owned.skill.path.clone(), owned.file.clone());
        if self.files.len() >= CACHED_MAX {
            self.files.clear();
        }
        let app = self.app;
        let known = self.files.entry(key).or_insert_with(|| headings(app, owned));
        match known {
            Some(known) if known.modified <= at => {
                ReadSections::Of(sections_in(&known.headings, range).into_iter().map(str::to_owned).collect())
            }
            Some(_) | None => ReadSections::LinesOnly,
        }
    }
}

fn headings(app: &App, owned: &OwnedFile) -> Option<KnownHeadings> {
    let path = RelPath::parse(&owned.file).ok()?;
    let content = app.ports.files.open(&owned.skill.path).ok()?.read(&path, TEXT_BYTES_MAX).ok()?;
    let text = String::from_utf8(content.bytes).ok()?;
    let is_markdown = owned.file.to_lowercase().ends_with(".md");
    let document = match is_markdown {
        true => app.ports.reader.document(&text, Opening::of(&path)),
        false => Document::plain(&text),
    };
    Some(KnownHeadings { headings: document.headings, modified: content.stamp.mtime_ns })
}
