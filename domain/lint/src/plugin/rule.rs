//! A rule for plugins as one value, and the issues that it reports.

use super::view::ManifestDocument;
use skillc_domain::plugin::PluginManifest;
use skillc_domain::rule_settings::{LintSettings, Severity};
use std::ops::Range;

/// How a client reacts to a violation, most severe first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PluginEffect {
    /// The client does not load the plugin, or loads none of a marketplace's plugins.
    Refused,
    /// The client loads the rest: a skill, a server or all servers are missing.
    PartDropped,
    /// The client ignores a field.
    Ignored,
    /// The client loads everything.
    Nothing,
    /// The manifest does not describe the plugin correctly.
    Drift,
}

impl PluginEffect {
    /// All effects.
    pub const ALL: [Self; 5] = [Self::Refused, Self::PartDropped, Self::Ignored, Self::Nothing, Self::Drift];

    /// The word used in output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::PartDropped => "part-dropped",
            Self::Ignored => "ignored",
            Self::Nothing => "advice",
            Self::Drift => "drift",
        }
    }

    /// Whether it makes the check fail.
    pub fn is_error(self) -> bool {
        matches!(self, Self::Refused | Self::PartDropped | Self::Drift)
    }
}

/// A small plugin, as path and content of its files.
pub type PluginFiles = &'static [(&'static str, &'static str)];

/// A rule for plugins.
pub struct PluginRule {
    /// `PLG` and three digits; never reused.
    pub id: &'static str,
    /// Kebab-case.
    pub name: &'static str,
    /// How clients react to a violation.
    pub effect: PluginEffect,
    /// What goes wrong.
    pub why: &'static str,
    /// What the author should do about it.
    pub fix: &'static str,
    /// The document that requires it: URL or repository path, with the version that was read.
    pub source: &'static str,
    /// A plugin in which only this rule reports something.
    pub bad: PluginFiles,
    /// The same plugin without the violation.
    pub good: PluginFiles,
}

impl PluginRule {
    /// The severity of its findings, unless a setting overrides it.
    pub fn severity(&self) -> Severity {
        if self.effect.is_error() { Severity::Error } else { Severity::Warning }
    }

    /// The severity of its findings under these settings.
    pub fn severity_in(&self, settings: &LintSettings) -> Severity {
        settings.rules.get(self.id).and_then(|setting| setting.severity).unwrap_or_else(|| self.severity())
    }
}

impl std::fmt::Debug for PluginRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.id, self.name)
    }
}

/// A violation of a rule.
#[derive(Clone, Debug)]
pub struct PluginIssue {
    /// The violated rule.
    pub rule: &'static PluginRule,
    /// The manifest that violates it.
    pub manifest: PluginManifest,
    /// Byte range in the manifest; `None` for something missing.
    pub at: Option<Range<usize>>,
    /// The message, in lower case, without a full stop.
    pub message: String,
    /// Advice that replaces the rule's own.
    pub fix: Option<String>,
}

/// The issues of one manifest.
pub(super) struct PluginReport<'a> {
    pub(super) document: &'a ManifestDocument,
    pub(super) issues: &'a mut Vec<PluginIssue>,
}

impl PluginReport<'_> {
    /// Reports an issue at a byte range.
    pub(super) fn add(&mut self, rule: &'static PluginRule, at: &Range<usize>, message: impl Into<String>) {
        self.push(rule, Some(at.clone()), message.into(), None);
    }

    /// Reports that something is missing.
    pub(super) fn add_missing(&mut self, rule: &'static PluginRule, message: impl Into<String>) {
        self.push(rule, None, message.into(), None);
    }

    /// Reports an issue with its own advice.
    pub(super) fn add_with_fix(
        &mut self,
        rule: &'static PluginRule,
        at: Option<&Range<usize>>,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) {
        self.push(rule, at.cloned(), message.into(), Some(fix.into()));
    }

    fn push(
        &mut self,
        rule: &'static PluginRule,
        at: Option<Range<usize>>,
        message: String,
        fix: Option<String>,
    ) {
        self.issues.push(PluginIssue { rule, manifest: self.document.manifest, at, message, fix });
    }
}
