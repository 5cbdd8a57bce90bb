//! What settings say about rules.

use super::rule::{Rule, Severity};
use super::rules::find;
use std::collections::BTreeMap;

/// What a setting says about one rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleSetting {
    /// Instead of the rule's own severity.
    pub severity: Option<Severity>,
    /// Instead of the defaults of its parameters.
    pub params: BTreeMap<String, u32>,
}

/// A value of a configuration file.
#[derive(Clone, Debug, PartialEq)]
pub enum RawValue {
    /// Text.
    Word(String),
    /// A whole number.
    Number(i128),
    /// A table.
    Table(Vec<(String, RawValue)>),
    /// Anything else, as it is written.
    Other(String),
}

/// What is wrong with a setting, with its dotted key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingFlaw {
    /// There is no such rule or parameter.
    Unknown(String),
    /// The value cannot be.
    Invalid {
        /// Dotted key.
        key: String,
        /// As it is written.
        value: String,
        /// What is used instead.
        used: String,
    },
}

/// Settings of lint; later ones win over earlier ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LintSettings {
    /// By id of the rule.
    pub rules: BTreeMap<String, RuleSetting>,
    /// Fields of a front matter that the chosen client knows besides those of the specification.
    pub extra_fields: Vec<String>,
}

impl LintSettings {
    /// The severity that holds for a rule.
    pub fn severity(&self, rule: &Rule) -> Severity {
        self.rules.get(rule.id).and_then(|setting| setting.severity).unwrap_or(rule.severity)
    }

    /// The value of a parameter; 0 for one that the rule does not have.
    pub fn param(&self, rule: &Rule, name: &str) -> u32 {
        let set = self.rules.get(rule.id).and_then(|setting| setting.params.get(name)).copied();
        let default = || rule.params.iter().find(|param| param.name == name).map(|param| param.default);
        set.or_else(default).unwrap_or_default()
    }

    /// Takes a table of rules: `SKL107 = "off"`, `SKL201 = { max-lines = 300, severity = "error" }`. What cannot be used is
    /// left out and told; keys begin with `prefix`.
    pub fn take(&mut self, prefix: &str, table: Vec<(String, RawValue)>) -> Vec<SettingFlaw> {
        let mut flaws = Vec::new();
        for (word, value) in table {
            let key = format!("{prefix}.{word}");
            match find(&word) {
                None => flaws.push(SettingFlaw::Unknown(key)),
                Some(rule) => self.take_rule(rule, &key, value, &mut flaws),
            }
        }
        flaws
    }

    fn take_rule(&mut self, rule: &Rule, key: &str, value: RawValue, flaws: &mut Vec<SettingFlaw>) {
        let table = match value {
            RawValue::Table(table) => table,
            word => vec![("severity".to_owned(), word)],
        };
        let setting = self.rules.entry(rule.id.to_owned()).or_default();
        for (name, value) in table {
            let param = rule.params.iter().find(|param| param.name == name);
            match (name.as_str(), &value, param) {
                ("severity", RawValue::Word(word), _) if Severity::from_setting(word).is_some() => {
                    setting.severity = Severity::from_setting(word);
                }
                ("severity", ..) => flaws.push(SettingFlaw::Invalid {
                    key: key.to_owned(),
                    value: value.shown(),
                    used: rule.severity.setting().to_owned(),
                }),
                (_, _, None) => flaws.push(SettingFlaw::Unknown(format!("{key}.{name}"))),
                (_, RawValue::Number(number), Some(_)) if u32::try_from(*number).is_ok() => {
                    setting.params.insert(name, u32::try_from(*number).unwrap_or(u32::MAX));
                }
                (_, _, Some(param)) => flaws.push(SettingFlaw::Invalid {
                    key: format!("{key}.{name}"),
                    value: value.shown(),
                    used: param.default.to_string(),
                }),
            }
        }
    }

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

impl RawValue {
    /// As it is written, for messages.
    pub fn shown(&self) -> String {
        match self {
            Self::Word(word) | Self::Other(word) => word.clone(),
            Self::Number(number) => number.to_string(),
            Self::Table(_) => "a table".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(word: &str) -> RawValue {
        RawValue::Word(word.to_owned())
    }

    /// RFC-0008:C-SETTINGS
    #[test]
    fn a_rule_is_set_by_a_word_or_a_table_and_what_cannot_be_is_told() {
        let mut settings = LintSettings::default();
        let flaws = settings.take(
            "rules",
            vec![
                ("skl102".to_owned(), word("warning")),
                ("SKL999".to_owned(), word("off")),
                ("name-format".to_owned(), RawValue::Table(vec![("max".to_owned(), RawValue::Number(1))])),
                ("SKL102".to_owned(), word("loud")),
            ],
        );
        let rule = find("SKL102").unwrap();
        assert_eq!(settings.severity(rule), Severity::Warning);
        let invalid =
            SettingFlaw::Invalid { key: "rules.SKL102".into(), value: "loud".into(), used: "error".into() };
        let unknown = |key: &str| SettingFlaw::Unknown(key.to_owned());
        assert_eq!(flaws, [unknown("rules.SKL999"), unknown("rules.name-format.max"), invalid]);
    }
}
