//! The folders in which agents keep their histories.

use crate::agents::expand;
use std::path::PathBuf;

/// Where one agent keeps its history on a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryLocation {
    /// The agent's id in `AGENTS`.
    pub agent: &'static str,
    /// Its folder as templates like those of `Agent::user`; the first that can be expanded is used.
    pub root: &'static [&'static str],
    /// Days after which the agent deletes a session by default; `None` if it keeps them.
    pub deleted_after_days: Option<u32>,
}

/// All histories that can be read, one per line.
#[rustfmt::skip]
pub static HISTORIES: &[HistoryLocation] = &[
    HistoryLocation { agent: "claude-code", root: &["${CLAUDE_CONFIG_DIR:-~/.claude}/projects"], deleted_after_days: Some(30) },
    HistoryLocation { agent: "codex", root: &["${CODEX_HOME:-~/.codex}"], deleted_after_days: None },
    HistoryLocation { agent: "opencode", root: &["${OPENCODE_DATA_DIR}", "${XDG_DATA_HOME:-~/.local/share}/opencode"], deleted_after_days: None },
    HistoryLocation { agent: "github-copilot", root: &["${COPILOT_HOME:-~/.copilot}"], deleted_after_days: None },
    HistoryLocation { agent: "gemini-cli", root: &["~/.gemini"], deleted_after_days: None },
    HistoryLocation { agent: "cursor", root: &["~/.cursor/projects"], deleted_after_days: None },
    HistoryLocation { agent: "pi", root: &["~/.pi/agent/sessions"], deleted_after_days: None },
    HistoryLocation { agent: "droid", root: &["~/.factory/sessions"], deleted_after_days: None },
    HistoryLocation { agent: "qwen-code", root: &["~/.qwen/projects"], deleted_after_days: None },
];

impl HistoryLocation {
    /// The folder on this machine. `var` looks up environment variables.
    pub fn folder(&self, home: &str, var: &dyn Fn(&str) -> Option<String>) -> Option<PathBuf> {
        self.root.iter().find_map(|template| expand(template, home, var))
    }
}

/// Names of the environment variables that move histories.
pub fn variables() -> impl Iterator<Item = &'static str> {
    let templates = HISTORIES.iter().flat_map(|history| history.root);
    templates.filter_map(|template| template.strip_prefix("${")?.split(['}', ':']).next())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::agent;

    /// RFC-0014:C-SOURCES
    #[test]
    fn histories_belong_to_known_agents_and_follow_their_variables() {
        assert!(HISTORIES.iter().all(|history| agent(history.agent).is_some()));
        let opencode = HISTORIES.iter().find(|history| history.agent == "opencode").unwrap();
        let unset = |_: &str| None;
        assert_eq!(opencode.folder("/h", &unset), Some("/h/.local/share/opencode".into()));
        let moved = |name: &str| (name == "OPENCODE_DATA_DIR").then(|| "/d".to_owned());
        assert_eq!(opencode.folder("/h", &moved), Some("/d".into()));
        assert!(variables().any(|name| name == "CODEX_HOME"));
    }
}
