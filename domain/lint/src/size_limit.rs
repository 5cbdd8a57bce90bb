//! Decides when a size exceeds its limit by so much that it matters to agents.

/// Percentage above a limit up to which authors usually leave a text as it is.
const PERCENT_ABOVE: usize = 30;

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
