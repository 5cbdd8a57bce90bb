//! How a client treats a plugin, and why.

use super::rule::{PluginEffect, PluginIssue, PluginRule};
use skillc_domain::plugin::PluginManifest;

/// The result of loading a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PluginOutcome {
    /// The client loads all of it.
    Loads,
    /// The client loads a part of it.
    Degraded,
    /// The client refuses it.
    Refused,
    /// The client finds no manifest that it reads.
    Unseen,
}

/// A reason for an outcome.
#[derive(Clone, Debug)]
pub struct PluginReason {
    /// The rule whose page has the source; `None` for a fact about the client alone.
    pub rule: Option<&'static PluginRule>,
    /// The message, in lower case, without a full stop.
    pub message: String,
}

/// How a client treats a plugin, and why.
#[derive(Clone, Debug)]
pub struct PluginVerdict {
    /// Whether, and how completely, the client loads the plugin.
    pub outcome: PluginOutcome,
    /// The manifest that the client reads.
    pub reads: Option<PluginManifest>,
    /// Why it does not load everything, and further remarks.
    pub reasons: Vec<PluginReason>,
}

impl PluginOutcome {
    /// The word used in output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Loads => "loads",
            Self::Degraded => "degraded",
            Self::Refused => "refused",
            Self::Unseen => "unseen",
        }
    }
}

pub(super) fn loads(manifest: PluginManifest) -> PluginVerdict {
    PluginVerdict { outcome: PluginOutcome::Loads, reads: Some(manifest), reasons: Vec::new() }
}

pub(super) fn unseen(manifest: PluginManifest) -> PluginVerdict {
    let reason = fact(&format!("there is no {}", manifest.path()));
    PluginVerdict { outcome: PluginOutcome::Unseen, reads: None, reasons: vec![reason] }
}

pub(super) fn fact(message: &str) -> PluginReason {
    PluginReason { rule: None, message: message.to_owned() }
}

/// The outcome that follows from the issues of these manifests, most severe first. The first manifest decides whether
/// the plugin is loaded.
pub(super) fn by_issues(manifests: &[PluginManifest], issues: &[PluginIssue]) -> PluginVerdict {
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
