//! Selects rules about plugins: `--select` and `--ignore`.

use crate::rule_selection::{RuleNames, RuleSelection};
use skillc_domain::fault::Fault;
use skillc_lint::plugin::{PLUGIN_RULES, PluginEffect, PluginRule};

/// The rules about plugins whose findings are reported.
#[derive(Clone, Debug, Default)]
pub struct PluginSelection(RuleSelection);

impl PluginSelection {
    /// Checks the words: each is an effect, the id or name of a rule, or a prefix of ids.
    ///
    /// # Errors
    /// E100 for a word that matches no rule.
    pub fn new(select: Vec<String>, ignore: Vec<String>) -> Result<Self, Fault> {
        let rules: Vec<_> = PLUGIN_RULES.iter().map(|rule| names(rule)).collect();
        let unknown = format!(
            "neither a rule about plugins, nor a prefix of its id, nor one of {}",
            PluginEffect::ALL.map(PluginEffect::word).join(", ")
        );
        RuleSelection::new(select, ignore, &rules, &unknown).map(Self)
    }

    /// Whether findings of a rule are selected.
    pub fn wants(&self, rule: &PluginRule) -> bool {
        self.0.wants(&names(rule))
    }
}

fn names(rule: &PluginRule) -> RuleNames<'_> {
    RuleNames { id: rule.id, name: rule.name, group: rule.effect.word() }
}
