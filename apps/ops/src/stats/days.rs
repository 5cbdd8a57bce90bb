//! Days in a row: gaps are days without an access, and long times are taken together.

use skillc_domain::time::{parse_rfc3339, rfc3339};
use skillc_domain::usage::DayCount;

const NS_PER_DAY: i64 = 86_400 * 1_000_000_000;

/// Days since 1970-01-01 of `YYYY-MM-DD`.
fn ordinal(day: &str) -> Option<i64> {
    parse_rfc3339(&format!("{day}T00:00:00Z")).map(|at| at.div_euclid(NS_PER_DAY))
}

/// `YYYY-MM-DD` of a day number that `ordinal` gave, or of one between two such.
fn date(ordinal: i64) -> String {
    let mut text = rfc3339(ordinal.saturating_mul(NS_PER_DAY));
    text.truncate(10);
    text
}

/// The days up to the last that has an access, none left out, at most `days_max` of them. Days that are none of the
/// calendar are passed over.
pub fn last_days(days: &[DayCount], days_max: usize) -> Vec<DayCount> {
    let known: Vec<(i64, u64)> = days.iter().filter_map(|d| Some((ordinal(&d.day)?, d.count))).collect();
    let (Some(first), Some(last)) = (known.first(), known.last()) else { return Vec::new() };
    let start = first.0.max(last.0.saturating_sub(days_max as i64 - 1));
    let mut row: Vec<DayCount> = (start..=last.0).map(|day| DayCount { day: date(day), count: 0 }).collect();
    for (day, count) in known.into_iter().filter(|(day, _)| *day >= start) {
        if let Some(slot) = usize::try_from(day - start).ok().and_then(|at| row.get_mut(at)) {
            slot.count = slot.count.saturating_add(count);
        }
    }
    row
}

/// What one slot of a chart stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A day, `YYYY-MM-DD`.
    Day,
    /// A week, by its Monday.
    Week,
    /// A month, `YYYY-MM`.
    Month,
    /// A year, `YYYY`.
    Year,
}

/// Slots of each unit, at most, beyond which the next larger one is taken: a quarter of a year, two years, ten years.
const SLOTS_MAX: [(Unit, i64); 3] = [(Unit::Day, 92), (Unit::Week, 105), (Unit::Month, 120)];

impl Unit {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Year => "year",
        }
    }

    /// What stands before the name of a slot.
    pub fn before(self) -> &'static str {
        match self {
            Self::Week => "week of ",
            Self::Day | Self::Month | Self::Year => "",
        }
    }

    /// The slot in which a day lies; slots in a row have numbers in a row.
    fn slot(self, day: i64) -> i64 {
        let part = |from: usize, to: usize| date(day).get(from..to).and_then(|n| n.parse().ok()).unwrap_or(0);
        match self {
            Self::Day => day,
            // 1970-01-01 was a Thursday.
            Self::Week => (day + 3).div_euclid(7),
            Self::Month => part(0, 4) * 12 + part(5, 7) - 1,
            Self::Year => part(0, 4),
        }
    }

    /// The name of a slot.
    fn name(self, slot: i64) -> String {
        match self {
            Self::Day => date(slot),
            Self::Week => date(slot * 7 - 3),
            Self::Month => format!("{:04}-{:02}", slot.div_euclid(12), slot.rem_euclid(12) + 1),
            Self::Year => format!("{slot:04}"),
        }
    }
}

/// All days in a row of slots, none left out, in the smallest unit of which there are not too many.
pub fn spread(days: &[DayCount]) -> (Unit, Vec<DayCount>) {
    let known: Vec<(i64, u64)> = days.iter().filter_map(|d| Some((ordinal(&d.day)?, d.count))).collect();
    let (Some(first), Some(last)) = (known.first(), known.last()) else { return (Unit::Day, Vec::new()) };
    let slots = |unit: Unit| unit.slot(last.0) - unit.slot(first.0) + 1;
    let unit =
        SLOTS_MAX.into_iter().find(|(unit, max)| slots(*unit) <= *max).map_or(Unit::Year, |(unit, _)| unit);
    let start = unit.slot(first.0);
    let mut row: Vec<DayCount> =
        (start..start + slots(unit)).map(|slot| DayCount { day: unit.name(slot), count: 0 }).collect();
    for (day, count) in known {
        if let Some(slot) = usize::try_from(unit.slot(day) - start).ok().and_then(|at| row.get_mut(at)) {
            slot.count = slot.count.saturating_add(count);
        }
    }
    (unit, row)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(days: &[(&str, u64)]) -> Vec<DayCount> {
        days.iter().map(|(day, count)| DayCount { day: (*day).to_owned(), count: *count }).collect()
    }

    #[test]
    fn gaps_are_days_of_zero() {
        let row = last_days(&days(&[("2026-02-27", 2), ("2026-03-01", 3)]), 30);
        assert_eq!(row, days(&[("2026-02-27", 2), ("2026-02-28", 0), ("2026-03-01", 3)]));
        assert_eq!(spread(&days(&[("2026-02-27", 2), ("2026-03-01", 3)])), (Unit::Day, row));
    }

    #[test]
    fn only_the_last_days_are_taken() {
        let row = last_days(&days(&[("2025-01-01", 9), ("2026-03-01", 3), ("2026-03-02", 4)]), 2);
        assert_eq!(row, days(&[("2026-03-01", 3), ("2026-03-02", 4)]));
        assert_eq!(last_days(&days(&[("2025-01-01", 9), ("2026-03-02", 4)]), 30).len(), 30);
    }

    #[test]
    fn days_that_are_none_are_passed_over() {
        assert!(last_days(&days(&[("", 1), ("2026-02-30", 1), ("today", 1)]), 30).is_empty());
        assert!(spread(&days(&[("9999-01-01", 1), ("a\u{301}", 1)])).1.is_empty());
    }

    #[test]
    fn long_times_are_taken_together_and_no_access_is_lost() {
        for (first, last, unit, slots, from) in [
            ("2026-01-01", "2026-04-02", Unit::Day, 92, "2026-01-01"),
            ("2026-01-01", "2026-04-03", Unit::Week, 14, "2025-12-29"),
            ("2024-01-01", "2026-12-31", Unit::Month, 36, "2024-01"),
            ("1970-01-01", "2261-12-31", Unit::Year, 292, "1970"),
        ] {
            let (found, row) = spread(&days(&[(first, 2), (last, 3)]));
            assert_eq!((found, row.len(), row[0].day.as_str()), (unit, slots, from), "{first} {last}");
            assert_eq!((row[0].count, row[slots - 1].count), (2, 3));
        }
    }
}
