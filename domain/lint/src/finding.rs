//! What a rule found, and where.

use super::fix::Fix;
use super::rule::{Rule, Severity};
use skillc_domain::path::RelPath;
use std::ops::Range;

/// The part of a file that a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Bytes of the file's text.
    Span(Range<usize>),
    /// The file as a whole, shown at the start of a byte range; a directive anywhere in the file silences it.
    Whole(Range<usize>),
    /// A file that is no text, or a file that is missing: there is nothing to show.
    File,
}

/// Characters of a secret that are shown, so that its owner knows which it is.
pub const SECRET_CHARS_SHOWN: usize = 4;

/// Something that a rule found.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// As settings have it; never `Off`.
    pub severity: Severity,
    /// Position of the skill in a store's view; 0 for one skill.
    pub skill: usize,
    /// The file, relative to the skill.
    pub path: RelPath,
    /// Where in it.
    pub place: Place,
    /// The fact, lower case, no full stop, offending values in quotes.
    pub message: String,
    /// An edit that the author can make now, where the message does not say it.
    pub hint: Option<String>,
    /// What would mend it.
    pub fix: Option<Fix>,
    /// Whether its bytes are never shown, by any finding.
    pub is_secret: bool,
}

impl Finding {
    /// Bytes of the file that it is shown at; empty at the start for a file of which nothing is shown.
    pub fn span(&self) -> Range<usize> {
        match &self.place {
            Place::Span(span) | Place::Whole(span) => span.clone(),
            Place::File => 0..0,
        }
    }

    /// Adds a hint.
    pub fn hint(&mut self, hint: impl Into<String>) -> &mut Self {
        self.hint = Some(hint.into());
        self
    }

    /// Keeps its bytes from being shown, but for the first [`SECRET_CHARS_SHOWN`] characters.
    pub fn secret(&mut self) -> &mut Self {
        self.is_secret = true;
        self
    }

    /// Adds a fix.
    pub fn fix(&mut self, fix: Fix) -> &mut Self {
        self.fix = Some(fix);
        self
    }
}

/// Takes what one rule finds.
pub struct Report<'a> {
    rule: &'static Rule,
    severity: Severity,
    path: &'a RelPath,
    found: &'a mut Vec<Finding>,
}

impl<'a> Report<'a> {
    /// A report of one rule about one file; about a skill or a store, `SKILL.md`.
    pub fn new(
        rule: &'static Rule,
        severity: Severity,
        path: &'a RelPath,
        found: &'a mut Vec<Finding>,
    ) -> Self {
        Self { rule, severity, path, found }
    }

    /// Something at a range of bytes of the file.
    pub fn at(&mut self, span: Range<usize>, message: impl Into<String>) -> &mut Finding {
        self.add(0, self.path.clone(), Place::Span(span), message.into())
    }

    /// Something about the file as a whole, shown at a range of bytes.
    pub fn whole(&mut self, span: Range<usize>, message: impl Into<String>) -> &mut Finding {
        self.add(0, self.path.clone(), Place::Whole(span), message.into())
    }

    /// Something about a file of which nothing is to be shown.
    pub fn file(&mut self, message: impl Into<String>) -> &mut Finding {
        self.add(0, self.path.clone(), Place::File, message.into())
    }

    /// Something in another file of the skill.
    pub fn elsewhere(&mut self, path: &RelPath, place: Place, message: impl Into<String>) -> &mut Finding {
        self.add(0, path.clone(), place, message.into())
    }

    /// Something in the `SKILL.md` of one skill of a store.
    pub fn in_skill(&mut self, skill: usize, span: Range<usize>, message: impl Into<String>) -> &mut Finding {
        self.add(skill, self.path.clone(), Place::Span(span), message.into())
    }

    fn add(&mut self, skill: usize, path: RelPath, place: Place, message: String) -> &mut Finding {
        let (rule, severity) = (self.rule, self.severity);
        self.found.push(Finding {
            rule,
            severity,
            skill,
            path,
            place,
            message,
            hint: None,
            fix: None,
            is_secret: false,
        });
        let last = self.found.len() - 1;
        &mut self.found[last]
    }
}

/// The order in which findings are told: by skill, file, place, rule, message.
pub fn sort(findings: &mut [Finding]) {
    findings.sort_by(|a, b| key(a).cmp(&key(b)));
}

fn key(finding: &Finding) -> (usize, &RelPath, usize, usize, &str, &str) {
    let Range { start, end } = finding.span();
    (finding.skill, &finding.path, start, end, finding.rule.id, &finding.message)
}
