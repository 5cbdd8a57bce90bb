//! The values of a row, one per round, and the statistics computed from them.

/// The median; NaN if there are no values.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[n / 2],
        n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
    }
}

/// A measurement and its limit, taken in alternation in each round.
#[derive(Default)]
pub struct Pairs {
    measured: Vec<f64>,
    limit: Vec<f64>,
}

impl Pairs {
    /// Runs `round` several times; each returns a measurement and its limit in the same unit. The first failure ends
    /// it, since a figure from a failed run is meaningless.
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

    /// Median of the measurements.
    pub fn measured(&self) -> f64 {
        median(&self.measured)
    }

    /// Median of the limits.
    pub fn limit(&self) -> f64 {
        median(&self.limit)
    }

    /// Median of the rounds' ratios, so that a slow moment of the machine affects both sides.
    pub fn ratio(&self) -> f64 {
        let each: Vec<f64> = self.measured.iter().zip(&self.limit).map(|(m, l)| m / l).collect();
        median(&each)
    }
}

/// The exponent `e` of `cost ~ size^e` through two points `(size, cost)`.
pub fn exponent(small: (f64, f64), large: (f64, f64)) -> f64 {
    (large.1 / small.1).ln() / (large.0 / small.0).ln()
}
