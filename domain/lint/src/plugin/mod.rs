//! Plugins: rules for their manifests, how each client treats them, and how they differ from the plugin itself
//! (RFC-0015).
//!
//! A rule is one value in `rules`, with its source. Everything about one format is in the file of its manifest.

mod client;
mod codex;
mod difference;
mod page;
mod rule;
mod rules;
mod servers;
mod source;
mod verdict;
mod view;

pub use client::{PLUGIN_CLIENTS, PluginClient};
pub use difference::{PluginDifference, differences};
pub use page::{effect_words, files_text, plugin_rule_page, plugin_rule_table};
pub use rule::{PluginEffect, PluginFiles, PluginIssue, PluginRule};
pub use rules::{MCP_SCHEMA, PLUGIN_RULES, PLUGIN_SCHEMA, find, name_flaw};
pub use source::{PluginSource, SkillFolder};
pub use verdict::{PluginOutcome, PluginReason, PluginVerdict};
pub use view::{DocumentState, ManifestDocument, PathState, PluginSkill, PluginView};

use skillc_domain::plugin::PluginManifest;

/// All issues of a plugin, by manifest and position.
pub fn issues(view: &PluginView<'_>, source: &PluginSource) -> Vec<PluginIssue> {
    let mut issues = Vec::new();
    for document in view.documents {
        rules::check(document, view, &mut issues);
    }
    rules::skills::check(view, &mut issues);
    rules::drift::unseen_skills(view, &mut issues);
    let is_given = |key: &str| match key {
        "name" => source.settings.name.is_some(),
        _ => source.settings.version.is_some(),
    };
    rules::drift::among_manifests(view, is_given, &mut issues);
    drift(view, source, &mut issues);
    issues.sort_by_key(|issue| (issue.manifest, issue.at.as_ref().map(|at| at.start)));
    issues
}

/// Differences from the source, and requested manifests that are missing.
fn drift(view: &PluginView<'_>, source: &PluginSource, issues: &mut Vec<PluginIssue>) {
    for document in view.documents {
        let DocumentState::Parsed(root) = &document.state else { continue };
        for PluginDifference { rule, at, message, .. } in
            differences(source, document.manifest, root, view.look)
        {
            issues.push(PluginIssue { rule, manifest: document.manifest, at, message, fix: None });
        }
    }
    let is_missing = |manifest: &PluginManifest| view.document(*manifest).is_none();
    for manifest in source.manifests().into_iter().filter(is_missing) {
        let message = format!("{} is missing", manifest.path());
        let rule = &rules::drift::MANIFEST_MISSING;
        issues.push(PluginIssue { rule, manifest, at: None, message, fix: None });
    }
}
