//! Reads a session from a file of JSON lines. The agent's parser interprets the lines.

use crate::lines::{LineOutcome, LineReader};
use crate::needles::{is_in_skill, may_concern_skill};
use crate::pending::{CallQueue, PendingCalls};
use serde_json::Value;
use skillc_domain::history::{AgentAction, CallOutcome, HistoryCall};
use skillc_domain::time::UnixNs;
use skillc_fs::Folder;
use skillc_ports::{ErrorKind, HistoryFile, HistoryPosition, HistoryRead, HistoryReader, PortError};
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Number of bytes read at a time.
const BUFFER_BYTES: usize = 256 * 1024;

/// Extracts calls from the lines of one session.
pub trait SessionParser: Send {
    /// Whether a line must be parsed even if it neither concerns a skill nor names a waiting call.
    fn needs(&self, _line: &[u8]) -> bool {
        false
    }

    /// Receives the first line of the file, even if reading continues further down.
    fn begin(&mut self, _line: &Value, _session: &mut Session) {}

    /// Receives a line and the offset at which it begins.
    fn take(&mut self, line: &Value, start: u64, session: &mut Session);

    /// Called at the end of the file, before waiting calls are returned.
    fn finish(&mut self, _session: &mut Session) {}
}

/// The state of a session after the lines read so far, and its calls.
#[derive(Default)]
pub struct Session {
    /// When the file was last written.
    pub modified: UnixNs,
    /// The agent's id of the session; empty if each line has it.
    pub id: String,
    /// The working directory; empty if each line has it.
    pub cwd: String,
    /// Calls that wait for their outcome.
    pub pending: PendingCalls,
    /// Calls to return next.
    pub calls: CallQueue,
}

impl Session {
    /// A session known only by its file.
    pub fn of(file: &HistoryFile) -> Self {
        Self { modified: file.modified, ..Self::default() }
    }

    /// A call without action and outcome. If its line has no time, the file's modification time is used.
    pub fn call(&self, at: Option<UnixNs>, record: String) -> HistoryCall {
        HistoryCall {
            session: self.id.clone(),
            cwd: self.cwd.clone(),
            at: at.unwrap_or(self.modified),
            is_time_estimated: at.is_none(),
            record,
            action: AgentAction::Offered(Vec::new()),
            outcome: CallOutcome::Unknown,
            tokens: None,
            model: String::new(),
        }
    }

    /// Holds a call back until its outcome is known.
    pub fn add_pending(&mut self, id: &str, start: u64, call: HistoryCall) {
        self.pending.add(id, start, call, &mut self.calls);
    }

    /// Releases a waiting call with its outcome, which may depend on the call's action.
    pub fn settle(&mut self, id: &str, outcome_of: impl FnOnce(&AgentAction) -> CallOutcome) {
        if let Some(call) = self.pending.take(id) {
            self.calls.push_back(HistoryCall { outcome: outcome_of(&call.action), ..call });
        }
    }
}

/// A session whose lines are read one by one.
pub struct SessionReader<R, P> {
    lines: LineReader<R>,
    parser: P,
    session: Session,
    path: PathBuf,
    is_settled: bool,
    is_at_end: bool,
    failure: Option<PortError>,
}

/// Opens a regular file; fails if there is a link on the path.
pub fn open_regular(path: &Path) -> Result<File, PortError> {
    let (folder, name) = Folder::of_file(path)?;
    folder.open_file(name)
}

/// Opens a session in a plain file.
pub fn open<P: SessionParser + 'static>(
    file: &HistoryFile,
    how: HistoryRead,
    mut session: Session,
    mut parser: P,
) -> Result<Box<dyn HistoryReader>, PortError> {
    let failed = |error| PortError::io(format!("read '{}'", file.path.display()), error);
    let mut reader = BufReader::with_capacity(BUFFER_BYTES, open_regular(&file.path)?);
    let from = if how.from > file.bytes { 0 } else { how.from };
    if from > 0 {
        let mut first = LineReader::new(&mut reader, 0);
        if first.next().map_err(failed)? == LineOutcome::Complete {
            first_line(&mut parser, &first.buffer, &mut session);
        }
        reader.seek(SeekFrom::Start(from)).map_err(failed)?;
    }
    Ok(Box::new(SessionReader::new(reader, file, HistoryRead { from, ..how }, session, parser)))
}

fn first_line(parser: &mut impl SessionParser, line: &[u8], session: &mut Session) {
    if let Ok(value) = serde_json::from_slice(line) {
        parser.begin(&value, session);
    }
}

impl<R: BufRead, P: SessionParser> SessionReader<R, P> {
    /// Continues with a reader that is positioned at `how.from`.
    pub fn new(reader: R, file: &HistoryFile, how: HistoryRead, session: Session, parser: P) -> Self {
        Self {
            lines: LineReader::new(reader, how.from),
            parser,
            session,
            path: file.path.clone(),
            is_settled: how.is_settled,
            is_at_end: false,
            failure: None,
        }
    }

    /// Reads the next line; at the end, releases the waiting calls.
    fn advance(&mut self) {
        let start = self.lines.position();
        match self.lines.next() {
            Ok(LineOutcome::Complete) => self.take_line(start),
            Ok(LineOutcome::TooLong) => {}
            Ok(LineOutcome::Cut | LineOutcome::End) => self.end(),
            Err(error) => {
                let kind = match error.kind() {
                    std::io::ErrorKind::Other | std::io::ErrorKind::InvalidData => ErrorKind::Corrupt,
                    _ => ErrorKind::Failed,
                };
                self.failure = Some(
                    PortError::new(kind, format!("read '{}' to its end", self.path.display()))
                        .caused_by(error),
                );
                self.end();
            }
        }
    }

    fn take_line(&mut self, start: u64) {
        let line = &self.lines.buffer;
        if start == 0 {
            first_line(&mut self.parser, line, &mut self.session);
        }
        let is_needed = may_concern_skill(line)
            || is_in_skill(&self.session.cwd)
            || self.session.pending.are_named_in(line)
            || self.parser.needs(line);
        if is_needed && let Ok(value) = serde_json::from_slice(line) {
            self.parser.take(&value, start, &mut self.session);
        }
    }

    fn end(&mut self) {
        self.is_at_end = true;
        self.parser.finish(&mut self.session);
        if self.is_settled {
            self.session.pending.release(&mut self.session.calls);
        }
    }
}

impl<R: BufRead + Send, P: SessionParser> HistoryReader for SessionReader<R, P> {
    fn next_call(&mut self) -> Result<Option<HistoryCall>, PortError> {
        loop {
            if let Some(call) = self.session.calls.pop_front() {
                return Ok(Some(call));
            }
            if let Some(failure) = self.failure.take() {
                return Err(failure);
            }
            if self.is_at_end {
                return Ok(None);
            }
            self.advance();
        }
    }

    fn position(&self) -> HistoryPosition {
        let read = self.lines.position();
        self.session.pending.start().map_or(read, |start| start.min(read))
    }

    fn has_pending(&self) -> bool {
        !self.session.pending.is_empty()
    }
}
