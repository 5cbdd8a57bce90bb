//! Cursor: `projects/<folder>/agent-transcripts/<session>/<session>.jsonl`. It records neither times nor outcomes.

use crate::blocks::{Envelope, take_calls};
use crate::session::{self, Session, SessionParser};
use crate::walk;
use serde_json::Value;
use skillc_ports::{HistoryFile, HistoryFiles, HistoryRead, HistoryReader, HistorySource, PortError};
use std::path::Path;

/// Reads Cursor's transcripts.
pub struct CursorHistory;

impl HistorySource for CursorHistory {
    fn agent(&self) -> &'static str {
        "cursor"
    }

    fn files(&self, root: &Path) -> Result<HistoryFiles, PortError> {
        walk::files(root, |path| {
            walk::ends_with(path, ".jsonl")
                && path.components().any(|part| part.as_os_str() == "agent-transcripts")
        })
    }

    fn open(&self, file: &HistoryFile, how: HistoryRead) -> Result<Box<dyn HistoryReader>, PortError> {
        session::open(file, how, Session { id: walk::stem(&file.path), ..Session::of(file) }, CursorParser)
    }
}

struct CursorParser;

impl SessionParser for CursorParser {
    fn take(&mut self, line: &Value, start: u64, session: &mut Session) {
        if line["role"] != "assistant" {
            return;
        }
        // The folder's name cannot be converted back to a path, so there is no working directory.
        let call = session.call(None, format!("{}@{start}", session.id));
        let envelope = Envelope { call, start };
        take_calls(&line["message"]["content"], &envelope, None, false, session);
    }
}
