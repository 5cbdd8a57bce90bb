//! Broken links in files that no agent is sent to, or that were copied from a site.

use crate::finding::Finding;
use crate::project_root::{is_project_root, led_to};
use crate::reachability::reached;
use crate::rule::{Severity, Tier};
use crate::rules::skl401_no_orphans::{ORPHANED_FOLDER, is_apart, is_of_plugin};
use crate::scraped::in_scraped;
use crate::security::evidence;
use crate::view::SkillView;
use skillc_domain::path::RelPath;
use std::collections::BTreeSet;

/// The rules about links and paths that break.
const RULES: [&str; 3] = ["SKL301", "SKL303", "SKL406"];
/// The rules about what an agent misreads, which matter only in files that it reads.
const ABOUT_TEXT: [&str; 3] = ["SKL210", "SKL214", "SKL302"];
/// The rule about files that nothing leads to.
const ORPHAN: &str = "SKL401";
/// Folders with third-party files.
const VENDORED: [&str; 5] = ["vendor", "vendored", "third_party", "third-party", "submodules"];

/// Whether a file is for people who browse the skill: a README, a changelog, a test, a third-party file.
pub fn is_for_people(path: &RelPath) -> bool {
    let is_vendored = || path.folder().split('/').any(|folder| VENDORED.contains(&folder));
    path.as_str() != "SKILL.md"
        && !is_of_plugin(path)
        && (is_apart(path) || is_vendored() || is_of_tests(path))
}

/// Whether a file is in a folder of tests of the skill.
fn is_of_tests(path: &RelPath) -> bool {
    ["tests/", "test/"].iter().any(|folder| path.as_str().starts_with(folder))
}

/// Lowers broken links to a warning of the tier *style* in files that agents are not sent to, unless a setting
/// specifies the rule's severity. Those are files for people without a link to them, and files that nothing leads to.
pub fn weigh_for_people(view: &SkillView<'_>, findings: &mut [Finding]) {
    lower_unled(view, findings);
    in_scraped(view, findings).for_each(|finding| lower(view, finding));
    let is_about = |finding: &Finding| [RULES, ABOUT_TEXT].concat().contains(&finding.rule.id);
    if !findings.iter().any(is_about) {
        return;
    }
    let orphans = Orphans::of(findings);
    let is_concerned = |finding: &&mut Finding| {
        let is_for_people = RULES.contains(&finding.rule.id) && is_for_people(&finding.path);
        is_for_people || is_about(finding) && (is_of_tests(&finding.path) || orphans.contain(&finding.path))
    };
    let mut concerned = findings.iter_mut().filter(is_concerned).peekable();
    if concerned.peek().is_none() {
        return;
    }
    let reached = reached(view);
    concerned.filter(|finding| !reached.contains(&finding.path)).for_each(|finding| lower(view, finding));
}

/// Lowers findings in files of a project that its skill does not lead to, except those about security.
fn lower_unled(view: &SkillView<'_>, findings: &mut [Finding]) {
    let is_elsewhere = |finding: &&mut Finding| {
        finding.path.as_str() != "SKILL.md" && evidence::of(finding.rule.id).is_none()
    };
    let mut concerned = findings.iter_mut().filter(is_elsewhere).peekable();
    if concerned.peek().is_none() || !is_project_root(view.context) {
        return;
    }
    let is_followed = |path: &RelPath| !FOR_VISITORS.contains(&path.as_str());
    let led = led_to(view, is_followed);
    let is_led = |path: &RelPath| is_followed(path) && led.contains(path);
    concerned.filter(|finding| !is_led(&finding.path)).for_each(|finding| lower(view, finding));
}

/// Files for who visits a project, whose links lead to what its repository has.
const FOR_VISITORS: [&str; 4] = ["CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"];

fn lower(view: &SkillView<'_>, finding: &mut Finding) {
    finding.issue.tier(Tier::Style);
    if RULES.contains(&finding.rule.id) && !finding.rule.is_severity_set(&view.context.settings) {
        finding.severity = Severity::Warning;
    }
}

/// The files that nothing leads to.
struct Orphans {
    files: BTreeSet<RelPath>,
    /// Folders of which only the first file is reported.
    folders: BTreeSet<String>,
}

impl Orphans {
    fn of(findings: &[Finding]) -> Self {
        let found: Vec<&Finding> = findings.iter().filter(|finding| finding.rule.id == ORPHAN).collect();
        let of_folders = found.iter().filter(|finding| finding.issue.message.contains(ORPHANED_FOLDER));
        Self {
            folders: of_folders.map(|finding| finding.path.folder().to_owned()).collect(),
            files: found.iter().map(|finding| finding.path.clone()).collect(),
        }
    }

    fn contain(&self, path: &RelPath) -> bool {
        self.files.contains(path) || self.folders.contains(path.folder())
    }
}
