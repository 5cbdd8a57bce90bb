//! Selects findings of a run: `--select`, `--ignore` and `--max`.

use skillc_domain::fault::Fault;
use skillc_lint::RULES;
use skillc_lint::rule::{Rule, Tier};

/// The selected findings.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    select: Vec<String>,
    ignore: Vec<String>,
    /// Findings that text shows at most.
    pub max: Option<u32>,
}

impl Selection {
    /// Checks the words: each is a tier, a rule's id or name, or the beginning of ids.
    ///
    /// # Errors
    /// E100 for a word that fits no rule.
    pub fn new(select: &[String], ignore: &[String], max: Option<u32>) -> Result<Self, Fault> {
        for (option, words) in [("select", select), ("ignore", ignore)] {
            if let Some(word) =
                words.iter().find(|word| !RULES.iter().any(|rule| fits(rule, rule.tier, word)))
            {
                return Err(Fault::invalid_option(format!(
                    "{option} '{word}' is no rule, no beginning of a rule's id, and none of {}",
                    Tier::ALL.map(Tier::word).join(", ")
                )));
            }
        }
        Ok(Self { select: select.to_vec(), ignore: ignore.to_vec(), max })
    }

    /// Whether findings were selected: those are shown in full.
    pub fn is_narrow(&self) -> bool {
        !self.select.is_empty()
    }

    /// Whether a finding of a rule with this tier is selected.
    pub fn wants(&self, rule: &Rule, tier: Tier) -> bool {
        let is_meant = |word: &String| fits(rule, tier, word);
        (self.select.is_empty() || self.select.iter().any(is_meant)) && !self.ignore.iter().any(is_meant)
    }
}

/// Whether a word means a rule: its id or the beginning of it, its name, or its tier; in any case.
fn fits(rule: &Rule, tier: Tier, word: &str) -> bool {
    let word = word.trim();
    let is_prefix = word.len() >= "SKL".len()
        && rule.id.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word));
    is_prefix || rule.name.eq_ignore_ascii_case(word) || tier.word().eq_ignore_ascii_case(word)
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
            assert_eq!(fits(rule, rule.tier, word), expected, "{word}");
        }
    }
}
