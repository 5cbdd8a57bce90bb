//! The option `--pattern` of listing verbs.

use glob::Pattern;
use skillc_domain::fault::Fault;

/// Parses a glob pattern.
///
/// # Errors
/// E100.
pub fn parse_pattern(pattern: &str) -> Result<Pattern, Fault> {
    Pattern::new(pattern).map_err(|error| {
        Fault::invalid_argument("pattern", format!("'{pattern}' is not a glob pattern: {}", error.msg))
    })
}
