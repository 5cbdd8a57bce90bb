//! Parses the settings of rules in a configuration table.

use crate::plugin::{self, PLUGIN_RULES};
use crate::rule::Param;
use crate::rules::{RULES, find};
use skillc_domain::raw_value::RawValue;
use skillc_domain::rule_settings::{LintSettings, Severity};
use skillc_domain::suggest::{list, nearest};

/// Why a setting is not usable, with its dotted key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingError {
    /// There is no such rule or parameter.
    Unknown(String),
    /// The value is not allowed.
    Invalid {
        /// Dotted key.
        key: String,
        /// The value as written.
        value: String,
        /// The value that is used instead.
        used: String,
    },
}

/// Parses a table of rules: `SKL107 = "off"`, `SKL201 = { max-lines = 300, severity = "error" }`. Unusable settings
/// are skipped and returned; their keys begin with `prefix`.
pub fn read_rules(
    settings: &mut LintSettings,
    prefix: &str,
    table: Vec<(String, RawValue)>,
) -> Vec<SettingError> {
    let mut flaws = Vec::new();
    for (word, value) in table {
        let key = format!("{prefix}.{word}");
        match (find(&word), plugin::find(&word)) {
            (Some(rule), _) => {
                let rule = SetRule { id: rule.id, params: rule.params, severity: rule.severity };
                read_rule(settings, &rule, &key, value, &mut flaws);
            }
            (None, Some(rule)) => {
                let rule = SetRule { id: rule.id, params: &[], severity: rule.severity() };
                read_rule(settings, &rule, &key, value, &mut flaws);
            }
            (None, None) => flaws.push(SettingError::Unknown(key)),
        }
    }
    flaws
}

/// The suggestion lines for a key of `SettingError::Unknown`: similar rules, or what can be set for one.
pub fn similar_rules(key: &str) -> String {
    let (above, word) = key.rsplit_once('.').unwrap_or_default();
    let set = above.rsplit('.').next().unwrap_or_default();
    let params = find(set).map(|rule| rule.params).or_else(|| plugin::find(set).map(|_| &[][..]));
    match params {
        Some(params) => {
            let params = params.iter().map(|param| param.name).chain(["severity"]);
            list(nearest(word, params).into_iter().map(|param| format!("{above}.{param}")))
        }
        None => {
            let of_plugins = PLUGIN_RULES.iter().flat_map(|rule| [rule.id, rule.name]);
            let rules = RULES.iter().flat_map(|rule| [rule.id, rule.name]).chain(of_plugins);
            list(nearest(word, rules).into_iter().map(|rule| format!("{above}.{rule}")))
        }
    }
}

/// The settings that a rule accepts.
struct SetRule {
    id: &'static str,
    params: &'static [Param],
    severity: Severity,
}

fn read_rule(
    settings: &mut LintSettings,
    rule: &SetRule,
    key: &str,
    value: RawValue,
    flaws: &mut Vec<SettingError>,
) {
    let table = match value {
        RawValue::Table(table) => table,
        word => vec![("severity".to_owned(), word)],
    };
    let setting = settings.rules.entry(rule.id.to_owned()).or_default();
    for (name, value) in table {
        let param = rule.params.iter().find(|param| param.name == name);
        match (name.as_str(), &value, param) {
            ("severity", RawValue::Word(word), _) if Severity::from_setting(word).is_some() => {
                setting.severity = Severity::from_setting(word);
            }
            ("severity", ..) => flaws.push(SettingError::Invalid {
                key: key.to_owned(),
                value: value.shown(),
                used: rule.severity.setting().to_owned(),
            }),
            (_, _, None) => flaws.push(SettingError::Unknown(format!("{key}.{name}"))),
            (_, RawValue::Number(number), Some(_)) if u32::try_from(*number).is_ok() => {
                setting.params.insert(name, u32::try_from(*number).unwrap_or(u32::MAX));
            }
            (_, _, Some(param)) => flaws.push(SettingError::Invalid {
                key: format!("{key}.{name}"),
                value: value.shown(),
                used: param.default.to_string(),
            }),
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
        let flaws = read_rules(
            &mut settings,
            "rules",
            vec![
                ("skl102".to_owned(), word("warning")),
                ("SKL999".to_owned(), word("off")),
                ("name-format".to_owned(), RawValue::Table(vec![("max".to_owned(), RawValue::Number(1))])),
                ("SKL102".to_owned(), word("loud")),
            ],
        );
        let rule = find("SKL102").unwrap();
        assert_eq!(rule.severity_in(&settings), Severity::Warning);
        let invalid =
            SettingError::Invalid { key: "rules.SKL102".into(), value: "loud".into(), used: "error".into() };
        let off = |settings: &LintSettings| plugin::find("PLG305").map(|rule| rule.severity_in(settings));
        assert_eq!(off(&settings), Some(Severity::Warning), "a rule about plugins");
        let none = read_rules(&mut settings, "rules", vec![("claude-name-form".to_owned(), word("off"))]);
        assert_eq!((off(&settings), none), (Some(Severity::Off), Vec::new()));
        let unknown = |key: &str| SettingError::Unknown(key.to_owned());
        assert_eq!(flaws, [unknown("rules.SKL999"), unknown("rules.name-format.max"), invalid]);
    }
}
