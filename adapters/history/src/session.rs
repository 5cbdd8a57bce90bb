//! Reads a session from a file of JSON lines. What a line means is left to the parser of the agent.

use crate::lines::{LineOutcome, LineReader};
use crate::needles::may_concern_skill;
use crate::pending::CallQueue;
use serde_json::Value;
use skillc_domain::history::HistoryCall;
use skillc_fs::Folder;
use skillc_ports::{ErrorKind, HistoryFile, HistoryPosition, HistoryRead, HistoryReader, PortError};
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Bytes that are read at a time.
const BUFFER_BYTES: usize = 256 * 1024;

/// Makes calls of the lines of one session.
pub trait SessionParser: Send {
    /// Whether a line has to be parsed, beside those that may concern a skill.
    fn needs(&self, _line: &[u8]) -> bool {
        false
    }

    /// Takes the first line of the file, also where reading continues behind it.
    fn begin(&mut self, _line: &Value) {}

    /// Takes a line that begins at `start`.
    fn take(&mut self, line: &Value, start: u64, out: &mut CallQueue);

    /// Takes the end of the file.
    fn finish(&mut self, is_settled: bool, out: &mut CallQueue);

    /// Where the line of the oldest waiting call begins.
    fn waiting_since(&self) -> Option<u64>;
}

/// A session whose lines are read one after another.
pub struct SessionReader<R, P> {
    lines: LineReader<R>,
    parser: P,
    path: PathBuf,
    calls: CallQueue,
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
    mut parser: P,
) -> Result<Box<dyn HistoryReader>, PortError> {
    let failed = |error| PortError::io(format!("read '{}'", file.path.display()), error);
    let mut reader = BufReader::with_capacity(BUFFER_BYTES, open_regular(&file.path)?);
    let from = if how.from > file.bytes { 0 } else { how.from };
    if from > 0 {
        let mut first = LineReader::new(&mut reader, 0);
        if first.next().map_err(failed)? == LineOutcome::Complete {
            first_line(&mut parser, &first.buffer);
        }
        reader.seek(SeekFrom::Start(from)).map_err(failed)?;
    }
    Ok(Box::new(SessionReader::new(reader, from, file, how, parser)))
}

fn first_line(parser: &mut impl SessionParser, line: &[u8]) {
    if let Ok(value) = serde_json::from_slice(line) {
        parser.begin(&value);
    }
}

impl<R: BufRead, P: SessionParser> SessionReader<R, P> {
    /// Reads on from a position.
    pub fn new(reader: R, from: u64, file: &HistoryFile, how: HistoryRead, parser: P) -> Self {
        Self {
            lines: LineReader::new(reader, from),
            parser,
            path: file.path.clone(),
            calls: CallQueue::new(),
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
            first_line(&mut self.parser, line);
        }
        if (may_concern_skill(line) || self.parser.needs(line))
            && let Ok(value) = serde_json::from_slice(line)
        {
            self.parser.take(&value, start, &mut self.calls);
        }
    }

    fn end(&mut self) {
        self.is_at_end = true;
        self.parser.finish(self.is_settled, &mut self.calls);
    }
}

impl<R: BufRead + Send, P: SessionParser> HistoryReader for SessionReader<R, P> {
    fn next_call(&mut self) -> Result<Option<HistoryCall>, PortError> {
        loop {
            if let Some(call) = self.calls.pop_front() {
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
        self.parser.waiting_since().map_or(read, |start| start.min(read))
    }

    fn has_pending(&self) -> bool {
        self.parser.waiting_since().is_some()
    }
}
