//! A rule about plugins as one value, and what it found.

use super::view::ManifestDocument;
use skillc_domain::plugin::PluginManifest;
use skillc_domain::rule_settings::{LintSettings, Severity};
use std::ops::Range;

/// What a client does where a rule is violated, gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PluginEffect {
    /// It does not load the plugin, or a marketplace with all its plugins.
    Refused,
    /// It loads the rest: a skill, a server or all servers are missing.
    PartDropped,
    /// It ignores a field.
    Ignored,
    /// It loads all of it.
    Nothing,
    /// The manifest does not say what the plugin is.
    Drift,
}

impl PluginEffect {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Refused, Self::PartDropped, Self::Ignored, Self::Nothing, Self::Drift];

    /// The word that outputs use.
    pub fn word(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::PartDropped => "part-dropped",
            Self::Ignored => "ignored",
            Self::Nothing => "advice",
            Self::Drift => "drift",
        }
    }

    /// Whether the check fails.
    pub fn is_error(self) -> bool {
        matches!(self, Self::Refused | Self::PartDropped | Self::Drift)
    }
}

/// A small plugin, as path and content of its files.
pub type PluginFiles = &'static [(&'static str, &'static str)];

/// A rule about plugins.
pub struct PluginRule {
    /// `PLG` and three digits; never reused.
    pub id: &'static str,
    /// Kebab-case.
    pub name: &'static str,
    /// What its clients do.
    pub effect: PluginEffect,
    /// What goes wrong.
    pub why: &'static str,
    /// What the author does about it.
    pub fix: &'static str,
    /// The document that says so: address or repository path, with the version that was read.
    pub source: &'static str,
    /// A plugin in which only this rule finds something.
    pub bad: PluginFiles,
    /// The same plugin without the violation.
    pub good: PluginFiles,
}

impl PluginRule {
    /// What a finding weighs, unless a setting says otherwise.
    pub fn severity(&self) -> Severity {
        if self.effect.is_error() { Severity::Error } else { Severity::Warning }
    }

    /// What a finding weighs under these settings.
    pub fn severity_in(&self, settings: &LintSettings) -> Severity {
        settings.rules.get(self.id).and_then(|setting| setting.severity).unwrap_or_else(|| self.severity())
    }
}

impl std::fmt::Debug for PluginRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.id, self.name)
    }
}

/// A place where a rule found something.
#[derive(Clone, Debug)]
pub struct PluginIssue {
    /// The rule.
    pub rule: &'static PluginRule,
    /// The manifest.
    pub manifest: PluginManifest,
    /// Bytes of the manifest; `None` for something missing.
    pub at: Option<Range<usize>>,
    /// Lower case, without a full stop.
    pub message: String,
    /// What to do, in place of the advice of the rule.
    pub fix: Option<String>,
}

/// The issues of one manifest.
pub(super) struct PluginReport<'a> {
    pub(super) document: &'a ManifestDocument,
    pub(super) issues: &'a mut Vec<PluginIssue>,
}

impl PluginReport<'_> {
    /// Adds an issue at these bytes.
    pub(super) fn add(&mut self, rule: &'static PluginRule, at: &Range<usize>, message: impl Into<String>) {
        self.push(rule, Some(at.clone()), message.into(), None);
    }

    /// Adds an issue about something missing.
    pub(super) fn add_missing(&mut self, rule: &'static PluginRule, message: impl Into<String>) {
        self.push(rule, None, message.into(), None);
    }

    /// Adds an issue with its own advice.
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
