//! Evidence for the security rules: how certain a finding is, judged by its text and context.
//!
//! A phrase or a command is not an attack by itself. What counts is who reads it and what would happen: a skill that
//! teaches, a test, a template, a table of patterns or a bundled library contains the same words without addressing
//! an agent. A rule reports what it sees; its row in the table says when that is more than a hint, and what could
//! happen then.

mod commands;
mod finding_context;

mod table;
mod teaching;
mod wordings;

use crate::confidence::Confidence;
use crate::finding::Finding;
use crate::installed::package_folder;
use crate::project_root::{is_project_root, led_to};
use crate::rule::Severity;
use crate::view::SkillView;
use finding_context::FindingContext;
use skillc_domain::path::RelPath;
use std::cell::LazyCell;
use std::collections::HashSet;
pub use table::{EVIDENCE, RuleEvidence};

/// Rules about orders to the agent.
const ORDERS: [&str; 4] = ["SKL505", "SKL506", "SKL507", "SKL542"];

/// The rule that reports folders of installed packages.
const INSTALLED_FILES: &str = "SKL408";

/// The evidence of a security rule; `None` for any other rule.
pub fn of(rule: &str) -> Option<&'static RuleEvidence> {
    EVIDENCE.iter().find(|evidence| evidence.rule == rule)
}

/// The risk that a security rule reports, in one line; `None` for any other rule.
pub fn risk(rule: &str) -> Option<&'static str> {
    of(rule).map(|evidence| evidence.risk)
}

/// Lowers the confidence of security findings according to their surroundings, and that of all findings in installed
/// packages, which SKL408 reports as a whole. An error that is not certain becomes a warning, unless a setting
/// specifies the rule's severity.
pub fn weigh(view: &SkillView<'_>, findings: &mut [Finding]) {
    let is_teaching = LazyCell::new(|| teaching::is_about_security(view));
    let unled = LazyCell::new(|| unled_files(view));
    for finding in findings {
        if finding.rule.id != INSTALLED_FILES && package_folder(&finding.path).is_some() {
            lower(finding, Confidence::Low, view);
            continue;
        }
        let Some(evidence) = of(finding.rule.id) else { continue };
        let Some(file) = view.file(&finding.path) else { continue };
        if unled.contains(&file.path) {
            lower(finding, Confidence::Low, view);
            continue;
        }
        let surroundings = FindingContext::new(file, finding.span(), &finding.message);
        // An order in the instructions themselves counts whatever the skill is about. So does a program that cannot
        // be read before it runs: a lesson would show what it decodes to.
        let is_order =
            ORDERS.contains(&evidence.rule) && file.is_skill_md() || surroundings.is_hidden_program();
        let limit = match evidence.is_fact {
            true => Confidence::High,
            false => limit(&surroundings, !is_order && *is_teaching),
        };
        let confidence = (evidence.judge)(&surroundings).min(limit);
        lower(finding, confidence, view);
    }
}

/// The files of a project that its skill does not lead to, except those that run when the project is installed or its
/// package is named.
fn unled_files<'a>(view: &SkillView<'a>) -> HashSet<&'a RelPath> {
    if !is_project_root(view.context) {
        return HashSet::new();
    }
    let led = led_to(view, |_| true);
    let paths = view.files.iter().map(|file| &file.path);
    paths.filter(|path| !led.contains(path) && !RUN_BY_NAME.contains(&path.name())).collect()
}

/// Files that run when a package is installed or named.
const RUN_BY_NAME: [&str; 6] =
    ["__init__.py", "__main__.py", "build.rs", "package.json", "pyproject.toml", "setup.py"];

fn lower(finding: &mut Finding, confidence: Confidence, view: &SkillView<'_>) {
    finding.issue.at_most(confidence);
    let setting = view.context.settings.rules.get(finding.rule.id);
    let is_set = setting.is_some_and(|setting| setting.severity.is_some());
    if finding.confidence < Confidence::High && !is_set {
        finding.severity = Severity::Warning;
    }
}

/// The highest confidence for any finding in a file. Bundled files, tests and lists of search terms address nobody,
/// and a skill that teaches security shows what attackers write.
fn limit(surroundings: &FindingContext<'_>, is_teaching: bool) -> Confidence {
    if surroundings.is_bundled() || surroundings.is_test() || surroundings.is_searched_for() {
        Confidence::Low
    } else if surroundings.is_sample() || surroundings.names_a_stand_in() || is_teaching {
        Confidence::Medium
    } else {
        Confidence::High
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::security::rules::RULES;

    /// RFC-0008:C-SECURITY
    #[test]
    fn every_security_rule_has_its_evidence_in_one_line() {
        let rules: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
        let rows: Vec<&str> = EVIDENCE.iter().map(|evidence| evidence.rule).collect();
        assert_eq!(rules, rows);
        for evidence in EVIDENCE {
            assert!(evidence.risk.len() <= 100 && !evidence.risk.ends_with('.'), "{}", evidence.risk);
            assert!(evidence.certain.ends_with('.'), "{}", evidence.certain);
        }
    }
}
