//! The tiers of rules, by the cost of a violation.

/// The cost of a violation, highest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// A client drops, truncates or misreads the skill, or a link or name in it does not resolve.
    Breaks,
    /// Agents or users are harmed: security, wasted context, use at the wrong time or not at all.
    Harms,
    /// A matter of form. Text output counts these findings and shows them on request.
    Style,
}

impl Tier {
    /// Every tier, highest cost first.
    pub const ALL: [Self; 3] = [Self::Breaks, Self::Harms, Self::Style];

    /// The word used in options and output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Breaks => "breaks",
            Self::Harms => "harms",
            Self::Style => "style",
        }
    }
}
