//! Instants and calendar days in UTC.

use std::fmt;

/// Nanoseconds since 1970-01-01 UTC; overflows in the year 2262.
pub type UnixNs = i64;

const NS_PER_S: i64 = 1_000_000_000;

const S_PER_DAY: i64 = 86_400;

/// An instant in whole seconds; displayed as `YYYY-MM-DDTHH:MM:SSZ`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Truncates to whole seconds.
    pub fn of(at: UnixNs) -> Self {
        Self(at.div_euclid(NS_PER_S))
    }

    /// Parses `YYYY-MM-DDTHH:MM:SSZ`; `None` for any other form, and outside the range of `UnixNs`.
    pub fn parse(text: &str) -> Option<Self> {
        let is_plain = text.len() == 20 && text.as_bytes()[10] == b'T' && text.ends_with('Z');
        let at = parse_rfc3339(text).filter(|_| is_plain && !text.ends_with(":60Z"))?;
        Some(Self::of(at))
    }

    /// Seconds since 1970.
    pub fn unix_s(self) -> i64 {
        self.0
    }

    /// The day that contains it.
    pub fn day(self) -> Day {
        Day(self.0.div_euclid(S_PER_DAY))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_day = self.0.rem_euclid(S_PER_DAY);
        write!(f, "{}T{:02}:{:02}:{:02}Z", self.day(), of_day / 3_600, of_day / 60 % 60, of_day % 60)
    }
}

/// A day, as a number since 1970-01-01; displayed as `YYYY-MM-DD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(pub i64);

impl Day {
    /// Parses `YYYY-MM-DD`; `None` for any other text, and for a day that does not exist.
    pub fn parse(text: &str) -> Option<Self> {
        let is_digits = text.bytes().zip(*b"9999-99-99").all(|(b, s)| match s {
            b'9' => b.is_ascii_digit(),
            _ => b == s,
        });
        if text.len() != 10 || !is_digits {
            return None;
        }
        let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
        days_of(number(0, 4)?, number(5, 7)?, number(8, 10)?).map(Self)
    }

    /// Year, month and day of the month.
    pub fn civil(self) -> (i64, i64, i64) {
        civil(self.0)
    }

    /// The day's first instant; `None` outside the range of `UnixNs`.
    pub fn start(self) -> Option<UnixNs> {
        self.0.checked_mul(S_PER_DAY * NS_PER_S)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.civil();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

/// Formats an instant as `YYYY-MM-DDTHH:MM:SSZ`, UTC.
pub fn rfc3339(at: UnixNs) -> String {
    Timestamp::of(at).to_string()
}

/// Formats an instant as `YYYYMMDDTHHMMSSZ`, UTC, for run ids (RFC-0007:C-LOGGING).
pub fn compact(at: UnixNs) -> String {
    rfc3339(at).replace(['-', ':'], "")
}

/// Converts a day number to year, month and day in the proleptic Gregorian calendar. Days are counted in eras of 400
/// years that begin in March, so that leap days come last.
fn civil(days_since_1970: i64) -> (i64, i64, i64) {
    let days = days_since_1970 + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// Converts a date of the Gregorian calendar to days since 1970-01-01; `None` if the date does not exist.
fn days_of(year: i64, month: i64, day: i64) -> Option<i64> {
    let shifted = (month + 9) % 12;
    let year_of_march = year - i64::from(month <= 2);
    let of_era = year_of_march.rem_euclid(400);
    let of_year = (153 * shifted + 2) / 5 + day - 1;
    let days = year_of_march.div_euclid(400) * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year
        - 719_468;
    (civil(days) == (year, month, day)).then_some(days)
}

/// Parses an RFC 3339 instant such as `2026-01-31T12:00:00Z` or `2026-01-31t14:00:00.5+02:00`; `None` for anything
/// else and outside the range of `UnixNs`. A leap second becomes the first second of the next minute.
pub fn parse_rfc3339(text: &str) -> Option<UnixNs> {
    if !text.is_ascii() || text.len() < 20 {
        return None;
    }
    let (face, rest) = text.split_at(19);
    let shape = face.bytes().zip(*b"9999-99-99t99:99:99");
    if !shape.clone().all(|(b, s)| if s == b'9' { b.is_ascii_digit() } else { b.eq_ignore_ascii_case(&s) }) {
        return None;
    }
    let number = |from: usize, to: usize| face[from..to].parse::<i64>().ok();
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let days = days_of(number(0, 4)?, number(5, 7)?, number(8, 10)?)?;
    let (fraction_ns, zone) = fraction(rest)?;
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset_s(zone)?;
    seconds.checked_mul(NS_PER_S)?.checked_add(fraction_ns)
}

/// Parses `.5…` to nanoseconds, truncating further digits; also returns the rest of the text.
fn fraction(text: &str) -> Option<(i64, &str)> {
    let Some(digits) = text.strip_prefix('.') else { return Some((0, text)) };
    let end = digits.find(|c: char| !c.is_ascii_digit())?;
    let nine: String = digits[..end].chars().chain("000000000".chars()).take(9).collect();
    if end == 0 { None } else { Some((nine.parse().ok()?, &digits[end..])) }
}

/// Parses `Z`, `+02:00` or `-05:30` to seconds east of UTC.
fn offset_s(zone: &str) -> Option<i64> {
    if zone.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let (sign, rest) = match zone.as_bytes().first()? {
        b'+' => (1, &zone[1..]),
        b'-' => (-1, &zone[1..]),
        _ => return None,
    };
    let (hours, minutes) = rest.split_once(':')?;
    let number = |text: &str, max: i64| {
        let is_two = text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit());
        text.parse::<i64>().ok().filter(|n| is_two && *n <= max)
    };
    Some(sign * (number(hours, 23)? * 3_600 + number(minutes, 59)? * 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_written_in_utc() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_795_228_800, "2026-11-21T02:40:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
        ] {
            assert_eq!(rfc3339(seconds * NS_PER_S), text);
        }
        assert_eq!(compact(0), "19700101T000000Z");
    }

    #[test]
    fn formatted_values_parse_to_the_same_value() {
        for seconds in [0, 951_782_399, 951_782_400, 1_795_228_800, -1, 4_107_542_399, -2_208_988_800] {
            let at = seconds * NS_PER_S;
            assert_eq!(parse_rfc3339(&rfc3339(at)), Some(at));
            assert_eq!(Timestamp::parse(&rfc3339(at)), Some(Timestamp::of(at)));
        }
        assert_eq!(parse_rfc3339("1970-01-01T00:00:00.25Z"), Some(250_000_000));
        assert_eq!(parse_rfc3339("1970-01-01T00:30:00+00:30"), Some(0));
        assert_eq!(parse_rfc3339("1970-01-01T23:59:60Z"), parse_rfc3339("1970-01-02T00:00:00Z"));
        for wrong in [
            "",
            "1970-01-01 00:00:00Z",
            "1970-02-29T00:00:00Z",
            "1970-01-01T24:00:00Z",
            "1970-01-01T00:60:00Z",
            "1970-01-01T00:00:61Z",
            "1970-01-01T00:00:00.Z",
            "1970-01-01T00:00:00+1:00",
        ] {
            assert_eq!(parse_rfc3339(wrong), None, "{wrong}");
        }
        for wrong in ["1970-01-01t00:00:00Z", "1970-01-01T00:00:60Z", "1970-01-01T00:00:00+0"] {
            assert_eq!(Timestamp::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_day_that_the_calendar_does_not_have_is_none() {
        assert_eq!(Day::parse("2000-02-29").map(|day| (day.0, day.civil())), Some((11_016, (2000, 2, 29))));
        for wrong in ["", "2026-02-30", "2026-2-03", "today", "a\u{301}", "2026-01-31T", "+026-01-31"] {
            assert_eq!(Day::parse(wrong), None, "{wrong}");
        }
    }

    /// RFC-0003:C-FILTERS
    #[test]
    fn an_instant_has_each_of_its_parts_within_its_bounds() {
        for (text, at_s) in [
            ("1970-01-01T23:59:59Z", 86_399),
            ("1970-01-01T01:02:03Z", 3_723),
            ("1970-01-01T00:00:00+23:59", -86_340),
            ("1970-01-01T00:00:00-05:30", 19_800),
            ("1972-03-01T00:00:00Z", 790 * 86_400),
            ("2100-03-01T00:00:00Z", 47_541 * 86_400),
            ("1970-01-01t00:00:01z", 1),
        ] {
            assert_eq!(parse_rfc3339(text), Some(at_s * NS_PER_S), "{text}");
        }
        for wrong in [
            "1970-01-01T00:00:00+24:00",
            "1970-01-01T00:00:00+00:60",
            "1970-01-01T00:00:00+000:0",
            "1970-01-01T00:00:00+0a:00",
            "1970-01-01T00:00:00*01:00",
            "1970-01-01T00:00:00.5",
            "1970-01-01T00:00:00.+Z",
            "1970-01-01T00:00:0",
            "1970-00-01T00:00:00Z",
            "1970-13-01T00:00:00Z",
            "1970-01-00T00:00:00Z",
            "2100-02-29T00:00:00Z",
            "1970-01-01T00:00:00é",
            "2262-04-12T00:00:00Z",
        ] {
            assert_eq!(parse_rfc3339(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_fraction_counts_up_to_nanoseconds() {
        let ns = |fraction: &str| parse_rfc3339(&format!("1970-01-01T00:00:00{fraction}Z"));
        assert_eq!(ns(".5"), Some(500_000_000));
        assert_eq!(ns(".000000001"), Some(1));
        assert_eq!(ns(".0000000019"), Some(1));
    }

    #[test]
    fn a_timestamp_is_whole_seconds_and_belongs_to_a_day() {
        let at = Timestamp::of(2 * 86_400 * NS_PER_S + 1_999_999_999);
        assert_eq!((at.unix_s(), at.day()), (172_801, Day(2)));
        assert_eq!(Timestamp::of(-1).unix_s(), -1);
        assert_eq!(Timestamp::of(-1).day(), Day(-1));
        for wrong in ["1970-01-01T00:00:00+00:00", "1970-01-01T00:00:00z", "1970-01-01T00:00:00.0Z"] {
            assert_eq!(Timestamp::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_day_begins_at_midnight_and_the_calendar_follows_gregory() {
        for (text, number) in [
            ("1970-01-01", 0),
            ("1969-12-31", -1),
            ("1970-03-01", 59),
            ("1900-02-28", -25_509),
            ("1900-03-01", -25_508),
            ("2000-12-31", 11_322),
            ("2001-01-01", 11_323),
            ("2024-02-29", 19_782),
            ("0000-03-01", -719_468),
            ("0001-01-01", -719_162),
        ] {
            let day = Day::parse(text);
            assert_eq!((day, Day(number).to_string()), (Some(Day(number)), text.to_owned()));
        }
        assert_eq!((Day(2).start(), Day(i64::MAX).start()), (Some(172_800_000_000_000), None));
        let days = (-800_000..800_000).step_by(97).map(Day);
        assert!(days.into_iter().all(|day| day.0 < -719_528 || Day::parse(&day.to_string()) == Some(day)));
    }
}
