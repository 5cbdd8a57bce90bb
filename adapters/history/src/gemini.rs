//! Gemini CLI: `tmp/<project>/chats/session-*.jsonl`, formerly one JSON document `session-*.json`.

use crate::json::{list, text, text_or_empty, texts, time};
use crate::session::{self, Session, SessionParser, SessionReader};
use crate::tools::{action, counted_from_zero};
use crate::walk;
use serde_json::Value;
use skillc_domain::history::{AgentAction, CallOutcome, HistoryCall, LineRange, TokenUse};
use skillc_fs::Folder;
use skillc_ports::{
    ErrorKind, HistoryFile, HistoryFiles, HistoryRead, HistoryReader, HistorySource, PortError,
};
use std::collections::HashSet;
use std::path::Path;

/// Reads Gemini's chats.
pub struct GeminiHistory;

/// Maximum size in bytes of a document, since it must be parsed at once.
const DOCUMENT_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Maximum size in bytes of a file that contains a path.
const PATH_FILE_BYTES_MAX: u64 = 64 * 1024;

impl HistorySource for GeminiHistory {
    fn agent(&self) -> &'static str {
        "gemini-cli"
    }

    fn files(&self, root: &Path) -> Result<HistoryFiles, PortError> {
        walk::files(&root.join("tmp"), |path| {
            let is_chat = path.components().any(|part| part.as_os_str() == "chats");
            is_chat && (walk::ends_with(path, ".jsonl") || walk::ends_with(path, ".json"))
        })
    }

    fn open(&self, file: &HistoryFile, how: HistoryRead) -> Result<Box<dyn HistoryReader>, PortError> {
        let session = Session { cwd: project_root(&file.path).unwrap_or_default(), ..Session::of(file) };
        let parser = GeminiParser::default();
        if walk::ends_with(&file.path, ".jsonl") {
            return session::open(file, how, session, parser);
        }
        let (folder, name) = Folder::of_file(&file.path)?;
        // The document becomes a single line, since the reader expects lines.
        let mut document = folder.read(name, DOCUMENT_BYTES_MAX)?;
        document.iter_mut().filter(|byte| matches!(**byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
        if document.len() as u64 > crate::lines::LINE_BYTES_MAX {
            return Err(PortError::new(ErrorKind::TooLarge, format!("read '{}'", file.path.display())));
        }
        if let Err(error) = serde_json::from_slice::<Value>(&document) {
            let doing = format!("read '{}'", file.path.display());
            return Err(PortError::new(ErrorKind::Corrupt, doing).caused_by(error));
        }
        document.push(b'\n');
        let whole = HistoryRead { from: 0, ..how };
        Ok(Box::new(SessionReader::new(std::io::Cursor::new(document), file, whole, session, parser)))
    }
}

/// The project folder of a chat, from the file `.project_root` next to `chats`.
fn project_root(chat: &Path) -> Option<String> {
    let project = chat.ancestors().find(|folder| folder.file_name().is_some_and(|name| name == "chats"))?;
    let folder = Folder::open(project.parent()?).ok()?;
    let path = String::from_utf8(folder.read(".project_root", PATH_FILE_BYTES_MAX).ok()?).ok()?;
    Some(path.trim().to_owned())
}

#[derive(Default)]
struct GeminiParser {
    /// Ids of calls already returned; a message is written again when it changes.
    returned: HashSet<String>,
}

impl SessionParser for GeminiParser {
    fn begin(&mut self, line: &Value, session: &mut Session) {
        if let Some(id) = text(line, &["sessionId"]) {
            id.clone_into(&mut session.id);
        }
        if let Some(folder) = list(&line["directories"]).first().and_then(Value::as_str) {
            folder.clone_into(&mut session.cwd);
        }
    }

    fn take(&mut self, line: &Value, start: u64, session: &mut Session) {
        for message in list(&line["messages"]).iter().chain(list(&line["$set"]["messages"])) {
            self.take_message(message, start, session);
        }
        self.take_message(line, start, session);
    }
}

impl GeminiParser {
    fn take_message(&mut self, message: &Value, start: u64, session: &mut Session) {
        let mut tokens = tokens(&message["tokens"]);
        for tool_call in list(&message["toolCalls"]) {
            let Some(id) = text(tool_call, &["id"]).filter(|id| !self.returned.contains(*id)) else {
                continue;
            };
            let found = actions(tool_call);
            let at = time(&tool_call["timestamp"]).or_else(|| time(&message["timestamp"]));
            for (index, action) in found.into_iter().enumerate() {
                let call = HistoryCall {
                    outcome: outcome(tool_call, &action),
                    action,
                    tokens: tokens.take(),
                    model: text_or_empty(message, "model"),
                    ..session.call(at, format!("{}/{id}/{index}", session.id))
                };
                self.add(id, call, start, session);
            }
        }
    }

    /// Returns a call once it has ended.
    fn add(&mut self, id: &str, call: HistoryCall, start: u64, session: &mut Session) {
        if call.outcome == CallOutcome::Unknown {
            return session.add_pending(id, start, call);
        }
        session.pending.take(id);
        self.returned.insert(id.to_owned());
        session.calls.push_back(call);
    }
}

/// The actions of a call. Reading several files at once yields several reads.
fn actions(tool_call: &Value) -> Vec<AgentAction> {
    let (name, args) = (text_or_empty(tool_call, "name"), &tool_call["args"]);
    if name == "read_many_files" {
        let paths = list(&args["paths"]).iter().chain(list(&args["include"])).filter_map(Value::as_str);
        return paths
            .map(|path| AgentAction::Read { path: path.to_owned(), lines: LineRange::Whole })
            .collect();
    }
    let is_from_zero = name == "read_file" && args.get("start_line").is_none();
    let found = action(&name, args);
    found.map(|found| if is_from_zero { counted_from_zero(found, args) } else { found }).into_iter().collect()
}

fn outcome(tool_call: &Value, action: &AgentAction) -> CallOutcome {
    let is_unknown_skill = || {
        let response =
            &list(&tool_call["result"]).first().unwrap_or(&Value::Null)["functionResponse"]["response"];
        let said = text(response, &["output", "error"]).map(str::to_owned);
        let said = said.unwrap_or_else(|| texts(&tool_call["result"]).concat());
        matches!(action, AgentAction::Loaded { .. }) && !said.is_empty() && !said.contains("<activated_skill")
    };
    match tool_call["status"].as_str() {
        Some("success") if is_unknown_skill() => CallOutcome::Failed,
        Some("success") => CallOutcome::Succeeded,
        Some("error" | "cancelled") => CallOutcome::Failed,
        _ => CallOutcome::Unknown,
    }
}

fn tokens(tokens: &Value) -> Option<TokenUse> {
    let number = |key: &str| tokens[key].as_u64().unwrap_or_default();
    tokens.is_object().then(|| TokenUse {
        input: number("input").saturating_sub(number("cached")),
        output: number("output"),
        cache_read: number("cached"),
        cache_write: 0,
    })
}
