//! Why a receiver refuses an archive.

/// A reason to refuse an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackRefusal {
    /// Whether the receiver refuses it for certain; otherwise somebody saw it refused, or a part of it is of no use.
    pub is_certain: bool,
    /// The error of the receiver where it is known, else a fact, in lower case.
    pub message: String,
    /// What to do about it.
    pub advice: String,
    /// Where the limit is documented, or who reported it.
    pub source: &'static str,
}

impl PackRefusal {
    /// A refusal that is certain or possible.
    pub(super) fn new(
        is_certain: bool,
        source: &'static str,
        message: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self { is_certain, message: message.into(), advice: advice.into(), source }
    }

    /// A refusal that is certain.
    pub(super) fn certain(
        source: &'static str,
        message: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self::new(true, source, message, advice)
    }

    /// A refusal that is possible.
    pub(super) fn possible(
        source: &'static str,
        message: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self::new(false, source, message, advice)
    }
}
