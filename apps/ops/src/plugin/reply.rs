//! The reply of `skc plugin`.

use super::opened::OpenedPlugin;
use crate::render::{Render, View, counted, line, plain};
use schemars::JsonSchema;
use serde::Serialize;
use skillc_domain::json::line_and_column;
use skillc_domain::rule_settings::Severity;
use skillc_lint::plugin::{
    ManifestDocument, PluginClient, PluginEffect, PluginIssue, PluginOutcome, PluginReason, PluginVerdict,
};
use std::path::PathBuf;

/// A plugin, with the changes to its manifests or the issues in them.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct PluginReply {
    /// Its folder.
    pub root: PathBuf,
    /// Its name, if `[plugin]` has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its skills, as paths in it.
    pub skills: Vec<String>,
    /// Its manifests.
    pub manifests: Vec<PluginManifestState>,
    /// Its issues, by manifest and position.
    pub findings: Vec<PluginFinding>,
    /// How each client treats it; with `--explain-load`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clients: Vec<PluginClientVerdict>,
    #[serde(skip)]
    pub(super) is_check: bool,
}

/// A manifest of a plugin.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PluginManifestState {
    /// Its path in the plugin.
    pub path: &'static str,
    /// `written`, `updated`, `unchanged`, or `found` by a check.
    pub state: &'static str,
    /// What an update changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
}

/// An issue of a plugin.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PluginFinding {
    /// Id of the rule, which `skc explain` explains.
    pub rule: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What clients do: `refused`, `part-dropped`, `ignored` or `advice`; or `drift`.
    pub effect: &'static str,
    /// Whether the check fails.
    pub is_error: bool,
    /// The manifest.
    pub path: &'static str,
    /// Its line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Its column in characters, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub fix: String,
    /// The document that says so.
    pub source: &'static str,
}

/// How a client treats a plugin.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PluginClientVerdict {
    /// Its id.
    pub client: &'static str,
    /// Its name.
    pub label: &'static str,
    /// `loads`, `degraded`, `refused` or `unseen`.
    pub outcome: &'static str,
    /// The manifest that it reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reads: Option<&'static str>,
    /// Why.
    pub reasons: Vec<PluginVerdictReason>,
    /// The document that says what the client does.
    pub source: &'static str,
}

/// A reason of a verdict.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PluginVerdictReason {
    /// The rule whose page has the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// The fact.
    pub message: String,
}

impl PluginReply {
    /// The reply for a plugin whose manifests are unchanged.
    pub(super) fn of(plugin: &OpenedPlugin) -> Self {
        let state = |document: &ManifestDocument| PluginManifestState {
            path: document.manifest.path(),
            state: "unchanged",
            changes: Vec::new(),
        };
        Self {
            root: plugin.root.clone(),
            name: plugin.source.settings.name.clone(),
            skills: plugin.skills.iter().map(|skill| skill.path.clone()).collect(),
            manifests: plugin.documents.iter().map(state).collect(),
            ..Self::default()
        }
    }

    fn errors(&self) -> usize {
        self.findings.iter().filter(|finding| finding.is_error).count()
    }
}

/// An issue as data.
pub(super) fn finding(
    issue: &PluginIssue,
    severity: Severity,
    document: Option<&ManifestDocument>,
) -> PluginFinding {
    let PluginIssue { rule, manifest, at, message, fix } = issue;
    let place = at.as_ref().zip(document).map(|(at, document)| line_and_column(&document.text, at.start));
    PluginFinding {
        rule: rule.id,
        name: rule.name,
        effect: rule.effect.word(),
        is_error: severity == Severity::Error,
        path: manifest.path(),
        line: place.map(|(line, _)| line),
        column: place.map(|(_, column)| column),
        message: message.clone(),
        fix: fix.clone().unwrap_or_else(|| rule.fix.to_owned()),
        source: rule.source,
    }
}

/// A verdict as data.
pub(super) fn client_verdict(client: &PluginClient, verdict: PluginVerdict) -> PluginClientVerdict {
    let reason = |reason: PluginReason| PluginVerdictReason {
        rule: reason.rule.map(|rule| rule.id),
        message: reason.message,
    };
    PluginClientVerdict {
        client: client.id,
        label: client.label,
        outcome: verdict.outcome.word(),
        reads: verdict.reads.map(|manifest| manifest.path()),
        reasons: verdict.reasons.into_iter().map(reason).collect(),
        source: client.source,
    }
}

impl PluginFinding {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        let place = match (self.line, self.column) {
            (Some(line), Some(column)) => format!("{}:{line}:{column}", self.path),
            _ => self.path.to_owned(),
        };
        let effect = match (self.is_error, self.effect == PluginEffect::Drift.word()) {
            (true, false) => view.bad(self.effect),
            (true, true) => view.careful(self.effect),
            (false, _) => view.faint(self.effect),
        };
        line(out, format!("{place}: {effect} {}: {}", self.rule, plain(&self.message)));
        line(out, format!("  = fix: {}", plain(&self.fix)));
    }
}

impl PluginClientVerdict {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        let verb = match self.outcome {
            word if word == PluginOutcome::Loads.word() => view.good("loads it"),
            word if word == PluginOutcome::Degraded.word() => view.careful("loads a part of it"),
            word if word == PluginOutcome::Refused.word() => view.bad("refuses it"),
            _ => view.faint("does not see it"),
        };
        let reads = self.reads.map(|path| format!(" ({path})")).unwrap_or_default();
        line(out, format!("{} {verb}{reads}", view.strong(self.label)));
        for reason in &self.reasons {
            let rule = reason.rule.map(|rule| format!(" ({rule})")).unwrap_or_default();
            line(out, format!("  because {}{rule}", plain(&reason.message)));
        }
        line(out, view.faint(format!("  source: {}", self.source)));
    }
}

impl PluginManifestState {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        let state = match self.state {
            "unchanged" => "Unchanged".to_owned(),
            "updated" => view.good("Updated"),
            _ => view.good("Wrote"),
        };
        line(out, format!("{state} {}", self.path));
        self.changes.iter().for_each(|change| line(out, format!("  {}", plain(change))));
    }
}

impl Render for PluginReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        self.findings.iter().for_each(|finding| finding.render(view, out));
        self.clients.iter().for_each(|client| client.render(view, out));
        let skills = counted(self.skills.len() as u64, "skill");
        if !self.is_check {
            if self.findings.is_empty() {
                self.manifests.iter().for_each(|manifest| manifest.render(view, out));
            }
            return;
        }
        let manifests = counted(self.manifests.len() as u64, "manifest");
        let (errors, others) = (self.errors(), self.findings.len() - self.errors());
        match (self.manifests.len(), errors, others) {
            (0, 0, _) => line(out, "No plugin manifests found; 'skc plugin init' writes them"),
            (_, 0, 0) => line(out, format!("{manifests} for {skills}: nothing to report")),
            _ => line(
                out,
                format!("{manifests} for {skills}: {}, {others} other", counted(errors as u64, "error")),
            ),
        }
    }

    fn has_failed(&self) -> bool {
        self.errors() > 0
    }
}
