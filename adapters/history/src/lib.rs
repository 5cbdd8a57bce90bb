//! Readers for the histories that agents record of their sessions, one file per agent. The SQLite adapter reads
//! OpenCode's database; its older files are read here.
//!
//! Knows the meaning of records, but nothing about skills: other crates decide which skill a path belongs to.
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

/// One source for each agent that records its history in files. A new one is one line here.
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
        Arc::new(opencode::OpenCodeFiles::default()),
    ]
}
