//! Matches of a rule's patterns that the text does not warn against.

use crate::report::{Issue, Report};
use crate::rule::Rule;
use crate::security::docstrings;
use crate::security::warning_context;
use crate::security::{code_context, context_window};
use crate::view::{LintFile, PatternHit};
use skillc_domain::path::RelPath;
use std::cell::OnceCell;
use std::ops::Range;

/// Maximum number of a rule's matches in one file that are examined. A file with more can be judged by these.
const HITS_MAX: usize = 200;

/// The matches of a rule that the surrounding text does not warn against; matches of several patterns may overlap.
pub fn unwarned<'a>(file: &'a LintFile, rule: &'static Rule) -> impl Iterator<Item = &'a PatternHit> {
    file.hits_of(rule.id).take(HITS_MAX).filter(|hit| !warning_context::is_warned_against(file, &hit.span))
}

/// The unwarned matches that are not in a script's comment or docstring.
pub fn executable<'a>(file: &'a LintFile, rule: &'static Rule) -> impl Iterator<Item = &'a PatternHit> {
    let docstrings: OnceCell<Vec<Range<usize>>> = OnceCell::new();
    let is_in_docstring = move |hit: &&PatternHit| {
        is_python(&file.path) && {
            let ranges = docstrings.get_or_init(|| docstrings::of(file.text.as_deref().unwrap_or_default()));
            let after = ranges.partition_point(|range| range.start <= hit.span.start);
            ranges[..after].last().is_some_and(|range| hit.span.start < range.end)
        }
    };
    unwarned(file, rule)
        .filter(|hit| file.markup.is_some() || !code_context::is_comment(file, hit.span.start))
        .filter(|hit| !is_in_raw_string(file, hit.span.start))
        .filter(move |hit| !is_in_docstring(hit))
}

fn is_python(path: &RelPath) -> bool {
    path.extension().is_some_and(|extension| ["py", "pyw"].contains(&extension))
}

/// Whether a place is in a raw string that a table of patterns or a regular expression begins with: `(r'rm -rf', 'rm')`.
fn is_in_raw_string(file: &LintFile, at: usize) -> bool {
    let Some(text) = file.text.as_deref() else { return false };
    let before = &text[context_window::line(text, at).start..at];
    ['\'', '"'].into_iter().any(|quote| {
        let Some(start) = before.rfind(&format!("r{quote}")) else { return false };
        let (outside, inside) = (before[..start].trim(), &before[start + 2..]);
        let is_pattern = outside == "(" || REGEX_CALLS.iter().any(|call| outside.ends_with(call));
        is_pattern && !inside.contains(quote)
    })
}

/// Calls of Python whose first argument is a regular expression.
const REGEX_CALLS: &[&str] = &["re.compile(", "re.search(", "re.match(", "re.findall(", "re.sub("];

/// Reports one finding for all places in a file, at the first one, with the number of the others.
pub fn once<'r>(
    report: &'r mut Report<'_>,
    mut places: impl Iterator<Item = Range<usize>>,
    message: impl FnOnce(&Range<usize>) -> String,
) -> Option<&'r mut Issue> {
    let first = places.next()?;
    let more = match places.count() {
        0 => String::new(),
        1 => " (and in 1 more place of this file)".to_owned(),
        more => format!(" (and in {more} more places of this file)"),
    };
    let message = message(&first) + &more;
    Some(report.at(first, message))
}
