//! Decides when a size exceeds its limit by so much that it matters to agents.

use crate::rule::Param;
use skillc_domain::rule_settings::LintSettings;

/// The parameter of SKL208, which SKL201 reads too: many lines with few tokens are short ones, such as those of code.
pub const MAX_TOKENS: Param = Param {
    name: "max-tokens",
    default: 5_000,
    meaning: "maximum tokens of the text below the front matter; an estimate, within 8 % for most texts",
};

/// The maximum tokens of a body under these settings.
pub fn max_tokens(settings: &LintSettings) -> usize {
    MAX_TOKENS.value(settings, "SKL208") as usize
}

/// Percentage above a limit up to which authors usually leave a text as it is.
const PERCENT_ABOVE: usize = 30;

/// Percentage by which an estimate of tokens may be wrong.
const TOKENS_PERCENT: usize = 8;

/// Whether an estimate of tokens is certainly above their maximum.
pub fn is_surely_above(tokens: usize, settings: &LintSettings) -> bool {
    tokens * 100 > max_tokens(settings) * (100 + TOKENS_PERCENT)
}

/// Whether a size is more than 30 % above its limit.
pub fn is_far_beyond(size: usize, limit: usize) -> bool {
    size * 100 > limit * (100 + PERCENT_ABOVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirty_percent_above_the_limit_is_not_far_yet() {
        assert!(!is_far_beyond(650, 500) && is_far_beyond(651, 500));
    }
}
