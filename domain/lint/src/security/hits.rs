//! Matches of a rule's patterns that the text does not warn against.

use crate::report::{Issue, Report};
use crate::rule::Rule;
use crate::security::code_context;
use crate::security::warning_context;
use crate::view::{LintFile, PatternHit};
use std::ops::Range;

/// Maximum number of a rule's matches in one file that are examined. A file with more can be judged by these.
const HITS_MAX: usize = 200;

/// The matches of a rule that the surrounding text does not warn against; matches of several patterns may overlap.
pub fn unwarned<'a>(file: &'a LintFile, rule: &'static Rule) -> impl Iterator<Item = &'a PatternHit> {
    file.hits_of(rule.id).take(HITS_MAX).filter(|hit| !warning_context::is_warned_against(file, &hit.span))
}

/// The unwarned matches that are not in a script's comment.
pub fn executable<'a>(file: &'a LintFile, rule: &'static Rule) -> impl Iterator<Item = &'a PatternHit> {
    unwarned(file, rule)
        .filter(|hit| file.markup.is_some() || !code_context::is_comment(file, hit.span.start))
}

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
