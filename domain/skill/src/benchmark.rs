//! Statistics over the runs of an evaluation (RFC-0016:C-REPORT). A value that was not recorded is unknown, never
//! zero.

use std::collections::BTreeSet;

/// The configurations of a run: with the skill, then the ones it is compared with.
pub const CONFIGURATIONS: [&str; 3] = ["with_skill", "without_skill", "old_skill"];

/// Mean, standard deviation, minimum and maximum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueSummary {
    /// Arithmetic mean.
    pub mean: f64,
    /// Sample standard deviation (divided by n − 1); `None` for a single value.
    pub stddev: Option<f64>,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
}

impl ValueSummary {
    /// Summarizes the values that are known; `None` if there are none.
    pub fn of(values: impl IntoIterator<Item = Option<f64>>) -> Option<Self> {
        let known: Vec<f64> = values.into_iter().flatten().collect();
        let count = f64::from(u32::try_from(known.len()).ok().filter(|count| *count > 0)?);
        let mean = known.iter().sum::<f64>() / count;
        let squares: f64 = known.iter().map(|value| (value - mean).powi(2)).sum();
        let stddev = (known.len() > 1).then(|| (squares / (count - 1.0)).sqrt());
        let min = known.iter().copied().fold(f64::INFINITY, f64::min);
        let max = known.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Some(Self { mean, stddev, min, max })
    }
}

/// The position of a run in a workspace, parsed from the path of its grading or timing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunPlace<'a> {
    /// The iteration's number, if the workspace has iterations.
    pub iteration: Option<u64>,
    /// The folder of its case, such as `eval-1`.
    pub case: &'a str,
    /// The path of that folder.
    pub case_path: &'a str,
    /// One of `CONFIGURATIONS`.
    pub configuration: &'static str,
    /// The run's number, if its folder has one.
    pub number: Option<u64>,
    /// Path of the folder that holds the run's files.
    pub folder: &'a str,
}

impl<'a> RunPlace<'a> {
    /// Parses `[…/iteration-N/]eval-x/<configuration>/[run-K/]grading.json` or `timing.json`; `None` for any other
    /// path.
    pub fn parse(path: &'a str) -> Option<Self> {
        let folder = path.strip_suffix("/grading.json").or_else(|| path.strip_suffix("/timing.json"))?;
        let (of_configuration, number) = match folder.rsplit_once('/') {
            Some((above, name)) if name.starts_with("run-") => {
                (above, Some(name["run-".len()..].parse().ok()?))
            }
            _ => (folder, None),
        };
        let (case_path, configuration) = of_configuration.rsplit_once('/')?;
        let configuration = CONFIGURATIONS.into_iter().find(|known| *known == configuration)?;
        let (above, case) = case_path.rsplit_once('/').unwrap_or(("", case_path));
        let number_of = |name: &str| name.strip_prefix("iteration-")?.parse().ok();
        let iteration = above.split('/').rev().find_map(number_of);
        Some(Self { iteration, case, case_path, configuration, number, folder })
    }
}

/// The runs of the latest iteration, by path and without duplicates. If a case has numbered runs, files beside them
/// are ignored.
pub fn last_runs<'a>(paths: impl IntoIterator<Item = &'a str>) -> Vec<RunPlace<'a>> {
    let mut places: Vec<RunPlace<'a>> = paths.into_iter().filter_map(RunPlace::parse).collect();
    let last = places.iter().filter_map(|place| place.iteration).max();
    places.retain(|place| place.iteration == last);
    places.sort_by_key(|place| (place.case_path, place.configuration, place.number));
    places.dedup_by_key(|place| place.folder);
    let numbered: BTreeSet<(&str, &str)> = places
        .iter()
        .filter(|place| place.number.is_some())
        .map(|place| (place.case_path, place.configuration))
        .collect();
    let is_run = |place: &RunPlace<'_>| {
        place.number.is_some() || !numbered.contains(&(place.case_path, place.configuration))
    };
    places.retain(is_run);
    places
}

/// The difference `with - without` with an explicit sign.
pub fn delta(with: Option<f64>, without: Option<f64>, decimals: usize) -> Option<String> {
    let text = format!("{:+.decimals$}", with? - without?);
    // A zero difference has no sign, even if it was rounded from a small negative number.
    let is_zero = text.bytes().all(|byte| !byte.is_ascii_digit() || byte == b'0');
    Some(if is_zero { text.replacen(['-'], "+", 1) } else { text })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0016:C-REPORT
    #[test]
    fn the_deviation_is_that_of_a_sample_and_unknown_values_do_not_count() {
        let summary = ValueSummary::of([Some(1.0), None, Some(2.0), Some(3.0)]).unwrap();
        assert_eq!(summary, ValueSummary { mean: 2.0, stddev: Some(1.0), min: 1.0, max: 3.0 });
        assert_eq!(ValueSummary::of([Some(0.5)]).unwrap().stddev, None);
        assert_eq!(ValueSummary::of([None, None]), None);
    }

    /// RFC-0016:C-REPORT
    #[test]
    fn each_layout_of_the_specification_is_recognized() {
        let place =
            |path| RunPlace::parse(path).map(|at| (at.iteration, at.case, at.configuration, at.number));
        assert_eq!(
            place("iteration-2/eval-a/with_skill/run-3/grading.json"),
            Some((Some(2), "eval-a", "with_skill", Some(3)))
        );
        assert_eq!(place("eval-a/without_skill/grading.json"), Some((None, "eval-a", "without_skill", None)));
        assert_eq!(
            place("runs/eval-1/old_skill/run-1/grading.json"),
            Some((None, "eval-1", "old_skill", Some(1)))
        );
        for other in [
            "grading.json",
            "with_skill/grading.json",
            "eval-a/other/grading.json",
            "eval-a/with_skill/x.json",
            "eval-a/with_skill/run-x/grading.json",
        ] {
            assert_eq!(place(other), None, "{other}");
        }
    }

    /// RFC-0016:C-REPORT
    #[test]
    fn each_run_of_the_last_iteration_counts_once() {
        let paths = [
            "iteration-2/eval-a/with_skill/grading.json",
            "iteration-10/eval-a/with_skill/grading.json",
            "iteration-10/eval-a/with_skill/run-1/grading.json",
            "iteration-10/eval-a/with_skill/run-1/timing.json",
            "iteration-10/eval-b/with_skill/grading.json",
            "iteration-10/eval-b/with_skill/timing.json",
            "eval-a/with_skill/grading.json",
        ];
        let folders: Vec<&str> = last_runs(paths).iter().map(|place| place.folder).collect();
        assert_eq!(folders, ["iteration-10/eval-a/with_skill/run-1", "iteration-10/eval-b/with_skill"]);
    }

    /// RFC-0016:C-REPORT
    #[test]
    fn a_difference_is_with_minus_without_or_unknown() {
        assert_eq!(delta(Some(0.9), Some(0.4), 2).as_deref(), Some("+0.50"));
        assert_eq!(delta(Some(10.0), Some(13.0), 1).as_deref(), Some("-3.0"));
        assert_eq!(delta(Some(0.5), Some(0.501), 2).as_deref(), Some("+0.00"));
        assert_eq!(delta(Some(10.0), None, 0), None);
    }

    /// RFC-0016:C-REPORT
    #[test]
    fn the_deviation_grows_with_the_squares_of_distances() {
        let summary = ValueSummary::of([Some(2.0), Some(8.0)]).unwrap();
        assert!((summary.mean - 5.0).abs() < 1e-12);
        assert!((summary.stddev.unwrap() - 18.0_f64.sqrt()).abs() < 1e-12);
    }

    /// RFC-0016:C-REPORT
    #[test]
    fn a_run_knows_its_case_and_its_folder_and_the_innermost_iteration() {
        let path = "w/iteration-1/iteration-3/eval-a/old_skill/run-2/timing.json";
        let place = RunPlace::parse(path).unwrap();
        assert_eq!((place.iteration, place.case_path), (Some(3), "w/iteration-1/iteration-3/eval-a"));
        assert_eq!(place.folder, "w/iteration-1/iteration-3/eval-a/old_skill/run-2");
    }
}
