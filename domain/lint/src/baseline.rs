//! Accepted findings, which are not reported again (RFC-0008:C-BASELINE).

use std::collections::BTreeMap;

/// How often each finding was accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// The number of accepted findings, by identity.
    pub accepted: BTreeMap<String, u32>,
}

impl Baseline {
    /// A baseline that accepts all of these findings.
    pub fn of<'a>(identities: impl Iterator<Item = &'a str>) -> Self {
        let mut accepted = BTreeMap::new();
        for identity in identities {
            *accepted.entry(identity.to_owned()).or_insert(0) += 1;
        }
        Self { accepted }
    }

    /// Whether one more finding with this identity is accepted. Each call uses up one acceptance.
    pub fn take(&mut self, identity: &str) -> bool {
        match self.accepted.get_mut(identity) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0008:C-BASELINE
    #[test]
    fn a_finding_is_accepted_as_often_as_it_was_there() {
        let mut baseline = Baseline::of(["a", "a", "b"].into_iter());
        let file_names: Vec<bool> = ["a", "a", "a", "b", "c"].into_iter().map(|i| baseline.take(i)).collect();
        assert_eq!(file_names, [true, true, false, true, false]);
    }
}
