//! Asking the person at the terminal for consent.

/// A person's answer to a request for consent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consent {
    /// Refused, or no person could be asked.
    Denied,
    /// Given for this call.
    Once,
    /// Given from now on.
    Always,
}

/// Asks a person for consent.
pub trait ConsentPrompt: Send + Sync {
    /// Asks and waits for the answer. Returns `Denied` at once if no person can be asked, as when input is a pipe.
    fn ask(&self, question: &str) -> Consent;
}

/// Denies every request: no person is present.
#[derive(Clone, Copy, Debug, Default)]
pub struct NonInteractive;

impl ConsentPrompt for NonInteractive {
    fn ask(&self, _: &str) -> Consent {
        Consent::Denied
    }
}
