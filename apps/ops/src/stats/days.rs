//! Fills gaps between days, and groups long periods into larger units.

use skillc_domain::time::Day;
use skillc_domain::usage::DayCount;

/// The days up to the last one with an access, including days without any; at most `days_max`.
pub fn last_days(days: &[DayCount], days_max: usize) -> Vec<DayCount> {
    let (Some(first), Some(last)) = (days.first(), days.last()) else { return Vec::new() };
    let start = first.day.0.max(last.day.0.saturating_sub(days_max as i64 - 1));
    let mut row: Vec<DayCount> =
        (start..=last.day.0).map(|day| DayCount { day: Day(day), count: 0 }).collect();
    for DayCount { day, count } in days {
        if let Some(slot) = usize::try_from(day.0 - start).ok().and_then(|at| row.get_mut(at)) {
            slot.count = slot.count.saturating_add(*count);
        }
    }
    row
}

/// One column of a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateSlot {
    /// Its day, week, month or year, as formatted by `Unit`.
    pub name: String,
    pub count: u64,
}

/// The unit of a chart's columns.
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

/// Maximum number of columns of each unit, beyond which the next larger unit is used: a quarter, two years, ten
/// years.
const SLOTS_MAX: [(Unit, i64); 3] = [(Unit::Day, 92), (Unit::Week, 105), (Unit::Month, 120)];

impl Unit {
    /// The unit's name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Year => "year",
        }
    }

    /// The words that precede the name of a column.
    pub fn before(self) -> &'static str {
        match self {
            Self::Week => "week of ",
            Self::Day | Self::Month | Self::Year => "",
        }
    }

    /// The number of the column of a day; consecutive columns have consecutive numbers.
    fn slot(self, day: Day) -> i64 {
        let (year, month, _) = day.civil();
        match self {
            Self::Day => day.0,
            // 1970-01-01 was a Thursday.
            Self::Week => (day.0 + 3).div_euclid(7),
            Self::Month => year * 12 + month - 1,
            Self::Year => year,
        }
    }

    /// The name of a column.
    fn name(self, slot: i64) -> String {
        match self {
            Self::Day => Day(slot).to_string(),
            Self::Week => Day(slot * 7 - 3).to_string(),
            Self::Month => format!("{:04}-{:02}", slot.div_euclid(12), slot.rem_euclid(12) + 1),
            Self::Year => format!("{slot:04}"),
        }
    }
}

/// All columns from the first to the last day, in the smallest unit that does not exceed its maximum.
pub fn spread(days: &[DayCount]) -> (Unit, Vec<DateSlot>) {
    let (Some(first), Some(last)) = (days.first(), days.last()) else { return (Unit::Day, Vec::new()) };
    let slots = |unit: Unit| unit.slot(last.day) - unit.slot(first.day) + 1;
    let unit =
        SLOTS_MAX.into_iter().find(|(unit, max)| slots(*unit) <= *max).map_or(Unit::Year, |(unit, _)| unit);
    let start = unit.slot(first.day);
    let mut row: Vec<DateSlot> =
        (start..start + slots(unit)).map(|slot| DateSlot { name: unit.name(slot), count: 0 }).collect();
    for DayCount { day, count } in days {
        if let Some(slot) = usize::try_from(unit.slot(*day) - start).ok().and_then(|at| row.get_mut(at)) {
            slot.count = slot.count.saturating_add(*count);
        }
    }
    (unit, row)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(days: &[(&str, u64)]) -> Vec<DayCount> {
        days.iter().map(|(day, count)| DayCount { day: Day::parse(day).unwrap(), count: *count }).collect()
    }

    #[test]
    fn gaps_are_days_of_zero() {
        let row = last_days(&days(&[("2026-02-27", 2), ("2026-03-01", 3)]), 30);
        assert_eq!(row, days(&[("2026-02-27", 2), ("2026-02-28", 0), ("2026-03-01", 3)]));
        let (unit, slots) = spread(&days(&[("2026-02-27", 2), ("2026-03-01", 3)]));
        let names: Vec<_> = slots.iter().map(|slot| (slot.name.as_str(), slot.count)).collect();
        assert_eq!((unit, names), (Unit::Day, vec![("2026-02-27", 2), ("2026-02-28", 0), ("2026-03-01", 3)]));
    }

    #[test]
    fn only_the_last_days_are_taken() {
        let row = last_days(&days(&[("2025-01-01", 9), ("2026-03-01", 3), ("2026-03-02", 4)]), 2);
        assert_eq!(row, days(&[("2026-03-01", 3), ("2026-03-02", 4)]));
        assert_eq!(last_days(&days(&[("2025-01-01", 9), ("2026-03-02", 4)]), 30).len(), 30);
    }

    #[test]
    fn without_a_day_there_is_no_row() {
        assert!(last_days(&[], 30).is_empty() && spread(&[]).1.is_empty());
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
            assert_eq!((found, row.len(), row[0].name.as_str()), (unit, slots, from), "{first} {last}");
            assert_eq!((row[0].count, row[slots - 1].count), (2, 3));
        }
    }
}
