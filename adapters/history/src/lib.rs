//! The histories that agents keep of their own work, one file for each agent. OpenCode's database is read by the adapter of
//! SQLite, and its older files here.
//!
//! Knows what the records mean, and nothing of skills: which skill a path belongs to is decided elsewhere.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

mod blocks;
mod claude;
mod codex;
mod codex_output;
mod codex_tokens;
mod copilot;
mod cursor;
mod droid;
mod gemini;
mod json;
mod lines;
mod needles;
mod opencode;
mod pending;
mod pi;
mod qwen;
mod session;
mod tools;
mod walk;
mod zstd;

use skillc_ports::HistorySource;
use std::sync::Arc;

/// One source for each agent whose history is in files. Add one as a line here.
pub fn sources() -> Vec<Arc<dyn HistorySource>> {
    vec![
        Arc::new(claude::ClaudeHistory),
        Arc::new(codex::CodexHistory),
        Arc::new(copilot::CopilotHistory),
        Arc::new(gemini::GeminiHistory),
        Arc::new(cursor::CursorHistory),
        Arc::new(pi::PiHistory),
        Arc::new(droid::DroidHistory),
        Arc::new(qwen::QwenHistory),
        Arc::new(opencode::OpenCodeFiles),
    ]
}
