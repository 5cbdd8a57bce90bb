//! The issues that one rule reports, and where they are.

use crate::confidence::Confidence;
use crate::fix::Fix;
use crate::tier::Tier;
use skillc_domain::path::RelPath;
use std::ops::Range;

/// The part of a file that an issue is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IssueLocation {
    /// Bytes of the file's text.
    Span(Range<usize>),
    /// The whole file, shown at a range of bytes; a directive anywhere in the file silences it.
    Whole(Range<usize>),
    /// A missing or non-text file, of which nothing can be shown.
    File,
}

/// What a rule reports, before it is known how severe that is.
#[derive(Clone, Debug)]
pub struct Issue {
    /// Index of the skill in a [`crate::StoreView`]; 0 for a single skill.
    pub skill: usize,
    /// Relative to the skill.
    pub path: RelPath,
    /// Where in the file.
    pub location: IssueLocation,
    /// One fact in lower case without a full stop; offending values are in quotes.
    pub message: String,
    /// An edit that the author can make now, unless the message implies it.
    pub hint: Option<String>,
    /// An edit that resolves the issue.
    pub fix: Option<Fix>,
    /// What it costs, where that is not what the rule says.
    pub tier: Option<Tier>,
    /// How likely it is to be what the message says.
    pub confidence: Confidence,
    /// The bytes are masked in every excerpt, also in those of other findings.
    pub is_secret: bool,
}

impl Issue {
    /// Bytes that the issue is shown at; `0..0` if there is nothing to show.
    pub fn span(&self) -> Range<usize> {
        match &self.location {
            IssueLocation::Span(span) | IssueLocation::Whole(span) => span.clone(),
            IssueLocation::File => 0..0,
        }
    }

    /// Sets the edit that the text of a finding suggests.
    pub fn hint(&mut self, hint: impl Into<String>) -> &mut Self {
        self.hint = Some(hint.into());
        self
    }

    /// Says what this violation costs, where that is not what the rule says.
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
    /// A report about the file at `path`; for rules about a skill or a store, that is `SKILL.md`.
    pub fn new(path: &'a RelPath) -> Self {
        Self { path, issues: Vec::new() }
    }

    /// The issues in the order in which they were reported.
    pub fn into_issues(self) -> Vec<Issue> {
        self.issues
    }

    /// Reports an issue at a range of bytes.
    pub fn at(&mut self, span: Range<usize>, message: impl Into<String>) -> &mut Issue {
        self.add(0, self.path.clone(), IssueLocation::Span(span), message.into())
    }

    /// Reports an issue of the whole file, shown at a range of bytes.
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
