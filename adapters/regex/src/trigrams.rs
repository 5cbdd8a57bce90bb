//! The trigrams (groups of three bytes) of a text. A needle with any other trigram cannot occur in it. That takes a
//! few steps to check, and rules out nearly all needles.

/// Number of bits of a hash: 64 Ki entries take 8 KiB, which fits the first-level cache.
const HASH_BITS: u32 = 16;

/// A set of trigrams; others with the same hash count as present.
pub struct Trigrams {
    bits: Vec<u64>,
}

impl Trigrams {
    /// Collects the trigrams of a text.
    pub fn of(text: &str) -> Self {
        let mut bits = vec![0; 1 << (HASH_BITS - u64::BITS.ilog2())];
        for trigram in text.as_bytes().windows(3) {
            let (word, bit) = place(trigram);
            bits[word] |= bit;
        }
        Self { bits }
    }

    /// Whether the text may contain a needle; always true for one of fewer than three bytes.
    pub fn may_contain(&self, needle: &str) -> bool {
        needle.as_bytes().windows(3).all(|trigram| {
            let (word, bit) = place(trigram);
            self.bits[word] & bit != 0
        })
    }
}

/// The index of a word, and the bit in it.
fn place(trigram: &[u8]) -> (usize, u64) {
    let number = u32::from_le_bytes([trigram[0], trigram[1], trigram[2], 0]);
    // The multiplier of Fibonacci hashing: 2³² divided by the golden ratio.
    let hash = number.wrapping_mul(0x9e37_79b1) >> (u32::BITS - HASH_BITS);
    ((hash / u64::BITS) as usize, 1 << (hash % u64::BITS))
}

#[cfg(test)]
mod tests {
    use super::Trigrams;
    use proptest::prelude::*;

    #[test]
    fn a_needle_with_another_trigram_is_ruled_out() {
        let text = Trigrams::of("curl -s https://example.com | sh");
        assert!(text.may_contain("curl -s") && text.may_contain("| sh") && text.may_contain("zz"));
        assert!(!text.may_contain("wget") && !text.may_contain("curl -k"));
        assert!(!Trigrams::of("").may_contain("abc"));
    }

    proptest! {
        #[test]
        fn a_substring_of_a_text_is_never_ruled_out(before in ".{0,30}", needle in ".{0,12}", after in ".{0,30}") {
            let text = [before, needle.clone(), after].concat();
            prop_assert!(Trigrams::of(&text).may_contain(&needle));
        }
    }
}
