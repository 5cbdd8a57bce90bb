//! OpenCode's format before it used a database: `storage/part/<message>/<part>.json`, and
//! `storage/session/<project>/<session>.json`.

use crate::json::{text, text_or_empty, time};
use crate::lines::LINE_BYTES_MAX;
use crate::needles::may_concern_skill;
use crate::session::Session;
use crate::tools::action;
use crate::walk;
use serde_json::Value;
use skillc_domain::history::{AgentAction, CallOutcome, HistoryCall, TokenUse};
use skillc_fs::Folder;
use skillc_ports::{
    ErrorKind, HistoryFile, HistoryFiles, HistoryPosition, HistoryRead, HistoryReader, HistorySource,
    PortError,
};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The folder of a message, and the first of its parts that may concern a skill.
type FirstOfMessage = Option<(PathBuf, Option<PathBuf>)>;

/// Reads OpenCode's older files.
#[derive(Default)]
pub struct OpenCodeFiles {
    /// Of the message whose parts are being read: they come one after another.
    first: Mutex<FirstOfMessage>,
}

impl HistorySource for OpenCodeFiles {
    fn agent(&self) -> &'static str {
        "opencode"
    }

    fn files(&self, root: &Path) -> Result<HistoryFiles, PortError> {
        *self.first_of_last() = None;
        walk::files(&root.join("storage/part"), |path| walk::ends_with(path, ".json"))
    }

    fn open(&self, file: &HistoryFile, how: HistoryRead) -> Result<Box<dyn HistoryReader>, PortError> {
        let part = document(&file.path)?;
        let message = message(&file.path, &part).unwrap_or_default();
        let call = call(&part, file);
        // The tokens of a message are only known when it ends.
        let is_open = message["time"]["created"].is_number() && message["time"]["completed"].is_null();
        let is_waiting = |call: &HistoryCall| is_open || call.outcome == CallOutcome::Unknown;
        let has_pending = !how.is_settled && call.as_ref().is_some_and(is_waiting);
        let call = call.filter(|_| !has_pending).map(|call| self.with_tokens(call, &message, file));
        Ok(Box::new(PartReader { call, has_pending }))
    }
}

impl OpenCodeFiles {
    fn first_of_last(&self) -> MutexGuard<'_, FirstOfMessage> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the tokens of the message to a call, unless an earlier part has them.
    fn with_tokens(&self, call: HistoryCall, message: &Value, file: &HistoryFile) -> HistoryCall {
        let tokens = &message["tokens"];
        if !tokens.is_object() || !self.is_first_of_message(&file.path) {
            return call;
        }
        let number = |place: &str| tokens.pointer(place).and_then(Value::as_u64).unwrap_or_default();
        let tokens = Some(TokenUse::of_opencode(number));
        HistoryCall { tokens, model: text_or_empty(message, "modelID"), ..call }
    }

    /// Whether a part is the first of its message that may concern a skill.
    fn is_first_of_message(&self, part: &Path) -> bool {
        let Some(folder) = part.parent() else { return false };
        let mut known = self.first_of_last();
        if known.as_ref().is_none_or(|(last, _)| last != folder) {
            *known = Some((folder.to_owned(), first_of_message(folder)));
        }
        known.as_ref().is_some_and(|(_, first)| first.as_deref() == Some(part))
    }
}

/// Reads a part, which contains at most one call. It is written again when its call ends, so it is read from the
/// start.
struct PartReader {
    call: Option<HistoryCall>,
    has_pending: bool,
}

impl HistoryReader for PartReader {
    fn next_call(&mut self) -> Result<Option<HistoryCall>, PortError> {
        Ok(self.call.take())
    }

    fn position(&self) -> HistoryPosition {
        0
    }

    fn has_pending(&self) -> bool {
        self.has_pending
    }
}

/// Parses a file as JSON.
fn document(path: &Path) -> Result<Value, PortError> {
    let (folder, name) = Folder::of_file(path)?;
    let bytes = folder.read(name, LINE_BYTES_MAX)?;
    let doing = || format!("read '{}'", path.display());
    serde_json::from_slice(&bytes)
        .map_err(|error| PortError::new(ErrorKind::Corrupt, doing()).caused_by(error))
}

fn call(part: &Value, file: &HistoryFile) -> Option<HistoryCall> {
    let state = &part["state"];
    let found = action(text(part, &["tool"])?, &state["input"])?;
    let action = match found {
        AgentAction::Loaded { name, by, .. } => {
            AgentAction::Loaded { name, path: text(&state["metadata"], &["dir"]).map(str::to_owned), by }
        }
        found => found,
    };
    let status = state["metadata"]["exit"].as_i64().and_then(|status| i32::try_from(status).ok());
    let outcome = match (text(state, &["status"]), &action) {
        (Some("completed"), AgentAction::Shell { .. }) => {
            status.map_or(CallOutcome::Succeeded, CallOutcome::Exited)
        }
        (Some("completed"), _) => CallOutcome::Succeeded,
        (Some("error"), _) => CallOutcome::Failed,
        _ => CallOutcome::Unknown,
    };
    let session = text_or_empty(part, "sessionID");
    let cwd = directory(&file.path, &session).unwrap_or_default();
    // The database uses the same ids.
    let record = text(part, &["id"]).map_or_else(|| walk::stem(&file.path), str::to_owned);
    let call = Session::of(file).call(time(&state["time"]["start"]), record);
    Some(HistoryCall { session, cwd, action, outcome, ..call })
}

/// The working directory of a session.
fn directory(part: &Path, session: &str) -> Option<String> {
    if session.is_empty() || session.contains(['/', '\\']) {
        return None;
    }
    let sessions = part.ancestors().nth(3)?.join("session");
    let projects = Folder::open(&sessions).ok()?.entries().ok()?;
    let mut files =
        projects.into_iter().map(|(project, _)| sessions.join(project).join(format!("{session}.json")));
    let found = files.find_map(|file| document(&file).ok())?;
    text(&found, &["directory"]).map(str::to_owned)
}

/// Reads the message of a part: `storage/message/<session>/<message>.json`.
fn message(path: &Path, part: &Value) -> Option<Value> {
    let (session, message) = (text(part, &["sessionID"])?, text(part, &["messageID"])?);
    if [session, message].iter().any(|name| name.contains(['/', '\\'])) {
        return None;
    }
    let messages = path.ancestors().nth(3)?.join("message");
    document(&messages.join(session).join(format!("{message}.json"))).ok()
}

/// The first part of a message that may concern a skill. Ids of parts ascend.
fn first_of_message(folder: &Path) -> Option<PathBuf> {
    let entries = Folder::open(folder).and_then(|folder| folder.entries()).ok()?;
    let mut parts: Vec<PathBuf> = entries.into_iter().map(|(name, _)| folder.join(name)).collect();
    parts.sort();
    parts.into_iter().find(|part| concerns_skill(part))
}

fn concerns_skill(part: &Path) -> bool {
    let part = document(part).unwrap_or_default();
    let input = part["state"]["input"].to_string();
    part["tool"] == "skill" || part["tool"].is_string() && may_concern_skill(input.as_bytes())
}
