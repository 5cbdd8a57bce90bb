//! Codex: `sessions/<year>/<month>/<day>/rollout-*.jsonl`, `.jsonl.zst` for old ones, and `archived_sessions`.

use crate::codex_output::outcome;
use crate::json::{between, text, text_or_empty, texts, time};
use crate::needles::{holds, is_in_skill};
use crate::pending::{CallQueue, PendingCalls};
use crate::session::{self, SessionParser, SessionReader, open_regular};
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

/// Codex's sessions.
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
        let parser = CodexParser { modified: file.modified, ..CodexParser::default() };
        if !walk::ends_with(&file.path, COMPRESSED) {
            return session::open(file, how, parser);
        }
        let damaged = |error| {
            PortError::new(ErrorKind::Corrupt, format!("read '{}'", file.path.display()))
                .caused_by(format!("{error}"))
        };
        let decoder = ZstdReader::new(open_regular(&file.path)?).map_err(damaged)?;
        // A compressed session is never written again, so nothing of it waits.
        let how = HistoryRead { from: 0, is_settled: true };
        Ok(Box::new(SessionReader::new(BufReader::new(decoder), 0, file, how, parser)))
    }
}

/// Where both are there, the plain file counts.
fn is_compressed_alone(path: &Path) -> bool {
    let plain = |path: &Path| {
        let (folder, name) = Folder::of_file(path).ok()?;
        folder.kind(name.to_string_lossy().strip_suffix(".zst")?)
    };
    walk::ends_with(path, COMPRESSED) && plain(path).is_none()
}

#[derive(Default)]
struct CodexParser {
    modified: i64,
    session: String,
    cwd: String,
    pending: PendingCalls,
}

impl SessionParser for CodexParser {
    fn needs(&self, line: &[u8]) -> bool {
        is_in_skill(&self.cwd)
            || holds(line, "\"turn_context\"")
            || holds(line, "\"session_meta\"")
            || self.pending.are_named_in(line)
    }

    fn begin(&mut self, line: &Value) {
        if line["type"] == "session_meta" {
            self.take_meta(&line["payload"]);
        }
    }

    fn take(&mut self, line: &Value, start: u64, out: &mut CallQueue) {
        let payload = &line["payload"];
        match line["type"].as_str() {
            // A fork repeats that of its parent, further down.
            Some("session_meta") if start == 0 || self.session.is_empty() => self.take_meta(payload),
            Some("turn_context") => {
                if let Some(cwd) = text(payload, &["cwd"]) {
                    cwd.clone_into(&mut self.cwd);
                }
            }
            Some("response_item") => self.take_item(line, payload, start, out),
            _ => {}
        }
    }

    fn finish(&mut self, is_settled: bool, out: &mut CallQueue) {
        if is_settled {
            self.pending.release(out);
        }
    }

    fn waiting_since(&self) -> Option<u64> {
        self.pending.start()
    }
}

impl CodexParser {
    fn take_meta(&mut self, payload: &Value) {
        self.session = text(payload, &["session_id", "id"]).unwrap_or_default().to_owned();
        self.cwd = text_or_empty(payload, "cwd");
    }

    fn call(&self, line: &Value, record: &str, action: AgentAction) -> HistoryCall {
        let at = time(&line["timestamp"]);
        HistoryCall {
            session: self.session.clone(),
            cwd: self.cwd.clone(),
            at: at.unwrap_or(self.modified),
            is_time_estimated: at.is_none(),
            record: format!("{}/{record}", self.session),
            action,
            outcome: CallOutcome::Unknown,
            tokens: None,
        }
    }

    fn take_item(&mut self, line: &Value, item: &Value, start: u64, out: &mut CallQueue) {
        match item["type"].as_str() {
            Some("message") => self.take_message(line, item, out),
            Some("function_call") => {
                // Arguments are JSON in a text.
                let arguments: Value = item["arguments"]
                    .as_str()
                    .and_then(|text| serde_json::from_str(text).ok())
                    .unwrap_or_default();
                let found = item["name"].as_str().and_then(|name| action(name, &arguments));
                self.wait(line, item, found, start, out);
            }
            Some("local_shell_call") => self.wait(line, item, action("shell", &item["action"]), start, out),
            Some("function_call_output" | "local_shell_call_output") => {
                if let Some(id) = text(item, &["call_id"]) {
                    self.pending.settle(id, outcome(&item["output"]), out);
                }
            }
            _ => {}
        }
    }

    fn wait(
        &mut self,
        line: &Value,
        item: &Value,
        found: Option<AgentAction>,
        start: u64,
        out: &mut CallQueue,
    ) {
        let Some((found, id)) = found.zip(text(item, &["call_id", "id"])) else { return };
        let call = self.call(line, id, found);
        self.pending.add(id, start, call, out);
    }

    /// A skill that the user put in, or the list of skills.
    fn take_message(&mut self, line: &Value, item: &Value, out: &mut CallQueue) {
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
                let call = self.call(line, &format!("{stamp}/{role}/{at}"), found);
                out.push_back(HistoryCall { outcome: CallOutcome::Succeeded, ..call });
            }
        }
    }
}

/// A skill whose text the user's mention put into the session.
fn put_in(text: &str) -> Option<AgentAction> {
    let head = text.trim_start().strip_prefix("<skill>")?;
    let name = between(head, "<name>", "</name>")?.trim().to_owned();
    let path = between(head, "<path>", "</path>").map(|path| path.trim().to_owned());
    Some(AgentAction::Loaded { name, path, by: SkillChooser::User })
}

/// The list `- name: description (file: /path/SKILL.md)`.
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
