//! Splits a time span into whole days, which rollups can count, and partial days at its ends.

use skillc_domain::time::Timestamp;
use skillc_domain::usage::UsageFilter;

const DAY_S: i64 = 86_400;

/// Seconds since 1970, both ends included; `None` is an open end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeSpan {
    pub since: Option<i64>,
    pub until: Option<i64>,
}

/// A span as whole days, counted since 1970, and the partial days at its ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SplitSpan {
    pub first_day: Option<i32>,
    /// Before `first_day` if the span holds no whole day.
    pub last_day: Option<i32>,
    /// Partial days: first and last second.
    pub edges: [Option<(i64, i64)>; 2],
}

impl TimeSpan {
    pub fn of(filter: &UsageFilter) -> Self {
        Self { since: filter.since.map(Timestamp::unix_s), until: filter.until.map(Timestamp::unix_s) }
    }

    pub fn split(self) -> SplitSpan {
        let first = self.since.map(|since| since.div_euclid(DAY_S) + i64::from(since.rem_euclid(DAY_S) > 0));
        let last = self.until.map(|until| (until + 1).div_euclid(DAY_S) - 1);
        if let (Some(first), Some(last), Some(since), Some(until)) = (first, last, self.since, self.until)
            && first > last
        {
            return SplitSpan { first_day: Some(1), last_day: Some(0), edges: [Some((since, until)), None] };
        }
        let before = self.since.zip(first).map(|(since, first)| (since, first * DAY_S - 1));
        let after = last.zip(self.until).map(|(last, until)| ((last + 1) * DAY_S, until));
        let edges = [before, after].map(|edge| edge.filter(|(from, to)| from <= to));
        SplitSpan { first_day: first.map(day), last_day: last.map(day), edges }
    }
}

fn day(number: i64) -> i32 {
    i32::try_from(number).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(since: Option<i64>, until: Option<i64>) -> SplitSpan {
        TimeSpan { since, until }.split()
    }

    #[test]
    fn whole_days_and_what_is_left_make_the_span() {
        assert_eq!(split(None, None), SplitSpan::default());
        let whole = SplitSpan { first_day: Some(1), last_day: Some(1), edges: [None, None] };
        assert_eq!(split(Some(DAY_S), Some(2 * DAY_S - 1)), whole);
        let from_noon = SplitSpan { first_day: Some(1), last_day: None, edges: [Some((5, DAY_S - 1)), None] };
        assert_eq!(split(Some(5), None), from_noon);
        let to_noon =
            SplitSpan { first_day: None, last_day: Some(0), edges: [None, Some((DAY_S, DAY_S + 5))] };
        assert_eq!(split(None, Some(DAY_S + 5)), to_noon);
        let before_1970 = SplitSpan { first_day: Some(0), last_day: None, edges: [Some((-1, -1)), None] };
        assert_eq!(split(Some(-1), None), before_1970);
    }

    #[test]
    fn a_span_without_a_whole_day_is_one_edge() {
        let none = |edge| SplitSpan { first_day: Some(1), last_day: Some(0), edges: [Some(edge), None] };
        assert_eq!(split(Some(5), Some(DAY_S + 5)), none((5, DAY_S + 5)));
        assert_eq!(split(Some(5), Some(7)), none((5, 7)));
        assert_eq!(split(Some(7), Some(5)), none((7, 5)), "and nothing lies in it");
    }

    /// Every second is in exactly one part or in none, for all spans of a few days.
    #[test]
    fn every_second_of_a_span_is_in_one_part() {
        let steps = [0, 1, DAY_S - 1, DAY_S, DAY_S + 1, 2 * DAY_S - 1, 2 * DAY_S, 3 * DAY_S + 7];
        let ends: Vec<_> = steps.into_iter().map(Some).chain([None]).collect();
        for (since, until) in ends.iter().flat_map(|a| ends.iter().map(move |b| (*a, *b))) {
            let parts = split(since, until);
            for second in steps {
                let day = i32::try_from(second / DAY_S).unwrap();
                let is_whole =
                    parts.first_day.is_none_or(|d| day >= d) && parts.last_day.is_none_or(|d| day <= d);
                let edges = parts.edges.iter().flatten().filter(|(a, b)| (*a..=*b).contains(&second)).count();
                let is_in = since.is_none_or(|s| second >= s) && until.is_none_or(|u| second <= u);
                assert_eq!(
                    usize::from(is_whole) + edges,
                    usize::from(is_in),
                    "{second} in {since:?}..{until:?}"
                );
            }
        }
    }
}
