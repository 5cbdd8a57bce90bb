//! Claude Code: `projects/<folder>/<session>.jsonl`, and the sessions of subagents below `<session>/`.

use crate::blocks::{Envelope, outcome, take_calls};
use crate::json::{between, list, text, text_or_empty, texts, time};
use crate::needles::holds;
use crate::pending::PendingCalls;
use crate::session::{self, Session, SessionParser};
use crate::walk;
use serde_json::Value;
use skillc_domain::history::{AgentAction, CallOutcome, HistoryCall, OfferedSkill, SkillChooser, TokenUse};
use skillc_ports::{HistoryFile, HistoryFiles, HistoryRead, HistoryReader, HistorySource, PortError};
use std::path::Path;

/// Reads Claude Code's sessions.
pub struct ClaudeHistory;

impl HistorySource for ClaudeHistory {
    fn agent(&self) -> &'static str {
        "claude-code"
    }

    fn files(&self, root: &Path) -> Result<HistoryFiles, PortError> {
        walk::files(root, |path| walk::ends_with(path, ".jsonl"))
    }

    fn open(&self, file: &HistoryFile, how: HistoryRead) -> Result<Box<dyn HistoryReader>, PortError> {
        session::open(file, how, Session::of(file), ClaudeParser::default())
    }
}

/// The id under which a typed command waits for the text of its skill.
const TYPED: &str = "<command-name>";
/// The beginning of the text of a loaded skill.
const BASE_DIRECTORY: &str = "Base directory for this skill: ";
/// Texts that replace that of a skill which the session has loaded before.
const LOADED_BEFORE: [&str; 3] = ["(Re-invocation of /", "was loaded earlier", "is already loaded above"];

#[derive(Default)]
struct ClaudeParser {
    /// Successful loads that wait for the skill's text, which names its folder.
    loaded: PendingCalls,
    /// The message whose tokens were counted last. A message's lines are consecutive.
    counted_message: String,
}

impl SessionParser for ClaudeParser {
    fn needs(&self, line: &[u8]) -> bool {
        // The line after a load may say that the text had been loaded before.
        let follows_load = !self.loaded.is_empty() && holds(line, "\"isMeta\"");
        follows_load || holds(line, TYPED)
    }

    fn take(&mut self, line: &Value, start: u64, session: &mut Session) {
        let envelope = Envelope { call: envelope(line, start, session), start };
        let content = &line["message"]["content"];
        match line["type"].as_str() {
            Some("assistant") => {
                self.loaded.release(&mut session.calls);
                let tokens = self.tokens(line);
                take_calls(content, &envelope, tokens, true, session);
            }
            Some("user") => self.take_user(line, &envelope, session),
            Some("attachment") => {
                if let Some(skills) = offered(&line["attachment"]) {
                    let action = AgentAction::Offered(skills);
                    session.calls.push_back(HistoryCall { action, ..envelope.call });
                }
            }
            _ => {}
        }
    }

    fn finish(&mut self, session: &mut Session) {
        self.loaded.release(&mut session.calls);
    }
}

fn envelope(line: &Value, start: u64, session: &Session) -> HistoryCall {
    let id = text_or_empty(line, "sessionId");
    // Copies of a line have the same id, including in resumed and forked sessions.
    let record = text(line, &["uuid"]).map_or_else(|| format!("{id}@{start}"), str::to_owned);
    let call = session.call(time(&line["timestamp"]), record);
    let model = text_or_empty(&line["message"], "model");
    HistoryCall { session: id, cwd: text_or_empty(line, "cwd"), model, ..call }
}

impl ClaudeParser {
    /// The tokens of a message, returned only once, since each of its lines repeats them.
    fn tokens(&mut self, line: &Value) -> Option<TokenUse> {
        let message = &line["message"];
        // A line of text may come first.
        if !list(&message["content"]).iter().any(|block| block["type"] == "tool_use") {
            return None;
        }
        let id = format!("{}/{}", text_or_empty(message, "id"), text_or_empty(line, "requestId"));
        let is_new = id != self.counted_message && message["usage"].is_object();
        self.counted_message = id;
        let number = |key: &str| message["usage"][key].as_u64().unwrap_or_default();
        is_new.then(|| TokenUse {
            input: number("input_tokens"),
            output: number("output_tokens"),
            cache_read: number("cache_read_input_tokens"),
            cache_write: number("cache_creation_input_tokens"),
        })
    }

    fn take_user(&mut self, line: &Value, envelope: &Envelope, session: &mut Session) {
        let content = &line["message"]["content"];
        let meta = line["isMeta"].as_bool().unwrap_or_default();
        if meta {
            let id = text(line, &["sourceToolUseID"]).unwrap_or(TYPED);
            return self.take_text_of_skill(id, &texts(content), session);
        }
        for block in list(content).iter().filter(|block| block["type"] == "tool_result") {
            self.take_result(block, envelope.start, session);
        }
        if let Some(name) =
            content.as_str().and_then(|text| between(text, "<command-name>/", "</command-name>"))
        {
            self.loaded.release(&mut session.calls);
            let action = AgentAction::Typed { name: name.trim().to_owned() };
            let call = HistoryCall { action, ..envelope.call.clone() };
            self.loaded.add(TYPED, envelope.start, call, &mut session.calls);
        }
    }

    fn take_result(&mut self, block: &Value, start: u64, session: &mut Session) {
        let Some(id) = text(block, &["tool_use_id"]) else { return };
        let Some(call) = session.pending.take(id) else { return };
        let is_error = block["is_error"].as_bool().unwrap_or_default();
        let call = HistoryCall { outcome: outcome(&call.action, is_error, &block["content"]), ..call };
        match (&call.action, call.outcome) {
            (AgentAction::Loaded { .. }, CallOutcome::Succeeded) => {
                self.loaded.add(id, start, call, &mut session.calls);
            }
            _ => session.calls.push_back(call),
        }
    }

    /// Reads the text of a skill. It says which folder the skill is in, and that a typed command was a skill.
    fn take_text_of_skill(&mut self, id: &str, texts: &[&str], session: &mut Session) {
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
        session.calls.push_back(HistoryCall { action, outcome: CallOutcome::Succeeded, ..call });
    }
}

/// The skills in a list that the agent was given.
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

/// Length in characters of a skill's lines in a list of `- name: description`.
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
