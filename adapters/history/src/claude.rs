//! Claude Code: `projects/<folder>/<session>.jsonl`, and below `<session>/` the sessions of its subagents.

use crate::blocks::{Envelope, outcome, take_calls};
use crate::json::{between, list, text, text_or_empty, texts, time};
use crate::needles::holds;
use crate::pending::{CallQueue, PendingCalls};
use crate::session::{self, SessionParser};
use crate::walk;
use serde_json::Value;
use skillc_domain::history::{AgentAction, CallOutcome, HistoryCall, OfferedSkill, SkillChooser, TokenUse};
use skillc_ports::{HistoryFile, HistoryFiles, HistoryRead, HistoryReader, HistorySource, PortError};
use std::path::Path;

/// Claude Code's sessions.
pub struct ClaudeHistory;

impl HistorySource for ClaudeHistory {
    fn agent(&self) -> &'static str {
        "claude-code"
    }

    fn files(&self, root: &Path) -> Result<HistoryFiles, PortError> {
        walk::files(root, |path| walk::ends_with(path, ".jsonl"))
    }

    fn open(&self, file: &HistoryFile, how: HistoryRead) -> Result<Box<dyn HistoryReader>, PortError> {
        session::open(file, how, ClaudeParser { modified: file.modified, ..ClaudeParser::default() })
    }
}

/// The id under which a typed command waits for the text of its skill.
const TYPED: &str = "<command-name>";
/// Where the text of a loaded skill begins.
const BASE_DIRECTORY: &str = "Base directory for this skill: ";
/// What is written in place of the text of a skill that the session has.
const LOADED_BEFORE: [&str; 3] = ["(Re-invocation of /", "was loaded earlier", "is already loaded above"];

#[derive(Default)]
struct ClaudeParser {
    modified: i64,
    pending: PendingCalls,
    /// Successful loads that wait for the skill's text, which names its folder.
    loaded: PendingCalls,
    /// The message whose tokens were counted last; its lines follow each other.
    counted_message: String,
}

impl SessionParser for ClaudeParser {
    fn needs(&self, line: &[u8]) -> bool {
        // What follows a load may say that its text was there before.
        let follows_load = !self.loaded.is_empty() && holds(line, "\"isMeta\"");
        follows_load || holds(line, TYPED) || self.pending.are_named_in(line)
    }

    fn take(&mut self, line: &Value, start: u64, out: &mut CallQueue) {
        let envelope = Envelope { call: self.envelope(line, start), start };
        let content = &line["message"]["content"];
        match line["type"].as_str() {
            Some("assistant") => {
                self.loaded.release(out);
                let tokens = self.tokens(line);
                take_calls(content, &envelope, tokens, Some(&mut self.pending), out);
            }
            Some("user") => self.take_user(line, &envelope, out),
            Some("attachment") => {
                if let Some(skills) = offered(&line["attachment"]) {
                    out.push_back(HistoryCall { action: AgentAction::Offered(skills), ..envelope.call });
                }
            }
            _ => {}
        }
    }

    fn finish(&mut self, is_settled: bool, out: &mut CallQueue) {
        self.loaded.release(out);
        if is_settled {
            self.pending.release(out);
        }
    }

    fn waiting_since(&self) -> Option<u64> {
        self.pending.start()
    }
}

impl ClaudeParser {
    fn envelope(&self, line: &Value, start: u64) -> HistoryCall {
        let session = text_or_empty(line, "sessionId");
        // Copies of a line have its id, also in resumed and forked sessions.
        let record = text(line, &["uuid"]).map_or_else(|| format!("{session}@{start}"), str::to_owned);
        let at = time(&line["timestamp"]);
        HistoryCall {
            session,
            cwd: text_or_empty(line, "cwd"),
            at: at.unwrap_or(self.modified),
            is_time_estimated: at.is_none(),
            record,
            action: AgentAction::Offered(Vec::new()),
            outcome: CallOutcome::Unknown,
            tokens: None,
        }
    }

    /// The tokens of a message, once: each of its lines repeats them.
    fn tokens(&mut self, line: &Value) -> Option<TokenUse> {
        let message = &line["message"];
        let id = format!("{}/{}", text_or_empty(message, "id"), text_or_empty(line, "requestId"));
        let number = |key: &str| message["usage"][key].as_u64().unwrap_or_default();
        let tokens = TokenUse {
            input: number("input_tokens"),
            output: number("output_tokens"),
            cache_read: number("cache_read_input_tokens"),
            cache_write: number("cache_creation_input_tokens"),
        };
        let is_new = id != self.counted_message && message["usage"].is_object();
        self.counted_message = id;
        is_new.then_some(tokens)
    }

    fn take_user(&mut self, line: &Value, envelope: &Envelope, out: &mut CallQueue) {
        let content = &line["message"]["content"];
        let meta = line["isMeta"].as_bool().unwrap_or_default();
        if meta {
            let id = text(line, &["sourceToolUseID"]).unwrap_or(TYPED);
            return self.take_text_of_skill(id, &texts(content), out);
        }
        for block in list(content).iter().filter(|block| block["type"] == "tool_result") {
            self.take_result(block, envelope.start, out);
        }
        if let Some(name) =
            content.as_str().and_then(|text| between(text, "<command-name>/", "</command-name>"))
        {
            self.loaded.release(out);
            let action = AgentAction::Typed { name: name.trim().to_owned() };
            self.loaded.add(TYPED, envelope.start, HistoryCall { action, ..envelope.call.clone() }, out);
        }
    }

    fn take_result(&mut self, block: &Value, start: u64, out: &mut CallQueue) {
        let Some(id) = text(block, &["tool_use_id"]) else { return };
        let Some(call) = self.pending.take(id) else { return };
        let is_error = block["is_error"].as_bool().unwrap_or_default();
        let call = HistoryCall { outcome: outcome(&call.action, is_error, &block["content"]), ..call };
        match (&call.action, call.outcome) {
            (AgentAction::Loaded { .. }, CallOutcome::Succeeded) => self.loaded.add(id, start, call, out),
            _ => out.push_back(call),
        }
    }

    /// The text of a skill says in which folder it is, and that a typed command was a skill.
    fn take_text_of_skill(&mut self, id: &str, texts: &[&str], out: &mut CallQueue) {
        let folder = texts.iter().find_map(|text| text.strip_prefix(BASE_DIRECTORY)?.lines().next());
        let is_known = texts.iter().any(|text| LOADED_BEFORE.iter().any(|sign| text.contains(sign)));
        if folder.is_none() && !is_known {
            return;
        }
        let Some(call) = self.loaded.take(id) else { return };
        let path = folder.map(|folder| folder.trim().to_owned());
        let action = match call.action {
            AgentAction::Loaded { name, by, .. } => AgentAction::Loaded { name, path, by },
            AgentAction::Typed { name } => AgentAction::Loaded { name, path, by: SkillChooser::User },
            other => other,
        };
        out.push_back(HistoryCall { action, outcome: CallOutcome::Succeeded, ..call });
    }
}

/// The skills of a list that was given to the agent.
fn offered(attachment: &Value) -> Option<Vec<OfferedSkill>> {
    let folder = text(attachment, &["skillDir"]);
    let names = match attachment["type"].as_str() {
        Some("skill_listing") => list(&attachment["names"]),
        _ if folder.is_some() => list(&attachment["skillNames"]),
        _ => return None,
    };
    let listing = text(attachment, &["content"]).unwrap_or_default();
    let skill = |name: &str| OfferedSkill {
        name: name.to_owned(),
        path: folder.map(|folder| format!("{folder}/{name}")),
        chars: chars_of(listing, name),
    };
    Some(names.iter().filter_map(Value::as_str).map(skill).collect())
}

/// Characters of a skill's lines in a list of `- name: description`.
fn chars_of(listing: &str, name: &str) -> u32 {
    let mut chars = 0;
    let mut is_inside = false;
    for line in listing.lines() {
        if let Some(rest) = line.strip_prefix("- ") {
            is_inside = rest.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
        }
        if is_inside {
            chars += u32::try_from(line.chars().count()).unwrap_or(u32::MAX - chars).saturating_add(1);
        }
    }
    chars
}
