//! How each client treats a plugin: which manifest it reads, whether it loads the plugin, and why not.

use super::codex;
use super::rule::{PluginEffect, PluginIssue};
use super::rules::{PLUGIN_SCHEMA, claude, gemini};
use super::verdict::{PluginOutcome, PluginVerdict, by_issues, fact, loads, unseen};
use super::view::{DocumentState, PathState, PluginView, SKILLS_FOLDER};
use skillc_domain::json::JsonNode;
use skillc_domain::plugin::PluginManifest;

/// A client that loads plugins.
pub struct PluginClient {
    /// Stable id, as in output.
    pub id: &'static str,
    /// The client's display name.
    pub label: &'static str,
    /// The document that describes its behavior.
    pub source: &'static str,
    /// Predicts how it treats a plugin with these issues.
    pub judge: fn(&PluginView<'_>, &[PluginIssue]) -> PluginVerdict,
}

/// All clients, those that follow the specification first.
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
    PluginClient { id: "codex", label: "Codex", source: codex::SOURCE, judge: codex::judge },
    PluginClient { id: "claude-code", label: "Claude Code", source: claude::SOURCE, judge: judge_claude },
    PluginClient { id: "gemini", label: "Gemini CLI", source: gemini::SOURCE, judge: judge_gemini },
];

fn judge_specification(view: &PluginView<'_>, issues: &[PluginIssue]) -> PluginVerdict {
    match view.document(PluginManifest::AgentPlugin) {
        Some(_) => by_issues(&[PluginManifest::AgentPlugin, PluginManifest::Mcp], issues),
        None => unseen(PluginManifest::AgentPlugin),
    }
}

/// VS Code checks only the schema, and accepts comments and errors in JSON. It treats a manifest that is not an Agent
/// Plugin as another format.
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
