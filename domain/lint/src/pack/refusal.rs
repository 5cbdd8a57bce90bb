//! The reasons why a receiver refuses an archive.

/// A reason to refuse an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackRefusal {
    /// Whether the receiver certainly refuses it. Otherwise a user reported a refusal, or a part of the archive is
    /// useless.
    pub is_certain: bool,
    /// The receiver's error message if it is known, otherwise the fact, in lower case.
    pub message: String,
    /// What to do about it.
    pub advice: String,
    /// Where the limit is documented, or who reported it.
    pub source: &'static str,
}

impl PackRefusal {
    /// Makes a refusal.
    pub(super) fn new(
        is_certain: bool,
        source: &'static str,
        message: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self { is_certain, message: message.into(), advice: advice.into(), source }
    }

    /// Makes a certain refusal.
    pub(super) fn certain(
        source: &'static str,
        message: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self::new(true, source, message, advice)
    }

    /// Makes a possible refusal.
    pub(super) fn possible(
        source: &'static str,
        message: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self::new(false, source, message, advice)
    }
}
