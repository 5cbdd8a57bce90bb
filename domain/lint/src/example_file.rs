//! Files that show what a skill does, and the input of demonstrations.

use skillc_domain::path::RelPath;

/// Words in names of folders of examples.
const FOLDERS: &[&str] = &["example", "examples", "sample", "samples", "demo", "demos"];
/// Words in the names of files that a run of the skill produced, or that a demonstration starts from.
const SHOWN: &[&str] = &["expected", "demo", "output", "result", "results"];

/// Words in names of folders with the results of earlier runs, to compare later ones with.
const RESULT_FOLDERS: &[&str] = &[
    "baseline",
    "baselines",
    "expected",
    "fixture",
    "fixtures",
    "golden",
    "goldens",
    "snapshots",
    "testdata",
];

/// Whether a file is in a folder of examples: `examples/`, `demo-images/`.
pub fn is_in_examples(path: &RelPath) -> bool {
    path.folder().split('/').any(|folder| has_word(folder, FOLDERS))
}

/// Whether a file shows the output of a run of the skill: `examples/expected_report.md`, `baseline-outputs/first.md`.
pub fn is_shown_result(path: &RelPath) -> bool {
    is_in_examples(path) && has_word(path.name(), SHOWN)
        || is_dated_report(path.name())
        || path.folder().split('/').any(|folder| has_word(folder, RESULT_FOLDERS))
}

/// Whether a name is that of a report with its date: `validation-report-20260127.md`.
fn is_dated_report(name: &str) -> bool {
    let is_date = |word: &str| {
        word.len() == 8 && word.starts_with("20") && word.bytes().all(|byte| byte.is_ascii_digit())
    };
    has_word(name, &["report"]) && name.split(|c: char| !c.is_alphanumeric()).any(is_date)
}

fn has_word(name: &str, words: &[&str]) -> bool {
    let small = name.to_ascii_lowercase();
    small.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_told_by_a_word_of_a_folder() {
        for (path, is_example, is_result) in [
            ("examples/a.json", true, false),
            ("examples/champions/a.md", true, false),
            ("demo-images/a.jpg", true, false),
            ("examples/expected_report.md", true, true),
            ("assets/example-template.txt", false, false),
            ("democracy/a.md", false, false),
            ("expected.md", false, false),
            ("baseline-outputs/first.md", false, true),
            ("resources/summary.example.md", false, false),
            ("validation-report-20260127-095021.md", false, true),
            ("report-2026.md", false, false),
        ] {
            let path = RelPath::parse(path).unwrap();
            assert_eq!((is_in_examples(&path), is_shown_result(&path)), (is_example, is_result), "{path}");
        }
    }
}
