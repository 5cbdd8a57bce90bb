//! How Codex treats a plugin: the first manifest that it recognizes decides, and an entry in a marketplace can
//! replace one.

use super::rule::{PluginEffect, PluginIssue, PluginReport};
use super::rules::{codex, marketplace};
use super::verdict::{PluginOutcome, PluginReason, PluginVerdict, by_issues, fact, unseen};
use super::view::{DocumentState, ManifestDocument, PathState, PluginView, inside};
use skillc_domain::json::JsonNode;
use skillc_domain::plugin::PluginManifest;

/// The program that was observed, and the document that describes what it reads.
pub(super) const SOURCE: &str = "codex 0.169.0; openai/codex codex-rs/core-plugins/src/manifest.rs 01b4840b";

/// The prefix of an Agent Plugin's `$schema`. Codex ignores a `plugin.json` with another one.
const SCHEMAS: &str = "https://agent-plugins.org/schemas/";

/// The key of an Agent Plugin under which only Codex reads. If it is present, Codex ignores
/// `.codex-plugin/plugin.json`.
const EXTENSION: &str = "com.openai";

/// A manifest that Codex reads if none of [`PluginManifest`] exists.
const CURSOR: &str = ".cursor-plugin/plugin.json";

/// Keys of a marketplace entry that do not describe the plugin.
const ENTRY_KEYS: [&str; 3] = ["name", "source", "policy"];

/// Predicts how Codex treats a plugin with these issues.
pub(super) fn judge(view: &PluginView<'_>, issues: &[PluginIssue]) -> PluginVerdict {
    let schema = |root: &JsonNode| root.get("$schema").and_then(JsonNode::text).map(str::to_owned);
    let root = view.value(PluginManifest::AgentPlugin);
    if let Some(root) = root.filter(|root| schema(root).is_some_and(|schema| schema.starts_with(SCHEMAS))) {
        return of_agent_plugin(root, view, issues);
    }
    let mut verdict = of_others(view, issues);
    if view.document(PluginManifest::AgentPlugin).is_some() {
        verdict
            .reasons
            .push(fact("plugin.json does not name the schema of Agent Plugins, and is passed over"));
    }
    verdict
}

/// Codex also reads its own part of an Agent Plugin, or otherwise its own manifest, and refuses the plugin if that
/// has the wrong shape.
fn of_agent_plugin(root: &JsonNode, view: &PluginView<'_>, issues: &[PluginIssue]) -> PluginVerdict {
    let mut issues: Vec<PluginIssue> = issues
        .iter()
        .filter(|issue| issue.manifest != PluginManifest::Codex || issue.rule.effect == PluginEffect::Refused)
        .cloned()
        .collect();
    let extension = root.get("extensions").and_then(|extensions| extensions.get(EXTENSION));
    if let Some((extension, document)) = extension.zip(view.document(PluginManifest::AgentPlugin)) {
        issues.retain(|issue| issue.manifest != PluginManifest::Codex);
        issues.extend(shape_issues(extension, document, view));
    }
    by_issues(&[PluginManifest::AgentPlugin, PluginManifest::Mcp, PluginManifest::Codex], &issues)
}

/// Applies Codex's rules about shape to a value in another manifest.
fn shape_issues(node: &JsonNode, document: &ManifestDocument, view: &PluginView<'_>) -> Vec<PluginIssue> {
    let mut issues = Vec::new();
    codex::check(node, view, &mut PluginReport { document, issues: &mut issues });
    issues.retain(|issue| issue.rule.effect == PluginEffect::Refused);
    issues
}

fn of_others(view: &PluginView<'_>, issues: &[PluginIssue]) -> PluginVerdict {
    if view.document(PluginManifest::Codex).is_some() {
        return by_issues(&[PluginManifest::Codex], issues);
    }
    if let Some(document) = view.document(PluginManifest::Claude) {
        return match &document.state {
            DocumentState::Parsed(root) => {
                by_issues(&[PluginManifest::Claude], &shape_issues(root, document, view))
            }
            _ => by_issues(&[PluginManifest::Claude], issues),
        };
    }
    if (view.look)(CURSOR) == PathState::File {
        let reasons = vec![fact(&format!("it reads {CURSOR}, which is not checked here"))];
        return PluginVerdict { outcome: PluginOutcome::Loads, reads: None, reasons };
    }
    match view.document(PluginManifest::Marketplace) {
        Some(document) => of_marketplace(document, view, issues),
        None => unseen(PluginManifest::Codex),
    }
}

/// Without a manifest, the plugin's entry in a marketplace serves as one, if it says more than where the plugin is.
fn of_marketplace(
    document: &ManifestDocument,
    view: &PluginView<'_>,
    issues: &[PluginIssue],
) -> PluginVerdict {
    let manifest = PluginManifest::Marketplace;
    let DocumentState::Parsed(root) = &document.state else { return by_issues(&[manifest], issues) };
    let entries = root.get("plugins").map(JsonNode::items).unwrap_or_default();
    let is_incomplete = |entry: &JsonNode| {
        entry.get("name").and_then(JsonNode::text).is_none() || entry.get("source").is_none()
    };
    if entries.iter().any(is_incomplete) {
        let message = "an entry of the marketplace has no name or no source".to_owned();
        let reasons = vec![PluginReason { rule: Some(&marketplace::ENTRY), message }];
        return PluginVerdict { outcome: PluginOutcome::Refused, reads: Some(manifest), reasons };
    }
    let Some(entry) = entries.iter().find(|entry| is_here(entry)) else {
        return unseen(PluginManifest::Codex);
    };
    if entry.members().iter().all(|member| ENTRY_KEYS.contains(&member.key.as_str())) {
        let mut verdict = unseen(PluginManifest::Codex);
        let what = format!("{} says only the plugin's name and source", manifest.path());
        verdict.reasons.push(fact(&what));
        return verdict;
    }
    let mut verdict = by_issues(&[manifest], &shape_issues(entry, document, view));
    verdict
        .reasons
        .push(fact("there is no manifest that it reads, and the entry in the marketplace stands in for one"));
    verdict
}

/// Whether an entry's source is the marketplace's own folder.
fn is_here(entry: &JsonNode) -> bool {
    let source = entry.get("source");
    let path = source.and_then(|source| source.get("path").or(Some(source))).and_then(JsonNode::text);
    path.is_some_and(|path| inside(path).is_some_and(|inner| inner.is_empty()))
}
