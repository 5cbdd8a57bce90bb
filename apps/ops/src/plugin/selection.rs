//! Selects rules about plugins: `--select` and `--ignore`.

use skillc_domain::fault::Fault;
use skillc_lint::plugin::{PLUGIN_RULES, PluginEffect, PluginRule};

/// The selected rules.
#[derive(Clone, Debug, Default)]
pub struct PluginSelection {
    select: Vec<String>,
    ignore: Vec<String>,
}

impl PluginSelection {
    /// Checks the words: each is what clients do, a rule's id or name, or the beginning of ids.
    ///
    /// # Errors
    /// E100 for a word that fits no rule.
    pub fn new(select: Vec<String>, ignore: Vec<String>) -> Result<Self, Fault> {
        for (option, words) in [("select", &select), ("ignore", &ignore)] {
            let fits_none = |word: &&String| !PLUGIN_RULES.iter().any(|rule| fits(rule, word));
            if let Some(word) = words.iter().find(fits_none) {
                return Err(Fault::invalid_option(format!(
                    "{option} '{word}' is no rule about plugins, no beginning of such a rule's id, and none of {}",
                    PluginEffect::ALL.map(PluginEffect::word).join(", ")
                )));
            }
        }
        Ok(Self { select, ignore })
    }

    /// Whether findings of a rule are selected.
    pub fn wants(&self, rule: &PluginRule) -> bool {
        let is_meant = |word: &String| fits(rule, word);
        (self.select.is_empty() || self.select.iter().any(is_meant)) && !self.ignore.iter().any(is_meant)
    }
}

/// Whether a word means a rule: its id or the beginning of it, its name, or what its clients do; in any case.
fn fits(rule: &PluginRule, word: &str) -> bool {
    let word = word.trim();
    let is_prefix = word.len() >= "PLG".len()
        && rule.id.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word));
    is_prefix || rule.name.eq_ignore_ascii_case(word) || rule.effect.word().eq_ignore_ascii_case(word)
}
