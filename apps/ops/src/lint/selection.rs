//! Selects findings of a run: `--select`, `--ignore` and `--max`.

use crate::rule_selection::{RuleNames, RuleSelection};
use skillc_domain::fault::Fault;
use skillc_lint::RULES;
use skillc_lint::rule::{Rule, Tier};

/// The selected findings.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    rules: RuleSelection,
    /// Maximum number of findings that the text output shows.
    pub max: Option<u32>,
}

impl Selection {
    /// Checks the words: each is a tier, the id or name of a rule, or a prefix of ids.
    ///
    /// # Errors
    /// E100 for a word that matches no rule.
    pub fn new(select: Vec<String>, ignore: Vec<String>, max: Option<u32>) -> Result<Self, Fault> {
        let rules: Vec<_> = RULES.iter().map(|rule| names(rule, rule.tier)).collect();
        let unknown = format!(
            "neither a rule, nor a prefix of a rule's id, nor one of {}",
            Tier::ALL.map(Tier::word).join(", ")
        );
        Ok(Self { rules: RuleSelection::new(select, ignore, &rules, &unknown)?, max })
    }

    /// Whether findings were selected, which are then shown in full.
    pub fn is_narrow(&self) -> bool {
        self.rules.is_narrow()
    }

    /// Whether a finding of a rule with this tier is selected.
    pub fn wants(&self, rule: &Rule, tier: Tier) -> bool {
        self.rules.wants(&names(rule, tier))
    }
}

fn names(rule: &Rule, tier: Tier) -> RuleNames<'_> {
    RuleNames { id: rule.id, name: rule.name, group: tier.word() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_meant_by_id_prefix_name_or_tier() {
        let rule = skillc_lint::rules::find("SKL204").unwrap();
        for (word, expected) in [
            ("SKL204", true),
            ("skl2", true),
            ("heading-first-h1", true),
            ("Style", true),
            ("SKL", true),
            ("SKL3", false),
            ("S", false),
            ("", false),
            ("breaks", false),
        ] {
            assert_eq!(names(rule, rule.tier).fit(word), expected, "{word}");
        }
    }
}
