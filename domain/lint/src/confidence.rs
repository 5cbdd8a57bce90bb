//! How likely a finding is to be right.

/// The confidence in a finding. Higher is greater in the order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// A hint for a reviewer: most such texts are harmless.
    Low,
    /// More than a hint, but the text can be read in a harmless way.
    Medium,
    /// The text can hardly be read in any other way. Shown by default.
    #[default]
    High,
}

impl Confidence {
    /// The name in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}
