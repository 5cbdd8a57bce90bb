//! Findings: a reported issue with its rule and its severity.

use crate::report::{Issue, Report};
use crate::rule::{Rule, Severity, Tier};
use skillc_domain::path::RelPath;
use std::ops::{Deref, Range};

/// Characters at the start of a secret that excerpts show, so that its owner recognizes it.
pub const SECRET_CHARS_SHOWN: usize = 4;

/// An issue, the rule that reported it, and the severity that the settings give it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule that reported the issue.
    pub rule: &'static Rule,
    /// The severity; never `Off`.
    pub severity: Severity,
    /// Where the problem is, and what to say about it.
    pub issue: Issue,
}

impl Finding {
    /// Runs `check` on the file at `path`, and returns what it reports as findings of one rule.
    pub fn collect(
        rule: &'static Rule,
        severity: Severity,
        path: &RelPath,
        check: impl FnOnce(&mut Report<'_>),
    ) -> Vec<Self> {
        let mut report = Report::new(path);
        check(&mut report);
        report.into_issues().into_iter().map(|issue| Self { rule, severity, issue }).collect()
    }
}

impl Finding {
    /// The cost of what was found.
    pub fn tier(&self) -> Tier {
        self.issue.tier.unwrap_or(self.rule.tier)
    }
}

impl Deref for Finding {
    type Target = Issue;

    fn deref(&self) -> &Issue {
        &self.issue
    }
}

/// Sorts by skill, file, position, rule and message: the order of every output.
pub fn sort(findings: &mut [Finding]) {
    findings.sort_by(|a, b| key(a).cmp(&key(b)));
}

fn key(finding: &Finding) -> (usize, &RelPath, usize, usize, &str, &str) {
    let Range { start, end } = finding.span();
    (finding.skill, &finding.path, start, end, finding.rule.id, &finding.message)
}
