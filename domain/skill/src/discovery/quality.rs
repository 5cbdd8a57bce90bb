//! Quality measures for rankings: hit rates, reciprocal rank, discounted cumulative gain, and confidence intervals.

/// Number of results considered per answer.
pub const DEPTH: usize = 10;

/// The quality of one answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quality {
    /// 1 if the first result is relevant, otherwise 0.
    pub hit_at_1: f64,
    /// 1 if any of the first ten results is relevant, otherwise 0.
    pub hit_at_10: f64,
    /// The reciprocal rank of the first relevant result; 0 if it is not among the first ten.
    pub mrr_at_10: f64,
    /// Discounted cumulative gain of the first ten results, divided by that of an ideal ranking.
    pub ndcg_at_10: f64,
}

/// Measures one answer. `relevance` says for each result, best first, whether it is relevant; `relevant` counts all
/// relevant ones.
pub fn quality(relevance: &[bool], relevant: usize) -> Quality {
    let first = relevance.iter().take(DEPTH).position(|is_relevant| *is_relevant);
    let gain: f64 = relevance
        .iter()
        .take(DEPTH)
        .enumerate()
        .filter(|(_, hit)| **hit)
        .map(|(place, _)| discount(place))
        .sum();
    let ideal: f64 = (0..relevant.min(DEPTH)).map(discount).sum();
    Quality {
        hit_at_1: f64::from(u8::from(first == Some(0))),
        hit_at_10: f64::from(u8::from(first.is_some())),
        mrr_at_10: first.map_or(0.0, |place| 1.0 / rank(place)),
        ndcg_at_10: if ideal > 0.0 { gain / ideal } else { 0.0 },
    }
}

fn rank(place: usize) -> f64 {
    f64::from(u32::try_from(place).unwrap_or(u32::MAX)) + 1.0
}

fn discount(place: usize) -> f64 {
    1.0 / (rank(place) + 1.0).log2()
}

/// A mean with its 95 % bootstrap interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Arithmetic mean; 0 without values.
    pub mean: f64,
    /// The 2.5th percentile of resampled means.
    pub low: f64,
    /// The 97.5th percentile of resampled means.
    pub high: f64,
}

/// Number of bootstrap resamples: enough for the interval's bounds to be stable to two digits.
const RESAMPLINGS: usize = 2_000;

/// Estimates the mean of values with its bootstrap interval. Deterministic.
pub fn estimate(values: &[f64]) -> Estimate {
    if values.is_empty() {
        return Estimate::default();
    }
    let mean_of = |sum: f64| sum / rank(values.len() - 1);
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut means: Vec<f64> = (0..RESAMPLINGS)
        .map(|_| mean_of((0..values.len()).map(|_| values[random.below(values.len())]).sum()))
        .collect();
    means.sort_by(f64::total_cmp);
    let at = |per_mille: usize| means[(RESAMPLINGS * per_mille / 1000).min(RESAMPLINGS - 1)];
    Estimate { mean: mean_of(values.iter().sum()), low: at(25), high: at(975) }
}

/// SplitMix64 (Steele, Lea, Flood 2014): good enough for resampling, and the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        let bound = u64::try_from(bound).unwrap_or(u64::MAX);
        usize::try_from(z % bound.max(1)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perfect_answer_scores_one_everywhere() {
        let best = quality(&[true, true, false], 2);
        assert_eq!(best, Quality { hit_at_1: 1.0, hit_at_10: 1.0, mrr_at_10: 1.0, ndcg_at_10: 1.0 });
        assert_eq!(quality(&[false; 12], 2), Quality::default());
        assert_eq!(quality(&[], 0), Quality::default());
    }

    #[test]
    fn a_later_hit_is_worth_less() {
        let third = quality(&[false, false, true], 1);
        assert!((third.mrr_at_10 - 1.0 / 3.0).abs() < 1e-12);
        assert!((third.ndcg_at_10 - 0.5).abs() < 1e-12, "1 / log2(4)");
        let mut eleventh = [false; 11];
        eleventh[10] = true;
        assert_eq!(quality(&eleventh, 1), Quality::default());
    }

    #[test]
    fn an_interval_holds_the_mean_and_is_the_same_each_time() {
        let values: Vec<f64> = (0..100).map(|i| f64::from(i % 2)).collect();
        let first = estimate(&values);
        assert_eq!(first, estimate(&values));
        assert!((first.mean - 0.5).abs() < 1e-12);
        assert!(first.low > 0.38 && first.low < 0.45 && first.high > 0.55 && first.high < 0.62, "{first:?}");
        assert_eq!(estimate(&[]), Estimate::default());
    }

    /// The first numbers of the published algorithm for this state.
    #[test]
    fn random_numbers_are_those_of_splitmix64() {
        let mut random = Random(1_234_567);
        let numbers = [0; 3].map(|_| random.below(usize::MAX));
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
        assert!((0..100).all(|_| random.below(7) < 7) && random.below(0) == 0);
    }
}
