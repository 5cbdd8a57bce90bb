//! Selects rules by words: `--select` and `--ignore`.

use skillc_domain::fault::Fault;

/// The words that refer to a rule.
pub struct RuleNames<'a> {
    /// Its id: three letters and a number.
    pub id: &'a str,
    /// Its name in words.
    pub name: &'a str,
    /// The group that it belongs to, such as its tier.
    pub group: &'a str,
}

impl RuleNames<'_> {
    /// Whether a word refers to the rule: its id or a prefix of it, its name, or its group, in any case.
    pub fn fit(&self, word: &str) -> bool {
        const LETTERS: usize = 3;
        let word = word.trim();
        let is_prefix = word.len() >= LETTERS
            && self.id.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word));
        is_prefix || self.name.eq_ignore_ascii_case(word) || self.group.eq_ignore_ascii_case(word)
    }
}

/// The words that select and exclude rules.
#[derive(Clone, Debug, Default)]
pub struct RuleSelection {
    select: Vec<String>,
    ignore: Vec<String>,
}

impl RuleSelection {
    /// Checks that each word refers to a rule; `unknown` describes a word that does not.
    ///
    /// # Errors
    /// E100 for a word that matches no rule.
    pub fn new(
        select: Vec<String>,
        ignore: Vec<String>,
        rules: &[RuleNames<'_>],
        unknown: &str,
    ) -> Result<Self, Fault> {
        for (option, words) in [("select", &select), ("ignore", &ignore)] {
            let fits_none = |word: &&String| !rules.iter().any(|rule| rule.fit(word));
            if let Some(word) = words.iter().find(fits_none) {
                return Err(Fault::invalid_option(format!("{option} '{word}' is {unknown}")));
            }
        }
        Ok(Self { select, ignore })
    }

    /// Whether rules were selected, whose findings are then shown in full.
    pub fn is_narrow(&self) -> bool {
        !self.select.is_empty()
    }

    /// Whether findings of a rule are selected.
    pub fn wants(&self, rule: &RuleNames<'_>) -> bool {
        let is_meant = |word: &String| rule.fit(word);
        (self.select.is_empty() || self.select.iter().any(is_meant)) && !self.ignore.iter().any(is_meant)
    }
}
