//! Codex: `sessions/<year>/<month>/<day>/rollout-*.jsonl`, with `.jsonl.zst` for old ones, and `archived_sessions`.

use crate::codex_output::outcome;
use crate::codex_tokens::CodexTokens;
use crate::json::{between, text, text_or_empty, texts, time};
use crate::needles::holds;
use crate::session::{self, Session, SessionParser, SessionReader, open_regular};
use crate::tools::action;
use crate::walk;
use crate::zstd::ZstdReader;
use serde_json::Value;
use skillc_domain::history::{AgentAction, CallOutcome, HistoryCall, OfferedSkill, SkillChooser};
use skillc_fs::Folder;
use skillc_ports::{
    ErrorKind, HistoryFile, HistoryFiles, HistoryRead, HistoryReader, HistorySource, PortError,
};
use std::io::BufReader;
use std::path::Path;

/// Reads Codex's sessions.
pub struct CodexHistory;

const COMPRESSED: &str = ".jsonl.zst";

impl HistorySource for CodexHistory {
    fn agent(&self) -> &'static str {
        "codex"
    }

    fn files(&self, root: &Path) -> Result<HistoryFiles, PortError> {
        let is_session = |path: &Path| walk::ends_with(path, ".jsonl") || is_compressed_alone(path);
        let sessions = walk::files(&root.join("sessions"), is_session)?;
        Ok(Box::new(sessions.chain(walk::files(&root.join("archived_sessions"), is_session)?)))
    }

    fn open(&self, file: &HistoryFile, how: HistoryRead) -> Result<Box<dyn HistoryReader>, PortError> {
        let session = Session::of(file);
        if !walk::ends_with(&file.path, COMPRESSED) {
            return session::open(file, how, session, CodexParser::default());
        }
        let damaged = |error| {
            PortError::new(ErrorKind::Corrupt, format!("read '{}'", file.path.display()))
                .caused_by(format!("{error}"))
        };
        let decoder = ZstdReader::new(open_regular(&file.path)?).map_err(damaged)?;
        // A compressed session is never written again, so none of its calls wait.
        let (how, parser) = (HistoryRead { from: 0, is_settled: true }, CodexParser::default());
        Ok(Box::new(SessionReader::new(BufReader::new(decoder), file, how, session, parser)))
    }
}

/// Whether a path is a compressed file without a plain one; if both exist, the plain file is used.
fn is_compressed_alone(path: &Path) -> bool {
    let plain = |path: &Path| {
        let (folder, name) = Folder::of_file(path).ok()?;
        folder.kind(name.to_string_lossy().strip_suffix(".zst")?)
    };
    walk::ends_with(path, COMPRESSED) && plain(path).is_none()
}

#[derive(Default)]
struct CodexParser {
    tokens: CodexTokens,
}

impl SessionParser for CodexParser {
    fn needs(&self, line: &[u8]) -> bool {
        holds(line, "\"turn_context\"") || holds(line, "\"session_meta\"") || CodexTokens::are_in(line)
    }

    fn begin(&mut self, line: &Value, session: &mut Session) {
        if line["type"] == "session_meta" {
            take_meta(&line["payload"], session);
        }
    }

    fn take(&mut self, line: &Value, start: u64, session: &mut Session) {
        let payload = &line["payload"];
        match line["type"].as_str() {
            // A fork repeats its parent's line further down.
            Some("session_meta") if start == 0 || session.id.is_empty() => take_meta(payload, session),
            Some("turn_context") => {
                if let Some(cwd) = text(payload, &["cwd"]) {
                    cwd.clone_into(&mut session.cwd);
                }
                self.tokens.model = text_or_empty(payload, "model");
            }
            Some("event_msg") if payload["type"] == "token_count" => {
                self.tokens.take(&payload["info"], session);
            }
            Some("response_item") => take_item(line, start, session, &mut self.tokens),
            _ => {}
        }
    }
}

fn take_meta(payload: &Value, session: &mut Session) {
    session.id = text(payload, &["session_id", "id"]).unwrap_or_default().to_owned();
    session.cwd = text_or_empty(payload, "cwd");
}

fn call(line: &Value, session: &Session, record: &str, action: AgentAction) -> HistoryCall {
    let record = format!("{}/{record}", session.id);
    HistoryCall { action, ..session.call(time(&line["timestamp"]), record) }
}

fn take_item(line: &Value, start: u64, session: &mut Session, tokens: &mut CodexTokens) {
    let item = &line["payload"];
    let found = match item["type"].as_str() {
        Some("message") => return take_message(line, item, session),
        Some("function_call_output" | "local_shell_call_output") => {
            if let Some(id) = text(item, &["call_id"]) {
                tokens.settle(id);
                session.settle(id, |_| outcome(&item["output"]));
            }
            return;
        }
        Some("function_call") => {
            // Arguments are JSON in a string.
            let arguments: Value = item["arguments"]
                .as_str()
                .and_then(|text| serde_json::from_str(text).ok())
                .unwrap_or_default();
            item["name"].as_str().and_then(|name| action(name, &arguments))
        }
        Some("local_shell_call") => action("shell", &item["action"]),
        _ => None,
    };
    if let Some((found, id)) = found.zip(text(item, &["call_id", "id"])) {
        let call = call(line, session, id, found);
        tokens.add_call(id);
        session.add_pending(id, start, call);
    }
}

/// Reads a skill that the user inserted, or the list of skills.
fn take_message(line: &Value, item: &Value, session: &mut Session) {
    let stamp = text_or_empty(line, "timestamp");
    for (at, text) in texts(&item["content"]).into_iter().enumerate() {
        let found = match item["role"].as_str() {
            Some("user") => put_in(text),
            Some("developer") => offered(text),
            _ => None,
        };
        if let Some(found) = found {
            // Messages have no ids.
            let role = text_or_empty(item, "role");
            let call = call(line, session, &format!("{stamp}/{role}/{at}"), found);
            session.calls.push_back(HistoryCall { outcome: CallOutcome::Succeeded, ..call });
        }
    }
}

/// A skill whose text was inserted into the session because the user mentioned it.
fn put_in(text: &str) -> Option<AgentAction> {
    let head = text.trim_start().strip_prefix("<skill>")?;
    let name = between(head, "<name>", "</name>")?.trim().to_owned();
    let path = between(head, "<path>", "</path>").map(|path| path.trim().to_owned());
    Some(AgentAction::Loaded { name, path, by: SkillChooser::User })
}

/// Parses a list of `- name: description (file: /path/SKILL.md)`.
fn offered(text: &str) -> Option<AgentAction> {
    let inside = between(text, "<skills_instructions>", "</skills_instructions>")?;
    let skill = |line: &str| {
        let (name, rest) = line.strip_prefix("- ")?.split_once(": ")?;
        let (_, path) = rest.rsplit_once("(file: ")?;
        let chars = u32::try_from(line.chars().count() + 1).unwrap_or(u32::MAX);
        Some(OfferedSkill { name: name.to_owned(), path: Some(path.strip_suffix(')')?.to_owned()), chars })
    };
    Some(AgentAction::Offered(inside.lines().filter_map(skill).collect()))
}
