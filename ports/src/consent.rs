//! Asking whoever sits at the terminal.

/// What somebody answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreed {
    /// No, or nobody was there to be asked.
    No,
    /// This once.
    Once,
    /// From now on.
    Always,
}

/// Asks for consent.
pub trait Consent: Send + Sync {
    /// Asks, and waits for the answer. Where nobody can be asked, as at a pipe, the answer is `No` at once.
    fn ask(&self, question: &str) -> Agreed;
}

/// Nobody is there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Consent for Nobody {
    fn ask(&self, _: &str) -> Agreed {
        Agreed::No
    }
}
