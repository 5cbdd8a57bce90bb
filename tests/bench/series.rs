//! What a row is made of: one value a round, and the figures drawn from them.

/// The middle value; NaN of nothing.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[n / 2],
        n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
    }
}

/// A measurement and its limit, taken side by side in each round.
#[derive(Default)]
pub struct Pairs {
    measured: Vec<f64>,
    limit: Vec<f64>,
}

impl Pairs {
    /// Runs `round` so many times; each gives what was measured and what it may cost, in one unit.
    /// The first failure ends it: a figure from a run that failed says nothing.
    pub fn take(
        rounds: usize,
        mut round: impl FnMut() -> Result<(f64, f64), String>,
    ) -> Result<Self, String> {
        let mut pairs = Pairs::default();
        for _ in 0..rounds {
            let (measured, limit) = round()?;
            pairs.measured.push(measured);
            pairs.limit.push(limit);
        }
        Ok(pairs)
    }

    /// Median of what was measured.
    pub fn measured(&self) -> f64 {
        median(&self.measured)
    }

    /// Median of the limits.
    pub fn limit(&self) -> f64 {
        median(&self.limit)
    }

    /// Median of each round's own ratio, so that a slow second of the machine weighs on both sides.
    pub fn ratio(&self) -> f64 {
        let each: Vec<f64> = self.measured.iter().zip(&self.limit).map(|(m, l)| m / l).collect();
        median(&each)
    }
}

/// The exponent `e` of `cost ~ size^e` through two points `(size, cost)`.
pub fn exponent(small: (f64, f64), large: (f64, f64)) -> f64 {
    (large.1 / small.1).ln() / (large.0 / small.0).ln()
}
