//! Filters for the accesses to count (RFC-0003:C-FILTERS).

use crate::event::AccessEvent;
use crate::fault::Fault;
use crate::reader::about_argument;
use crate::time::{Day, Timestamp, UnixNs, parse_rfc3339};

/// The skills whose accesses are counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SkillFilter {
    /// All skills; tallies then name their skill.
    #[default]
    Any,
    /// The skill whose source is at this canonical path.
    Path(String),
    /// All skills with this name, wherever they are.
    Name(String),
}

/// Selects the accesses to count: those that match every field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UsageFilter {
    /// The skill or skills that were accessed.
    pub skill: SkillFilter,
    /// Earliest second, inclusive.
    pub since: Option<Timestamp>,
    /// Latest second, inclusive.
    pub until: Option<Timestamp>,
    /// Canonical folders; accesses from them or below match. Empty for any folder.
    pub projects: Vec<String>,
    /// The machine of the access; only a team's store knows several.
    pub machine: Option<String>,
}

impl UsageFilter {
    /// Whether a time is between `since` and `until`.
    pub fn contains(&self, at: Timestamp) -> bool {
        self.since.is_none_or(|since| at >= since) && self.until.is_none_or(|until| at <= until)
    }

    /// Whether skill and project match.
    pub fn concerns(&self, event: &AccessEvent) -> bool {
        let is_skill = match &self.skill {
            SkillFilter::Any => true,
            SkillFilter::Path(path) => event.skill_path == *path,
            SkillFilter::Name(name) => event.skill == *name,
        };
        is_skill && (self.projects.is_empty() || self.projects.iter().any(|p| is_below(&event.cwd, p)))
    }
}

/// Whether a folder is `base` or below it; both are canonical.
pub fn is_below(folder: &str, base: &str) -> bool {
    let base = base.trim_end_matches('/');
    folder.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Parses `--since` to the first second to count. Takes a time, a date (its start in UTC), or a span before now.
///
/// # Errors
/// E031 for anything else.
pub fn since(value: &str, now: UnixNs) -> Result<Timestamp, Fault> {
    // A second that began before the given instant is excluded.
    instant("since", value, now).map(|at| Timestamp::of(at.saturating_add(NS_PER_S - 1)))
}

/// Parses `--until` to the last second to count, in the same forms.
///
/// # Errors
/// E031 for anything else.
pub fn until(value: &str, now: UnixNs) -> Result<Timestamp, Fault> {
    instant("until", value, now).map(Timestamp::of)
}

const NS_PER_S: i64 = 1_000_000_000;

/// Parses an instant: RFC 3339, `YYYY-MM-DD`, or a span such as `7d` before now.
///
/// # Errors
/// E031, with the argument's name.
pub fn instant(argument: &str, value: &str, now: UnixNs) -> Result<UnixNs, Fault> {
    let text = value.trim();
    let date = || Day::parse(text)?.start();
    let known = parse_rfc3339(text).or_else(date).or_else(|| now.checked_sub(span_ns(text)?));
    known.ok_or_else(|| Fault::InvalidFilter { message: about_argument(argument, value) })
}

/// Parses `90s`, `30m`, `12h`, `7d` or `2w` to nanoseconds.
fn span_ns(text: &str) -> Option<i64> {
    let unit = text.chars().next_back()?;
    let number = text.strip_suffix(unit)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        'w' => 604_800,
        _ => return None,
    };
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| number.parse::<i64>().ok()?.checked_mul(seconds)?.checked_mul(NS_PER_S))?
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: UnixNs = 1_795_228_800_500_000_000;

    /// RFC-0003:C-FILTERS, decision 36
    #[test]
    fn times_dates_and_spans_are_read() {
        for (value, expected) in [
            ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"),
            ("2026-01-31T14:00:00+02:00", "2026-01-31T12:00:00Z"),
            ("2026-01-31t12:00:00.000z", "2026-01-31T12:00:00Z"),
            ("2026-01-31", "2026-01-31T00:00:00Z"),
            (" 2026-01-31 ", "2026-01-31T00:00:00Z"),
            ("1d", "2026-11-20T02:40:00Z"),
            ("12h", "2026-11-20T14:40:00Z"),
            ("2w", "2026-11-07T02:40:00Z"),
            ("30m", "2026-11-21T02:10:00Z"),
        ] {
            assert_eq!(until(value, NOW).unwrap().to_string(), expected, "{value}");
        }
        assert_eq!(
            since("0s", NOW).unwrap().to_string(),
            "2026-11-21T02:40:01Z",
            "the second has begun before"
        );
        assert_eq!(since("2026-01-31", NOW).unwrap().to_string(), "2026-01-31T00:00:00Z");
    }

    /// RFC-0003:C-FILTERS
    #[test]
    fn anything_else_is_e031() {
        for value in [
            "",
            " ",
            "yesterday",
            "7",
            "d",
            "-7d",
            "+7d",
            "7 d",
            "7y",
            "1.5d",
            "2026-13-01",
            "2026-02-30",
            "2026-1-1",
            "2026-01-31T12:00:00",
            "2026-01-31T25:00:00Z",
            "2026-01-31T12:00:00+99:00",
            "99999999999999999999d",
            "9999999999w",
            "9999-12-31",
            "2026-01-31x",
            "２０２６-01-31",
            "7ｄ",
        ] {
            assert_eq!(since(value, NOW).unwrap_err().code(), "E031", "{value}");
        }
    }

    /// RFC-0003:C-FILTERS
    #[test]
    fn a_folder_is_below_itself_and_not_below_one_whose_name_it_begins_with() {
        assert!(is_below("/a/b", "/a/b") && is_below("/a/b/c", "/a/b") && is_below("/a", "/"));
        assert!(!is_below("/a/bc", "/a/b") && !is_below("/a", "/a/b"));
    }

    /// RFC-0003:C-FILTERS
    #[test]
    fn the_first_and_the_last_second_count() {
        let time = |s: i64| Timestamp::of(s * NS_PER_S);
        let filter = UsageFilter { since: Some(time(5)), until: Some(time(7)), ..UsageFilter::default() };
        assert_eq!([4, 5, 7, 8].map(|s| filter.contains(time(s))), [false, true, true, false]);
        assert!(UsageFilter::default().contains(time(0)));
    }

    /// RFC-0003:C-FILTERS
    #[test]
    fn an_access_concerns_a_skill_by_path_or_name_and_one_of_the_projects() {
        let event = AccessEvent {
            skill: "a".into(),
            skill_path: "/s/a".into(),
            cwd: "/p/sub".into(),
            ..AccessEvent::default()
        };
        let concerns = |skill: SkillFilter, projects: &[&str]| {
            let projects = projects.iter().map(|project| (*project).to_owned()).collect();
            UsageFilter { skill, projects, ..UsageFilter::default() }.concerns(&event)
        };
        let (path, name) =
            (|path: &str| SkillFilter::Path(path.into()), |name: &str| SkillFilter::Name(name.into()));
        assert!(concerns(SkillFilter::Any, &[]) && concerns(path("/s/a"), &[]) && concerns(name("a"), &[]));
        assert!(!concerns(path("/s"), &[]) && !concerns(name("/s/a"), &[]));
        assert!(
            concerns(name("a"), &["/q", "/p"])
                && !concerns(name("a"), &["/q"])
                && !concerns(name("b"), &["/p"])
        );
    }
}
