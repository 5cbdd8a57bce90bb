//! Reads a session from a file of JSON lines. What a line means is left to the parser of the agent.

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

/// Bytes that are read at a time.
const BUFFER_BYTES: usize = 256 * 1024;

/// Makes calls of the lines of one session.
pub trait SessionParser: Send {
    /// Whether a line has to be parsed, beside those that may concern a skill or name a waiting call.
    fn needs(&self, _line: &[u8]) -> bool {
        false
    }

    /// Takes the first line of the file, also where reading continues behind it.
    fn begin(&mut self, _line: &Value, _session: &mut Session) {}

    /// Takes a line that begins at `start`.
    fn take(&mut self, line: &Value, start: u64, session: &mut Session);

    /// Takes the end of the file, before the waiting calls are returned.
    fn finish(&mut self, _session: &mut Session) {}
}

/// What the lines so far say about a session, and its calls.
#[derive(Default)]
pub struct Session {
    /// When the file was last written.
    pub modified: UnixNs,
    /// The agent's id of the session; empty where each line names it.
    pub id: String,
    /// The working directory; empty where each line names it.
    pub cwd: String,
    /// Calls that wait for their outcome.
    pub pending: PendingCalls,
    /// Calls that are returned next.
    pub calls: CallQueue,
}

impl Session {
    /// A session of which only the file is known.
    pub fn of(file: &HistoryFile) -> Self {
        Self { modified: file.modified, ..Self::default() }
    }

    /// A call without action and outcome. If its line holds no time, the time of the file is taken.
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

    /// Keeps a call until its outcome is known.
    pub fn add_pending(&mut self, id: &str, start: u64, call: HistoryCall) {
        self.pending.add(id, start, call, &mut self.calls);
    }

    /// Returns a waiting call with its outcome, which may depend on what the call does.
    pub fn settle(&mut self, id: &str, outcome_of: impl FnOnce(&AgentAction) -> CallOutcome) {
        if let Some(call) = self.pending.take(id) {
            self.calls.push_back(HistoryCall { outcome: outcome_of(&call.action), ..call });
        }
    }
}

/// A session whose lines are read one after another.
pub struct SessionReader<R, P> {
    lines: LineReader<R>,
    parser: P,
    session: Session,
    path: PathBuf,
    is_settled: bool,
    is_at_end: bool,
    failure: Option<PortError>,
}

/// Opens a regular file; a link on the way is refused.
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
    /// Reads on in a reader that is at `how.from`.
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

    /// Reads the next line; at the end, releases what still waits.
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
