//! Files that a skill copies or tests with, rather than reads as instructions.

use skillc_domain::path::RelPath;

/// Parts of names of folders and files with samples, in lower case.
const SAMPLES: &[&str] = &["template", "fixture", "examplesite", "testdata", "__snapshots__"];

/// Whether a file is a sample, judged by its path: a template, a fixture, or part of a theme.
pub fn is_sample_file(path: &RelPath) -> bool {
    let path = path.as_str().to_ascii_lowercase();
    SAMPLES.iter().any(|sample| path.contains(sample))
}
