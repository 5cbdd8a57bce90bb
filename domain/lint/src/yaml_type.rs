//! The type of a plain YAML scalar in YAML 1.1 and 1.2.
//!
//! Parsers differ: PyYAML, Ruby and older JavaScript parsers follow 1.1, newer ones the core schema of 1.2, and some
//! read every scalar as text. Quoted scalars and block scalars are text for all of them and are not handled here.

/// The type of a plain scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum YamlType {
    /// An empty value, `~` or `null`.
    Null,
    /// `true`, and in 1.1 also `yes`, `on` and the like.
    Bool,
    /// An integer.
    Int,
    /// Any other number, infinity, or not-a-number.
    Float,
    /// A date or timestamp; 1.1 only.
    Date,
    /// `<<` or `=`, which have a special meaning in 1.1.
    Special,
    /// Anything else.
    Text,
}

impl YamlType {
    /// The type with an article, for messages.
    pub fn with_article(self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool => "a boolean",
            Self::Int => "a whole number",
            Self::Float => "a number",
            Self::Date => "a date",
            Self::Special => "a YAML sign",
            Self::Text => "text",
        }
    }
}

/// The type in YAML 1.1 (yaml.org/type); single letters `y` and `n` are booleans.
pub fn yaml_1_1(text: &str) -> YamlType {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => YamlType::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "n" | "N" | "no" | "No" | "NO" => YamlType::Bool,
        "on" | "On" | "ON" | "off" | "Off" | "OFF" => YamlType::Bool,
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => YamlType::Bool,
        "<<" | "=" => YamlType::Special,
        _ if is_int_1_1(text) => YamlType::Int,
        _ if is_float_1_1(text) => YamlType::Float,
        _ if is_date(text) => YamlType::Date,
        _ => YamlType::Text,
    }
}

/// The type in the core schema of YAML 1.2 (10.3.2).
pub fn yaml_1_2(text: &str) -> YamlType {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => YamlType::Null,
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => YamlType::Bool,
        _ if is_int_1_2(text) => YamlType::Int,
        _ if is_float_1_2(text) => YamlType::Float,
        _ => YamlType::Text,
    }
}

/// Whether 1.1 and 1.2 read a plain scalar as different types or different numbers.
pub fn is_read_differently(text: &str) -> bool {
    let (old, new) = (yaml_1_1(text), yaml_1_2(text));
    // `010` is eight in 1.1 and ten in 1.2; `00` and `07` are the same in both.
    let is_octal = || unsigned(text).starts_with('0') && unsigned(text).trim_start_matches('0').len() > 1;
    old != new || (old == YamlType::Int && unsigned(text).bytes().all(|b| b.is_ascii_digit()) && is_octal())
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['-', '+']).unwrap_or(text)
}

/// Whether a text consists of at least one character, all of them digits in a base or underscores.
fn is_digits(text: &str, base: u32) -> bool {
    !text.is_empty() && text.chars().all(|c| c == '_' || c.is_digit(base))
}

fn is_int_1_1(text: &str) -> bool {
    let number = unsigned(text);
    if let Some(binary) = number.strip_prefix("0b") {
        return is_digits(binary, 2);
    }
    if let Some(hex) = number.strip_prefix("0x") {
        return is_digits(hex, 16);
    }
    if let Some(octal) = number.strip_prefix('0') {
        return octal.is_empty() || is_digits(octal, 8);
    }
    let mut parts = number.split(':');
    let first = parts.next().unwrap_or_default();
    starts_with_digit(first) && is_digits(first, 10) && parts.all(is_sixtieth)
}

/// Whether a text is a further digit of a base-60 number, as in `1:30`.
fn is_sixtieth(part: &str) -> bool {
    match part.as_bytes() {
        [digit] => digit.is_ascii_digit(),
        [b'0'..=b'5', digit] => digit.is_ascii_digit(),
        _ => false,
    }
}

/// Whether a text is a 1.1 float, which needs a decimal point and a sign before the exponent's digits.
fn is_float_1_1(text: &str) -> bool {
    let number = unsigned(text);
    if is_special_float(text, number) {
        return true;
    }
    let (mantissa, exponent) = match number.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.strip_prefix(['-', '+'])),
        None => (number, Some("0")),
    };
    let Some((whole, fraction)) = mantissa.split_once('.') else { return false };
    let is_whole = match whole.split_once(':') {
        None => whole.is_empty() || (starts_with_digit(whole) && is_digits(whole, 10)),
        Some((first, rest)) => {
            starts_with_digit(first) && is_digits(first, 10) && rest.split(':').all(is_sixtieth)
        }
    };
    let is_fraction = if whole.is_empty() {
        starts_with_digit(fraction) && is_digits(fraction, 10)
    } else {
        fraction.is_empty() || is_digits(fraction, 10)
    };
    is_whole && is_fraction && exponent.is_some_and(is_plain_digits)
}

fn is_int_1_2(text: &str) -> bool {
    if let Some(octal) = text.strip_prefix("0o") {
        return !octal.is_empty() && octal.chars().all(|c| c.is_digit(8));
    }
    if let Some(hex) = text.strip_prefix("0x") {
        return !hex.is_empty() && hex.chars().all(|c| c.is_ascii_hexdigit());
    }
    is_plain_digits(unsigned(text))
}

fn is_float_1_2(text: &str) -> bool {
    let number = unsigned(text);
    if is_special_float(text, number) {
        return true;
    }
    let (mantissa, exponent) = match number.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, unsigned(exponent)),
        None => (number, "0"),
    };
    let is_mantissa = match mantissa.split_once('.') {
        None => is_plain_digits(mantissa),
        Some(("", fraction)) => is_plain_digits(fraction),
        Some((whole, fraction)) => {
            is_plain_digits(whole) && (fraction.is_empty() || is_plain_digits(fraction))
        }
    };
    is_mantissa && is_plain_digits(exponent)
}

fn is_special_float(text: &str, unsigned: &str) -> bool {
    matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN")
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

fn is_plain_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a text is `2026-01-31`, or a timestamp; then month and day may have one digit, and a zone may follow.
fn is_date(text: &str) -> bool {
    let Some((day, time)) = text.split_once(['T', 't', ' ', '\t']) else { return is_day(text, 2) };
    is_day(day, 1) && is_time(time.trim_start_matches([' ', '\t']))
}

fn is_day(text: &str, digits_least: usize) -> bool {
    let parts: Vec<&str> = text.splitn(4, '-').collect();
    let [year, month, day] = parts[..] else { return false };
    let is_short = |part: &str| (digits_least..=2).contains(&part.len()) && is_plain_digits(part);
    year.len() == 4 && is_plain_digits(year) && is_short(month) && is_short(day)
}

fn is_time(text: &str) -> bool {
    let at = text.find(|c: char| !(c.is_ascii_digit() || c == ':' || c == '.')).unwrap_or(text.len());
    let (clock, zone) = text.split_at(at);
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let parts: Vec<&str> = clock.splitn(4, ':').collect();
    let [hour, minute, second] = parts[..] else { return false };
    let is_two = |part: &str| part.len() == 2 && is_plain_digits(part);
    let is_hour = (1..=2).contains(&hour.len()) && is_plain_digits(hour);
    let is_fraction = fraction.bytes().all(|b| b.is_ascii_digit());
    is_hour
        && is_two(minute)
        && is_two(second)
        && is_fraction
        && is_zone(zone.trim_start_matches([' ', '\t']))
}

fn is_zone(text: &str) -> bool {
    let Some(offset) = text.strip_prefix(['-', '+']) else { return text.is_empty() || text == "Z" };
    let (hours, minutes) = offset.split_once(':').unwrap_or((offset, "00"));
    (1..=2).contains(&hours.len()) && is_plain_digits(hours) && minutes.len() == 2 && is_plain_digits(minutes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use super::{
        YamlType::Bool, YamlType::Date, YamlType::Float, YamlType::Int, YamlType::Null, YamlType::Special,
        YamlType::Text,
    };

    #[test]
    fn a_plain_scalar_has_the_type_that_each_version_gives_it() {
        for (text, old, new) in [
            ("", Null, Null),
            ("~", Null, Null),
            ("yes", Bool, Text),
            ("Off", Bool, Text),
            ("n", Bool, Text),
            ("TRUE", Bool, Bool),
            ("tRUE", Text, Text),
            ("0", Int, Int),
            ("-17", Int, Int),
            ("1_000", Int, Text),
            ("0o17", Text, Int),
            ("0b11", Int, Text),
            ("-0x1F", Int, Text),
            ("0x1F", Int, Int),
            ("089", Text, Int),
            ("1:30", Int, Text),
            ("1:75", Text, Text),
            ("1.10", Float, Float),
            ("1.", Float, Float),
            (".5", Float, Float),
            (".", Text, Text),
            ("1e3", Text, Float),
            ("1.0e3", Text, Float),
            ("1.0e+3", Float, Float),
            ("1:30.5", Float, Text),
            ("-.inf", Float, Float),
            (".NaN", Float, Float),
            ("-.nan", Text, Text),
            ("2026-01-31", Date, Text),
            ("2026-1-31", Text, Text),
            ("2026-1-31 1:02:03.4 +1:30", Date, Text),
            ("2026-01-31T01:02:03Z", Date, Text),
            ("2026-01-31T01:02", Text, Text),
            ("1.2.3", Text, Text),
            ("v1.2", Text, Text),
            ("<<", Special, Text),
            ("=", Special, Text),
            ("-", Text, Text),
            ("_", Text, Text),
            ("é", Text, Text),
        ] {
            assert_eq!((yaml_1_1(text), yaml_1_2(text)), (old, new), "{text:?}");
        }
    }

    #[test]
    fn a_number_of_base_eight_is_read_differently() {
        for (text, differs) in
            [("010", true), ("-010", true), ("07", false), ("00", false), ("10", false), ("0x10", false)]
        {
            assert_eq!(is_read_differently(text), differs, "{text}");
        }
        assert!(is_read_differently("no") && !is_read_differently("nothing"));
    }
}
