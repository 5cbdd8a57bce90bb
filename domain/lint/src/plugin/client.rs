//! What each client makes of a plugin: which manifest it reads, whether it loads the plugin, and why not.

use super::rule::{PluginEffect, PluginIssue, PluginRule};
use super::rules::{PLUGIN_SCHEMA, claude, codex, gemini};
use super::view::{DocumentState, PathState, PluginView, SKILLS_FOLDER};
use skillc_domain::json::JsonNode;
use skillc_domain::plugin::PluginManifest;

/// What a client makes of a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PluginOutcome {
    /// It loads all of it.
    Loads,
    /// It loads a part of it.
    Degraded,
    /// It refuses it.
    Refused,
    /// It finds no manifest that it reads.
    Unseen,
}

/// A reason for an outcome.
#[derive(Clone, Debug)]
pub struct PluginReason {
    /// The rule whose page has the source; none for a fact about the client alone.
    pub rule: Option<&'static PluginRule>,
    /// Lower case, without a full stop.
    pub message: String,
}

/// What a client makes of a plugin, and why.
#[derive(Clone, Debug)]
pub struct PluginVerdict {
    /// What it makes of it.
    pub outcome: PluginOutcome,
    /// The manifest that it reads.
    pub reads: Option<PluginManifest>,
    /// Why it loads less than all of it, and what else is to be known.
    pub reasons: Vec<PluginReason>,
}

/// A client of plugins.
pub struct PluginClient {
    /// Its id.
    pub id: &'static str,
    /// The name that people see.
    pub label: &'static str,
    /// The document that says what it does.
    pub source: &'static str,
    /// Decides what it makes of a plugin with these issues.
    pub judge: fn(&PluginView<'_>, &[PluginIssue]) -> PluginVerdict,
}

impl PluginOutcome {
    /// The word that outputs use.
    pub fn word(self) -> &'static str {
        match self {
            Self::Loads => "loads",
            Self::Degraded => "degraded",
            Self::Refused => "refused",
            Self::Unseen => "unseen",
        }
    }
}

/// Every client, those that follow the specification first.
pub static PLUGIN_CLIENTS: &[PluginClient] = &[
    PluginClient {
        id: "agent-plugins",
        label: "Agent Plugins (Cursor, Kiro and others)",
        source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md",
        judge: judge_specification,
    },
    PluginClient {
        id: "vscode",
        label: "VS Code",
        source: "microsoft/vscode src/vs/platform/agentPlugins/common/agentPluginParser.ts 1fd84445 and pluginParsers.ts 047238f9",
        judge: judge_vscode,
    },
    PluginClient { id: "codex", label: "Codex", source: codex::SOURCE, judge: judge_codex },
    PluginClient { id: "claude-code", label: "Claude Code", source: claude::SOURCE, judge: judge_claude },
    PluginClient { id: "gemini", label: "Gemini CLI", source: gemini::SOURCE, judge: judge_gemini },
];

fn judge_specification(view: &PluginView<'_>, issues: &[PluginIssue]) -> PluginVerdict {
    match view.document(PluginManifest::AgentPlugin) {
        Some(_) => by_issues(&[PluginManifest::AgentPlugin, PluginManifest::Mcp], issues),
        None => unseen(PluginManifest::AgentPlugin),
    }
}

/// VS Code reads the schema alone, in JSON with comments and mistakes. What is no Agent Plugin for it is one of another format.
fn judge_vscode(view: &PluginView<'_>, issues: &[PluginIssue]) -> PluginVerdict {
    let schema = |schema: &str| {
        schema.starts_with("https://agent-plugins.org/schemas/") && schema.ends_with("/plugin.schema.json")
    };
    let is_agent_plugin =
        view.document(PluginManifest::AgentPlugin).is_some_and(|document| match &document.state {
            DocumentState::Parsed(root) => root.get("$schema").and_then(JsonNode::text).is_some_and(schema),
            DocumentState::Broken(_) => document.text.contains(PLUGIN_SCHEMA),
            DocumentState::Unreadable(_) | DocumentState::Misplaced(_) => false,
        });
    if is_agent_plugin {
        let of_parts = |issue: &&PluginIssue| {
            issue.manifest == PluginManifest::Mcp || issue.rule.effect == PluginEffect::PartDropped
        };
        let issues: Vec<PluginIssue> = issues.iter().filter(of_parts).cloned().collect();
        return by_issues(&[PluginManifest::AgentPlugin, PluginManifest::Mcp], &issues);
    }
    if view.document(PluginManifest::Claude).is_some() {
        let mut verdict = loads(PluginManifest::Claude);
        verdict.reasons.push(fact("it is read as a plugin of Claude Code"));
        return verdict;
    }
    let mut verdict = match view.document(PluginManifest::AgentPlugin) {
        Some(_) => loads(PluginManifest::AgentPlugin),
        None => PluginVerdict { outcome: PluginOutcome::Loads, reads: None, reasons: Vec::new() },
    };
    verdict.reasons.push(fact("it is read as a plugin of Copilot, which needs no manifest"));
    verdict
}

/// The manifest at the root comes first; one that is invalid ends the search.
fn judge_codex(view: &PluginView<'_>, issues: &[PluginIssue]) -> PluginVerdict {
    if view.document(PluginManifest::AgentPlugin).is_some() {
        return by_issues(&[PluginManifest::AgentPlugin, PluginManifest::Mcp], issues);
    }
    if view.document(PluginManifest::Codex).is_some() {
        return by_issues(&[PluginManifest::Codex], issues);
    }
    match view.document(PluginManifest::Claude).map(|document| &document.state) {
        Some(DocumentState::Parsed(_)) => loads(PluginManifest::Claude),
        Some(_) => by_issues(&[PluginManifest::Claude], issues),
        None => unseen(PluginManifest::Codex),
    }
}

fn judge_claude(view: &PluginView<'_>, issues: &[PluginIssue]) -> PluginVerdict {
    let manifests = [PluginManifest::Claude, PluginManifest::Marketplace];
    if manifests.iter().any(|manifest| view.document(*manifest).is_some()) {
        return by_issues(&manifests, issues);
    }
    match (view.look)(SKILLS_FOLDER) {
        PathState::Folder => PluginVerdict {
            outcome: PluginOutcome::Loads,
            reads: None,
            reasons: vec![fact(&format!(
                "it has no manifest, and is called '{}' as its folder",
                view.folder
            ))],
        },
        _ => unseen(PluginManifest::Claude),
    }
}

fn judge_gemini(view: &PluginView<'_>, issues: &[PluginIssue]) -> PluginVerdict {
    match view.document(PluginManifest::Gemini) {
        Some(_) => by_issues(&[PluginManifest::Gemini], issues),
        None => unseen(PluginManifest::Gemini),
    }
}

fn loads(manifest: PluginManifest) -> PluginVerdict {
    PluginVerdict { outcome: PluginOutcome::Loads, reads: Some(manifest), reasons: Vec::new() }
}

fn unseen(manifest: PluginManifest) -> PluginVerdict {
    let reason = fact(&format!("there is no {}", manifest.path()));
    PluginVerdict { outcome: PluginOutcome::Unseen, reads: None, reasons: vec![reason] }
}

fn fact(message: &str) -> PluginReason {
    PluginReason { rule: None, message: message.to_owned() }
}

/// The outcome that the issues of these manifests have, the gravest first. The first manifest decides whether the plugin is loaded.
fn by_issues(manifests: &[PluginManifest], issues: &[PluginIssue]) -> PluginVerdict {
    let mut of_manifests: Vec<&PluginIssue> = issues
        .iter()
        .filter(|issue| manifests.contains(&issue.manifest))
        .filter(|issue| !matches!(issue.rule.effect, PluginEffect::Nothing | PluginEffect::Drift))
        .collect();
    of_manifests.sort_by_key(|issue| issue.rule.effect);
    let is_fatal = |issue: &&PluginIssue| {
        issue.rule.effect == PluginEffect::Refused && issue.manifest != PluginManifest::Mcp
    };
    let refused: Vec<&PluginIssue> = of_manifests.iter().copied().filter(is_fatal).collect();
    let reason =
        |issue: &PluginIssue| PluginReason { rule: Some(issue.rule), message: issue.message.clone() };
    let is_whole = of_manifests.iter().all(|issue| issue.rule.effect == PluginEffect::Ignored);
    let (outcome, counted) = match (refused.is_empty(), is_whole) {
        (false, _) => (PluginOutcome::Refused, &refused),
        (true, false) => (PluginOutcome::Degraded, &of_manifests),
        (true, true) => (PluginOutcome::Loads, &of_manifests),
    };
    let reasons = counted.iter().map(|issue| reason(issue)).collect();
    PluginVerdict { outcome, reads: manifests.first().copied(), reasons }
}
