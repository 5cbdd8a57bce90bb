//! Files that a skill copies or tests with, and does not read as instructions.

use skillc_domain::path::RelPath;

/// Parts of the names of folders and files of samples, in small letters.
const SAMPLES: &[&str] = &["template", "fixture", "examplesite", "testdata", "__snapshots__"];

/// Whether a file is a sample by its path: a template, a fixture, a site of a theme.
pub fn is_sample_file(path: &RelPath) -> bool {
    let path = path.as_str().to_ascii_lowercase();
    SAMPLES.iter().any(|sample| path.contains(sample))
}
