//! The lookup of `skc explain CODE`.

use crate::plugin::{PLUGIN_RULES, PluginRule, find as find_plugin_rule};
use crate::rule::Rule;
use crate::rules::{RULES, find};
use skillc_domain::fault::{FAULTS, Fault, Row, WARNINGS};
use skillc_domain::suggest::{list, nearest};

/// What a code refers to.
#[derive(Clone, Copy, Debug)]
pub enum Explained {
    /// An error or warning of the table.
    Row(&'static Row),
    /// A lint rule.
    Rule(&'static Rule),
    /// A rule about plugins.
    PluginRule(&'static PluginRule),
}

/// Every code with its name: errors, warnings, rules.
pub fn codes() -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = FAULTS.iter().chain(WARNINGS).map(|row| (row.code, row.name));
    let rules = RULES.iter().map(|rule| (rule.id, rule.name));
    rows.chain(rules).chain(PLUGIN_RULES.iter().map(|rule| (rule.id, rule.name)))
}

/// Finds the fault or rule with a code or name, ignoring case.
///
/// # Errors
/// E100 with the most similar codes.
pub fn explain(code: &str) -> Result<Explained, Fault> {
    let requested = code.trim().to_ascii_uppercase();
    let rows = || FAULTS.iter().chain(WARNINGS);
    let row = rows().find(|row| row.code == requested || row.name.eq_ignore_ascii_case(code.trim()));
    let rule = || find(code).map(Explained::Rule);
    let plugin_rule = || find_plugin_rule(code.trim()).map(Explained::PluginRule);
    if let Some(found) = row.map(Explained::Row).or_else(rule).or_else(plugin_rule) {
        return Ok(found);
    }
    let upper: Vec<&str> = codes().map(|(code, _)| code).filter(|known| is_near(known, &requested)).collect();
    let near = match upper.is_empty() {
        true => nearest(code.trim(), codes().flat_map(|(code, name)| [code, name])),
        false => upper.into_iter().take(NEAR_MAX).collect(),
    };
    match near.is_empty() {
        true => Err(Fault::invalid_option(format!(
            "unknown code '{code}'; there are E001 to E999, W001 to W300, SKL001 to SKL599, PLG001 to PLG699"
        ))),
        false => Err(Fault::unknown_option(format!("unknown code '{code}'"), list(near))),
    }
}

/// Maximum number of codes suggested for a mistyped one.
const NEAR_MAX: usize = 5;

/// Whether two codes are equally long and differ in one character.
fn is_near(known: &str, requested: &str) -> bool {
    known.len() == requested.len()
        && known.bytes().zip(requested.bytes()).filter(|(a, b)| a != b).count() <= 1
}

#[cfg(test)]
mod tests {
    use super::{Explained, explain};
    use skillc_domain::reader::Reader;

    fn code(requested: &str) -> &'static str {
        match explain(requested).unwrap() {
            Explained::Row(row) => row.code,
            Explained::Rule(rule) => rule.id,
            Explained::PluginRule(rule) => rule.id,
        }
    }

    /// RFC-0007:C-EXPLAIN
    #[test]
    fn a_code_is_explained_in_any_case() {
        assert_eq!(code("index-unusable"), "E002");
        assert_eq!(code(" w001 "), "W001");
        assert_eq!(code("path-escapes"), "E012");
        assert_eq!(code("skl102"), "SKL102");
        assert_eq!(code("name-format"), "SKL102");
        assert_eq!(code("plg102"), "PLG102");
        assert_eq!(code("version-drift"), "PLG601");
        let hint = |unknown| explain(unknown).unwrap_err().hint(Reader::Person).unwrap();
        assert!(hint("E007").contains("\n  - E001\n"), "{}", hint("E007"));
        assert!(hint("SKL199").contains("\n  - SKL109"), "{}", hint("SKL199"));
        assert!(hint("path-escape").contains("\n  - path-escapes"), "{}", hint("path-escape"));
        assert!(explain("nonsense").is_err());
    }
}
