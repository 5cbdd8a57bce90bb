//! The configuration of lint rules as data; the lint crate knows which rules and parameters exist.

use std::collections::BTreeMap;

/// How much a finding weighs, unless a setting says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Reported only where a setting turns it on.
    Off,
    /// W300; the exit status stays 0.
    Warning,
    /// E300; the exit status is 1.
    Error,
}

impl Severity {
    /// As a setting has it: `off`, `warning` or `error`.
    pub fn setting(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// Reads a setting; `None` for any other word.
    pub fn from_setting(word: &str) -> Option<Self> {
        [Self::Off, Self::Warning, Self::Error].into_iter().find(|s| s.setting() == word)
    }
}

/// What a setting says about one rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleSetting {
    /// Instead of the rule's own severity.
    pub severity: Option<Severity>,
    /// Instead of the defaults of its parameters.
    pub params: BTreeMap<String, u32>,
}

/// Settings of lint; later ones win over earlier ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LintSettings {
    /// By id of the rule.
    pub rules: BTreeMap<String, RuleSetting>,
    /// Front matter fields that the chosen client knows beyond those of the specification.
    pub extra_fields: Vec<String>,
}

impl LintSettings {
    /// These settings with others laid over them.
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
