//! The issues that a rule reports, and their positions.

use crate::confidence::Confidence;
use crate::fix::Fix;
use crate::tier::Tier;
use skillc_domain::path::RelPath;
use std::ops::Range;

/// The part of a file that an issue is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IssueLocation {
    /// A byte range of the file's text.
    Span(Range<usize>),
    /// The whole file, shown at a byte range. A directive anywhere in the file silences it.
    Whole(Range<usize>),
    /// A missing or non-text file. No part of it can be shown.
    File,
}

/// Something that a rule reports, before its severity is known.
#[derive(Clone, Debug)]
pub struct Issue {
    /// Index of the skill in a [`crate::StoreView`]; 0 for a single skill.
    pub skill: usize,
    /// Relative to the skill.
    pub path: RelPath,
    /// The position in the file.
    pub location: IssueLocation,
    /// One fact, in lower case, without a full stop; offending values are quoted.
    pub message: String,
    /// An edit that the author can make now, unless the message implies it.
    pub hint: Option<String>,
    /// An edit that resolves the issue.
    pub fix: Option<Fix>,
    /// The cost of this violation, if it differs from the rule's.
    pub tier: Option<Tier>,
    /// The confidence in the message.
    pub confidence: Confidence,
    /// Whether the bytes are masked in every excerpt, including those of other findings.
    pub is_secret: bool,
}

impl Issue {
    /// The byte range at which the issue is shown; `0..0` if there is nothing to show.
    pub fn span(&self) -> Range<usize> {
        match &self.location {
            IssueLocation::Span(span) | IssueLocation::Whole(span) => span.clone(),
            IssueLocation::File => 0..0,
        }
    }

    /// Sets the suggested edit.
    pub fn hint(&mut self, hint: impl Into<String>) -> &mut Self {
        self.hint = Some(hint.into());
        self
    }

    /// Sets the cost of this violation, if it differs from the rule's.
    pub fn tier(&mut self, tier: Tier) -> &mut Self {
        self.tier = Some(tier);
        self
    }

    /// Sets the confidence, unless it is lower already.
    pub fn at_most(&mut self, confidence: Confidence) -> &mut Self {
        self.confidence = self.confidence.min(confidence);
        self
    }

    /// Masks the bytes of the issue, except for the first few characters.
    pub fn secret(&mut self) -> &mut Self {
        self.is_secret = true;
        self
    }

    /// Sets the edit that `--fix` makes.
    pub fn fix(&mut self, fix: Fix) -> &mut Self {
        self.fix = Some(fix);
        self
    }
}

/// Collects the issues that one rule reports.
pub struct Report<'a> {
    path: &'a RelPath,
    issues: Vec<Issue>,
}

impl<'a> Report<'a> {
    /// An empty report for the file at `path`. For rules about a skill or a store, that is `SKILL.md`.
    pub fn new(path: &'a RelPath) -> Self {
        Self { path, issues: Vec::new() }
    }

    /// The issues in the order in which they were reported.
    pub fn into_issues(self) -> Vec<Issue> {
        self.issues
    }

    /// Reports an issue at a byte range.
    pub fn at(&mut self, span: Range<usize>, message: impl Into<String>) -> &mut Issue {
        self.add(0, self.path.clone(), IssueLocation::Span(span), message.into())
    }

    /// Reports an issue of the whole file, shown at a byte range.
    pub fn whole(&mut self, span: Range<usize>, message: impl Into<String>) -> &mut Issue {
        self.add(0, self.path.clone(), IssueLocation::Whole(span), message.into())
    }

    /// Reports an issue of the file without an excerpt.
    pub fn file(&mut self, message: impl Into<String>) -> &mut Issue {
        self.add(0, self.path.clone(), IssueLocation::File, message.into())
    }

    /// Reports an issue in another file of the skill.
    pub fn elsewhere(
        &mut self,
        path: &RelPath,
        location: IssueLocation,
        message: impl Into<String>,
    ) -> &mut Issue {
        self.add(0, path.clone(), location, message.into())
    }

    /// Reports an issue in the `SKILL.md` of one skill of a store.
    pub fn in_skill(&mut self, skill: usize, span: Range<usize>, message: impl Into<String>) -> &mut Issue {
        self.add(skill, self.path.clone(), IssueLocation::Span(span), message.into())
    }

    fn add(&mut self, skill: usize, path: RelPath, location: IssueLocation, message: String) -> &mut Issue {
        let confidence = Confidence::High;
        self.issues.push(Issue {
            skill,
            path,
            location,
            message,
            hint: None,
            fix: None,
            tier: None,
            confidence,
            is_secret: false,
        });
        let last = self.issues.len() - 1;
        &mut self.issues[last]
    }
}
