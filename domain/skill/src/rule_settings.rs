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

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0008:C-SETTINGS
    #[test]
    fn a_severity_is_read_from_its_word_and_an_error_weighs_most() {
        let all = [Severity::Off, Severity::Warning, Severity::Error];
        assert_eq!(all.map(Severity::setting), ["off", "warning", "error"]);
        for severity in all {
            assert_eq!(Severity::from_setting(severity.setting()), Some(severity));
        }
        assert_eq!(["", "Error", "info"].map(Severity::from_setting), [None; 3]);
        assert!(all.is_sorted());
    }

    /// RFC-0008:C-SETTINGS
    #[test]
    fn each_setting_that_is_laid_over_replaces_one_and_the_rest_stays() {
        let rule = |severity, params: &[(&str, u32)]| RuleSetting {
            severity,
            params: params.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect(),
        };
        let settings = |rules: &[(&str, RuleSetting)], field: &str| LintSettings {
            rules: rules.iter().map(|(id, rule)| ((*id).to_owned(), rule.clone())).collect(),
            extra_fields: vec![field.to_owned()],
        };
        let (off, error) = (Some(Severity::Off), Some(Severity::Error));
        let under = settings(
            &[("A", rule(error, &[("x", 1), ("y", 1)])), ("B", rule(error, &[])), ("C", rule(off, &[]))],
            "own",
        );
        let over = settings(
            &[("A", rule(None, &[("y", 2), ("z", 2)])), ("B", rule(off, &[])), ("D", rule(error, &[]))],
            "other",
        );
        let expected = settings(
            &[
                ("A", rule(error, &[("x", 1), ("y", 2), ("z", 2)])),
                ("B", rule(off, &[])),
                ("C", rule(off, &[])),
                ("D", rule(error, &[])),
            ],
            "own",
        );
        assert_eq!(under.overlaid(&over), expected);
    }
}
