//! How likely a finding is to be what it says.

/// How likely it is; a higher one is greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// A hint to a reviewer: most texts like it are harmless.
    Low,
    /// More than a hint, but the text can be read in a harmless way.
    Medium,
    /// The text can hardly be read in another way. Shown by default.
    #[default]
    High,
}

impl Confidence {
    /// Its name in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}
