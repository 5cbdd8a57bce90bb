//! The configuration of lint rules as data. Only the lint crate knows which rules and parameters exist.

use std::collections::BTreeMap;

/// The weight of a finding, unless a setting overrides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Not reported unless a setting enables the rule.
    Off,
    /// Reported as W300; the exit status stays 0.
    Warning,
    /// Reported as E300; the exit status is 1.
    Error,
}

impl Severity {
    /// The value of the setting: `off`, `warning` or `error`.
    pub fn setting(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// Parses a setting; `None` for any other word.
    pub fn from_setting(word: &str) -> Option<Self> {
        [Self::Off, Self::Warning, Self::Error].into_iter().find(|s| s.setting() == word)
    }
}

/// The settings of one rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleSetting {
    /// Replaces the rule's own severity.
    pub severity: Option<Severity>,
    /// Replaces defaults of the rule's parameters.
    pub params: BTreeMap<String, u32>,
}

/// The lint settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LintSettings {
    /// By rule id.
    pub rules: BTreeMap<String, RuleSetting>,
    /// Front matter fields that the chosen client supports in addition to those of the specification.
    pub extra_fields: Vec<String>,
}

impl LintSettings {
    /// These settings, overridden by others.
    pub fn overlaid(&self, over: &LintSettings) -> Self {
        let mut all = self.clone();
        for (id, setting) in &over.rules {
            let own = all.rules.entry(id.clone()).or_default();
            own.severity = setting.severity.or(own.severity);
            own.params.extend(setting.params.clone());
        }
        all
    }
}
