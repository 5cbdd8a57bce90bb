//! Instants as they are written down.

/// Nanoseconds since 1970-01-01 UTC; good until the year 2262.
pub type UnixNs = i64;

const NS_PER_S: i64 = 1_000_000_000;

/// `YYYY-MM-DDTHH:MM:SSZ`, UTC, of an instant.
pub fn rfc3339(at: UnixNs) -> String {
    let seconds = at.div_euclid(NS_PER_S);
    let (year, month, day) = civil(seconds.div_euclid(86_400));
    let (hour, minute, second) = clock_face(seconds);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// `YYYYMMDDTHHMMSSZ`, UTC, of an instant, as run ids begin (RFC-0007:C-LOGGING).
pub fn compact(at: UnixNs) -> String {
    rfc3339(at).replace(['-', ':'], "")
}

fn clock_face(seconds: i64) -> (i64, i64, i64) {
    let of_day = seconds.rem_euclid(86_400);
    (of_day / 3_600, of_day / 60 % 60, of_day % 60)
}

/// Year, month and day of a day number, in the proleptic Gregorian calendar (days counted in eras of 400 years that
/// begin in March, so that leap days come last).
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
}
