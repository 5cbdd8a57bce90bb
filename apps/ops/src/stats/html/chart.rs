//! Charts as inline SVG. Horizontal positions are percentages, so that a chart fills any width without scaling its
//! text.

use super::super::days::{DateSlot, Unit, spread};
use super::super::words::{counted, number};
use super::escape::escaped;
use skillc_domain::usage::DayCount;
use std::fmt::Write;

/// Height of the columns, in the user units of the chart.
const HEIGHT: u64 = 100;
/// Minimum number of columns, so that a single day does not fill the whole width.
const SLOTS_MIN: usize = 12;

/// The bar of a row, proportional to the largest count.
pub fn bar(count: u64, largest: u64) -> String {
    // A nonzero count is always visible.
    let seen = u128::from(largest / 250 * u64::from(count > 0)).max(u128::from(count));
    let width = percents(seen, u128::from(largest));
    format!("<svg aria-hidden=\"true\"><rect width=\"{width}%\" height=\"100%\" rx=\"1.5\"/></svg>")
}

/// A fraction in percent, with two decimals.
fn percents(part: u128, whole: u128) -> String {
    let hundredths = part.min(whole) * 10_000 / whole.max(1);
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// Columns for the accesses of each day, or of each week, month or year for long periods; `None` if there are no
/// days.
pub fn days(days: &[DayCount]) -> Option<(Unit, String)> {
    let (unit, row) = spread(days);
    let (first, last) = (row.first()?, row.last()?);
    let most = row.iter().map(|slot| slot.count).max().unwrap_or_default();
    let top = round_up(most);
    let label = format!(
        "Accesses per {} from {} to {}, {} at most",
        unit.word(),
        first.name,
        last.name,
        number(most)
    );
    let mut svg = format!("<svg role=\"img\" aria-label=\"{}\">", escaped(&label));
    put_grid(&mut svg, top);
    put_columns(&mut svg, &row, unit, top);
    put_dates(&mut svg, &row);
    svg.push_str("</svg>");
    Some((unit, svg))
}

/// The smallest round number that is not less than `most`, and is even or 1, so that its half is an integer or
/// omitted.
fn round_up(most: u64) -> u64 {
    const ROUND: [u128; 11] = [10, 12, 16, 20, 24, 30, 40, 50, 60, 80, 100];
    match most {
        0 | 1 => 1,
        2..=10 => most + most % 2,
        _ => {
            let mut scale = 1;
            while u128::from(most) > 100 * scale {
                scale *= 10;
            }
            let found = ROUND.into_iter().map(|n| n * scale).find(|n| *n >= u128::from(most));
            found.and_then(|n| u64::try_from(n).ok()).unwrap_or(u64::MAX)
        }
    }
}

/// A vertical length in percent of the whole chart, which includes the dates below.
fn y(part: u64, whole: u64) -> String {
    const PLOT_PERCENT: u128 = 86;
    percents(u128::from(part) * PLOT_PERCENT, u128::from(whole.max(1)) * u128::from(HEIGHT))
}

/// Lines at zero, half and maximum, each with its number on the right.
fn put_grid(svg: &mut String, top: u64) {
    let middle = (top > 1).then_some(top / 2);
    for value in [0].into_iter().chain(middle).chain([top]) {
        let at = y(top - value, top);
        let _ = write!(svg, "<line x1=\"0\" x2=\"100%\" y1=\"{at}%\" y2=\"{at}%\"/>");
        let number = number(value);
        let _ = write!(
            svg,
            "<text x=\"100%\" y=\"{at}%\" dx=\"8\" dy=\"4\" aria-hidden=\"true\">{number}</text>"
        );
    }
}

fn put_columns(svg: &mut String, row: &[DateSlot], unit: Unit, top: u64) {
    let slots = row.len().max(SLOTS_MIN) as u128;
    let floor = y(top, top);
    for (at, slot) in (0u128..).zip(row) {
        // A fifth of each column is a gap.
        let (x, inner) = (percents(at, slots), percents(at * 10 + 1, slots * 10));
        let (whole, wide) = (percents(1, slots), percents(8, slots * 10));
        // A nonzero count is always visible.
        let seen = slot.count.max(top / 120).min(top);
        let (from, height) = (y(top - seen, top), y(seen, top));
        let text = escaped(&format!("{}{}: {}", unit.before(), slot.name, counted_accesses(slot.count)));
        let _ = write!(
            svg,
            "<g><title>{text}</title><rect class=\"day\" x=\"{x}%\" width=\"{whole}%\" height=\"{floor}%\"/>"
        );
        if slot.count > 0 {
            let _ = write!(
                svg,
                "<rect class=\"col\" x=\"{inner}%\" width=\"{wide}%\" y=\"{from}%\" height=\"{height}%\"/>"
            );
        }
        svg.push_str("</g>");
    }
}

/// `1 access`, `2 accesses`.
pub fn counted_accesses(count: u64) -> String {
    counted(count, "access")
}

/// The first, middle and last date below the chart; a sentence if there are few dates.
fn put_dates(svg: &mut String, row: &[DateSlot]) {
    let day = |at: usize| row.get(at).map_or(String::new(), |slot| escaped(&slot.name));
    let last = row.len().saturating_sub(1);
    let texts = match row.len() {
        1 => vec![("0", "start", day(0))],
        2..SLOTS_MIN => vec![("0", "start", format!("{} to {}", day(0), day(last)))],
        _ => vec![("0", "start", day(0)), ("50%", "middle", day(last / 2)), ("100%", "end", day(last))],
    };
    for (x, anchor, text) in texts {
        let _ = write!(
            svg,
            "<text x=\"{x}\" y=\"97%\" text-anchor=\"{anchor}\" aria-hidden=\"true\">{text}</text>"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillc_domain::time::Day;

    #[test]
    fn the_axis_ends_at_a_round_number_with_a_half() {
        for (most, expected) in [
            (0, 1),
            (1, 1),
            (2, 2),
            (3, 4),
            (9, 10),
            (11, 12),
            (13, 16),
            (101, 120),
            (4_800, 5_000),
            (u64::MAX, u64::MAX),
        ] {
            assert_eq!(round_up(most), expected, "{most}");
        }
    }

    #[test]
    fn a_column_stands_for_each_day_and_none_for_a_day_without_access() {
        let day = |(day, count): (&str, u64)| DayCount { day: Day::parse(day).unwrap(), count };
        let (unit, svg) = days(&[("2026-11-01", 2), ("2026-11-03", 1)].map(day)).unwrap();
        assert_eq!(unit, Unit::Day);
        assert_eq!(svg.matches("<g>").count(), 3);
        assert_eq!(svg.matches("class=\"col\"").count(), 2);
        for text in ["2026-11-01: 2 accesses", "2026-11-02: 0 accesses", "2026-11-03: 1 access<"] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(days(&[]).is_none());
    }
}
