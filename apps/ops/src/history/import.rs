//! Imports the histories of this machine into the history log.

use crate::app::App;
use crate::failure::Failure;
use crate::history::event::events;
use crate::history::sources::{folder, readers};
use crate::history::uses::UseFinder;
use crate::run::Run;
use skillc_domain::event::AccessEvent;
use skillc_domain::fault::Warning;
use skillc_domain::history::{HistoryCall, HistoryKind, HistoryLocation};
use skillc_domain::time::UnixNs;
use skillc_ports::{ForgottenSpan, HistoryBookmark, HistoryFile, HistoryRead, HistorySource, PortError};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// Number of events appended at once.
const BATCH_EVENTS: usize = 8_000;

/// Number of bookmarks set at once, for files with few events.
const BATCH_BOOKMARKS: usize = 1_000;

/// How long a session must be idle to count as ended, so that calls without an outcome will never get one.
const SETTLED_AFTER_NS: i64 = 3_600 * 1_000_000_000;

/// What to import.
#[derive(Clone, Debug, Default)]
pub struct ImportScope {
    /// Imports only events at this time or later.
    pub since: Option<UnixNs>,
    /// Whether to write nothing.
    pub is_dry: bool,
}

/// The result of importing one agent's history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportCount {
    /// Number of files that were read.
    pub files: u64,
    /// Number of files without changes.
    pub unchanged: u64,
    /// Number of files that could not be read, at least not to the end.
    pub unreadable: u64,
    /// Number of events found, by kind; further sections of a read are not counted.
    pub kinds: BTreeMap<HistoryKind, u64>,
    /// Number of events that are new to the log.
    pub new: u64,
}

/// Imports one agent's history. A file that cannot be read causes a warning, and the import continues.
///
/// # Errors
/// Errors of the log.
pub async fn import(
    run: &mut Run<'_>,
    history: &'static HistoryLocation,
    scope: &ImportScope,
) -> Result<ImportCount, Failure> {
    let app = run.app;
    let mut import = Import {
        app,
        history,
        scope,
        finder: UseFinder::new(app),
        forgotten: app.ports.bookmarks.forgotten()?,
        folders: HashMap::new(),
        known: None,
        count: ImportCount::default(),
        events: Vec::new(),
        bookmarks: Vec::new(),
    };
    match folder(app, history) {
        Ok(Some(root)) => {
            for source in readers(app, history) {
                import.read_source(run, source, &root).await?;
            }
        }
        Ok(None) => {}
        Err(error) => warn(run, history, None, &error),
    }
    import.flush().await?;
    Ok(import.count)
}

/// Reports a file that cannot be read.
pub fn warn(run: &mut Run<'_>, history: &HistoryLocation, file: Option<&Path>, error: &PortError) {
    run.app.call.detail(|| format!("history: {error}: {:?}", error.source));
    let path = file.or(error.at.as_deref()).map(|path| path.to_string_lossy().into_owned());
    let path = path.unwrap_or_else(|| error.doing.clone());
    run.warn(Warning::HistoryUnreadable {
        agent: history.agent.to_owned(),
        path,
        reason: error.reason().to_owned(),
    });
}

/// An import of one history.
struct Import<'a> {
    app: &'a App,
    history: &'static HistoryLocation,
    scope: &'a ImportScope,
    finder: UseFinder<'a>,
    forgotten: Vec<ForgottenSpan>,
    /// Working directories, with their links resolved.
    folders: HashMap<String, String>,
    /// The folder of the last file, and the bookmarks of its files.
    known: Option<(PathBuf, HashMap<PathBuf, HistoryBookmark>)>,
    count: ImportCount,
    /// Events that were found but not yet appended.
    events: Vec<AccessEvent>,
    /// Bookmarks of files whose events are all in `events` or in the log.
    bookmarks: Vec<(PathBuf, HistoryBookmark)>,
}

impl Import<'_> {
    async fn read_source(
        &mut self,
        run: &mut Run<'_>,
        source: &dyn HistorySource,
        root: &Path,
    ) -> Result<(), Failure> {
        let files = match source.files(root) {
            Ok(files) => files,
            Err(error) => {
                warn(run, self.history, Some(root), &error);
                return Ok(());
            }
        };
        for file in files {
            if self.app.call.is_cancelled.load(Ordering::Relaxed) {
                break;
            }
            match file {
                Ok(file) => self.read_file(run, source, &file).await?,
                Err(error) => warn(run, self.history, None, &error),
            }
        }
        Ok(())
    }

    async fn read_file(
        &mut self,
        run: &mut Run<'_>,
        source: &dyn HistorySource,
        file: &HistoryFile,
    ) -> Result<(), Failure> {
        let is_settled = file.modified < self.app.ports.clock.now().saturating_sub(SETTLED_AFTER_NS);
        let bookmark = self.bookmark(&file.path)?;
        let is_older = self.scope.since.is_some_and(|since| file.modified < since);
        if is_older || bookmark.is_some_and(|mark| is_unchanged(&mark, file, is_settled)) {
            self.count.unchanged += 1;
            return Ok(());
        }
        self.count.files += 1;
        let from = bookmark.map_or(0, |mark| mark.position);
        let mut reader = match source.open(file, HistoryRead { from, is_settled }) {
            Ok(reader) => reader,
            Err(error) => {
                self.count.unreadable += 1;
                warn(run, self.history, Some(&file.path), &error);
                return Ok(());
            }
        };
        loop {
            match reader.next_call() {
                Ok(Some(call)) => self.take(&call).await?,
                Ok(None) => break,
                Err(error) => {
                    self.count.unreadable += 1;
                    warn(run, self.history, Some(&file.path), &error);
                    break;
                }
            }
        }
        let (position, has_pending) = (reader.position(), reader.has_pending());
        let (bytes, modified) = (file.bytes, file.modified);
        self.bookmarks.push((file.path.clone(), HistoryBookmark { bytes, modified, position, has_pending }));
        if self.bookmarks.len() >= BATCH_BOOKMARKS {
            self.flush().await?;
        }
        Ok(())
    }

    /// The bookmark of a file. The bookmarks of a folder are read at once, since its files are processed
    /// consecutively.
    fn bookmark(&mut self, file: &Path) -> Result<Option<HistoryBookmark>, PortError> {
        let folder = file.parent().unwrap_or(file);
        if self.known.as_ref().is_none_or(|(known, _)| known != folder) {
            self.known = Some((folder.to_owned(), self.app.ports.bookmarks.bookmarks_in(folder)?));
        }
        let name = PathBuf::from(file.to_string_lossy().as_ref());
        Ok(self.known.as_ref().and_then(|(_, marks)| marks.get(&name).copied()))
    }

    async fn take(&mut self, call: &HistoryCall) -> Result<(), Failure> {
        if self.scope.since.is_some_and(|since| call.at < since) {
            return Ok(());
        }
        let uses = self.finder.of(self.history, call);
        if uses.is_empty() {
            return Ok(());
        }
        let cwd = self.canonical(&call.cwd);
        for (at, used) in uses.into_iter().enumerate() {
            if self.is_forgotten(call.at, &used.skill.name, &used.skill.path) {
                continue;
            }
            *self.count.kinds.entry(used.kind).or_default() += 1;
            self.events.extend(events(self.history.agent, call, &cwd, used, at == 0));
        }
        if self.events.len() >= BATCH_EVENTS {
            self.append().await?;
        }
        Ok(())
    }

    fn is_forgotten(&self, at: UnixNs, name: &str, path: &Path) -> bool {
        let is_meant = |skill: &String| skill == name || Path::new(skill) == path;
        self.forgotten.iter().any(|span| at <= span.until && span.skill.as_ref().is_none_or(is_meant))
    }

    /// A working directory in the form that filters compare.
    fn canonical(&mut self, cwd: &str) -> String {
        if let Some(known) = self.folders.get(cwd) {
            return known.clone();
        }
        let path = Path::new(cwd);
        let real = match path.is_absolute() {
            true => self.app.ports.stores.real_path(path).to_string_lossy().into_owned(),
            false => cwd.to_owned(),
        };
        self.folders.insert(cwd.to_owned(), real.clone());
        real
    }

    async fn append(&mut self) -> Result<(), Failure> {
        if self.scope.is_dry {
            self.events.clear();
        }
        if !self.events.is_empty() {
            let log = self.app.ports.logs.at(&self.app.call.places.history_log());
            self.count.new += log.append(&self.events).await?;
            self.events.clear();
        }
        Ok(())
    }

    /// Appends the events, then sets the bookmarks. If an import is killed in between, the next one finds the same
    /// events again, and the log recognizes their ids.
    async fn flush(&mut self) -> Result<(), Failure> {
        self.append().await?;
        // Events that are skipped now must be found later.
        let is_whole = !self.scope.is_dry && self.scope.since.is_none();
        if is_whole && !self.bookmarks.is_empty() {
            self.app.ports.bookmarks.set_bookmarks(&self.bookmarks)?;
        }
        self.bookmarks.clear();
        Ok(())
    }
}

fn is_unchanged(mark: &HistoryBookmark, file: &HistoryFile, is_settled: bool) -> bool {
    let is_same = (mark.bytes, mark.modified) == (file.bytes, file.modified);
    is_same && !(mark.has_pending && is_settled)
}
