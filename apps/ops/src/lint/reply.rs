//! The reply of `skc lint`.

use super::client_verdicts::{LintDrop, LintVerdict, drops, verdicts};
use super::selection::Selection;
use crate::lint::outcome::{ExitOn, Layout, LintOutcome};
use crate::lint::skill::Trust;
use schemars::JsonSchema;
use serde::Serialize;
use skillc_domain::places::SKILL_FILE;
use skillc_lint::confidence::Confidence;
use skillc_lint::fix::{Edit, Safety};
use skillc_lint::located::{Lines, Located};
use skillc_lint::rule::{Rule, Severity, Tier};
use skillc_lint::rules::skl001_skip_compiled;
use skillc_lint::security::evidence::risk;
use skillc_lint::verdict::Profile;
use std::path::{Path, PathBuf};

/// The fix of a finding.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LintFix {
    /// What the fix does.
    pub title: String,
    /// `safe` or `unsafe`.
    pub safety: &'static str,
    /// Byte ranges and their replacements.
    pub edits: Vec<LintEdit>,
}

/// An edit of a file.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LintEdit {
    /// First replaced byte.
    pub start: usize,
    /// Byte after the last replaced one.
    pub end: usize,
    /// The new text.
    pub text: String,
    /// The position of the bytes.
    #[serde(skip)]
    pub lines: Lines,
}

/// A finding.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LintDiagnostic {
    /// Name of the skill.
    pub skill: String,
    /// Id of the rule, such as `SKL102`.
    pub rule: &'static str,
    /// Name of the rule, such as `name-format`.
    pub name: &'static str,
    /// `E300` or `W300`.
    pub code: &'static str,
    /// `error` or `warning`.
    pub severity: &'static str,
    /// What it costs: `breaks`, `harms` or `style`.
    pub tier: &'static str,
    /// `high`, `medium` or `low`: how likely a finding of a security rule is to be right; `high` for all others.
    pub confidence: &'static str,
    /// What could happen, and to whom, for security rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk: Option<&'static str>,
    /// File, relative to the skill.
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// 1-based column, in characters.
    pub column: u32,
    /// Line of the end.
    pub end_line: u32,
    /// Column after the last character.
    pub end_column: u32,
    /// The message.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The fix.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<LintFix>,
    /// The source line, or the part around the finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<String>,
    /// The tier itself.
    #[serde(skip)]
    pub grade: Tier,
    /// The rule itself.
    #[serde(skip)]
    pub about: &'static Rule,
    /// Length of the excerpt before the marked part, and of the marked part, in characters.
    #[serde(skip)]
    pub marked: (usize, usize),
    /// Fingerprint that identifies the finding after lines have moved.
    #[serde(skip)]
    pub identity: String,
}

/// A linted skill.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LintedReply {
    /// Its name.
    pub skill: String,
    /// Its folder.
    pub path: PathBuf,
    /// Whether it was skipped, because it is compiled.
    pub is_skipped: bool,
    /// Findings that are errors.
    pub errors: usize,
    /// Findings that are warnings.
    pub warnings: usize,
    /// Findings that the baseline accepts.
    pub accepted: usize,
    /// One for each requested profile.
    pub verdicts: Vec<LintVerdict>,
    /// Clients that do not load it; with a client as profile, that one only.
    pub dropped_by: Vec<LintDrop>,
    /// Applied fixes as `file: title`; with --diff, those that would be.
    pub fixed: Vec<String>,
    /// What --fix would change, as a unified diff.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub diff: String,
    /// Whether requested fixes were not applied, because it is linked from elsewhere and was not named.
    #[serde(skip)]
    pub is_left_alone: bool,
    /// The findings; in JSON they are in one list for all skills.
    #[serde(skip)]
    pub diagnostics: Vec<LintDiagnostic>,
    /// The folder in reports: relative if it is below the working directory.
    #[serde(skip)]
    pub shown: String,
}

/// What was found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LintReply {
    /// Name of the skill, if only one was linted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill: Option<String>,
    /// All findings: by skill, file, place, rule.
    pub diagnostics: Vec<LintDiagnostic>,
    /// The linted skills.
    pub skills: Vec<LintedReply>,
    /// Findings that are errors.
    pub errors: usize,
    /// Findings that are warnings.
    pub warnings: usize,
    /// Whether to show the table of clients.
    #[serde(skip)]
    pub explains_load: bool,
    /// What makes the command exit with status 1.
    #[serde(skip)]
    pub exit_on: ExitOn,
    /// Which findings it contains, and how many of them are shown.
    #[serde(skip)]
    pub selection: Selection,
    /// What the text output shows.
    #[serde(skip)]
    pub layout: Layout,
    /// How the baseline changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Whether the safe fixes were made, and no others.
    #[serde(skip)]
    pub made_safe_fixes: bool,
}

/// Makes the part of the reply about one skill.
pub fn linted(
    done: LintOutcome,
    trust: Trust,
    has_store: bool,
    profiles: &[&'static Profile],
    cwd: &Path,
) -> LintedReply {
    let mut reply = LintedReply {
        skill: done.skill.name.clone(),
        shown: shown(&done.skill.path, cwd),
        path: done.skill.path,
        is_skipped: done.linted.is_none(),
        errors: 0,
        warnings: 0,
        accepted: 0,
        verdicts: Vec::new(),
        dropped_by: Vec::new(),
        fixed: done.fixed.iter().map(|(path, title)| format!("{path}: {title}")).collect(),
        diff: done.diff,
        is_left_alone: done.is_left_alone,
        diagnostics: Vec::new(),
    };
    if let Some(linted) = &done.linted {
        let name = reply.skill.clone();
        reply.diagnostics =
            linted.located(trust, has_store).iter().map(|found| diagnostic(&name, found)).collect();
        reply.verdicts = verdicts(linted, profiles);
        reply.dropped_by = drops(linted, profiles);
        if done.is_compiled {
            reply.warn_first(
                &skl001_skip_compiled::RULE,
                "linting compiled skill; results may not be meaningful",
            );
        }
    }
    reply
}

/// A folder in reports: relative if it is below the working directory.
pub fn shown(path: &Path, cwd: &Path) -> String {
    let below = path.strip_prefix(cwd).unwrap_or(path).to_string_lossy();
    match below.as_ref() {
        "" => ".".to_owned(),
        below if cfg!(windows) => below.replace('\\', "/"),
        below => below.to_owned(),
    }
}

/// A file in a folder returned by [`shown`].
pub fn file_in(folder: &str, file: &str) -> String {
    if folder == "." { file.to_owned() } else { format!("{folder}/{file}") }
}

fn diagnostic(skill: &str, found: &Located) -> LintDiagnostic {
    let finding = &found.finding;
    let fix = finding.fix.as_ref().map(|fix| LintFix {
        title: fix.title.clone(),
        safety: if fix.safety == Safety::Safe { "safe" } else { "unsafe" },
        edits: fix.edits.iter().zip(&found.edits).map(edit).collect(),
    });
    LintDiagnostic {
        skill: skill.to_owned(),
        rule: finding.rule.id,
        name: finding.rule.name,
        code: found.code(),
        severity: finding.severity.setting(),
        tier: finding.tier().word(),
        grade: finding.tier(),
        confidence: finding.confidence.as_str(),
        risk: risk(finding.rule.id),
        file: finding.path.to_string(),
        line: found.lines.line,
        column: found.lines.column,
        end_line: found.lines.end_line,
        end_column: found.lines.end_column,
        message: finding.message.clone(),
        hint: finding.hint.clone(),
        fix,
        excerpt: found.excerpt.as_ref().map(|excerpt| excerpt.text.clone()),
        about: finding.rule,
        marked: found.excerpt.as_ref().map_or((0, 0), |excerpt| (excerpt.lead, excerpt.marked)),
        identity: found.identity(),
    }
}

fn edit((edit, lines): (&Edit, &Lines)) -> LintEdit {
    LintEdit { start: edit.span.start, end: edit.span.end, text: edit.text.clone(), lines: *lines }
}

impl LintedReply {
    /// The path of a file of the skill in reports: relative if it is below the working directory.
    pub fn path_of(&self, file: &str) -> String {
        file_in(&self.shown, file)
    }

    /// Inserts a warning about the whole skill before all others.
    pub fn warn_first(&mut self, rule: &'static Rule, message: &str) {
        self.diagnostics.insert(
            0,
            LintDiagnostic {
                skill: self.skill.clone(),
                rule: rule.id,
                name: rule.name,
                code: "W300",
                severity: Severity::Warning.setting(),
                tier: rule.tier.word(),
                grade: rule.tier,
                confidence: Confidence::High.as_str(),
                risk: None,
                file: SKILL_FILE.to_owned(),
                line: 1,
                column: 1,
                end_line: 1,
                end_column: 1,
                message: message.to_owned(),
                hint: None,
                fix: None,
                excerpt: None,
                about: rule,
                marked: (0, 0),
                identity: rule.id.to_owned(),
            },
        );
    }

    fn count(&mut self) {
        self.errors = self.diagnostics.iter().filter(|d| d.code == "E300").count();
        self.warnings = self.diagnostics.len() - self.errors;
    }
}

impl LintReply {
    /// The reply over all skills; [`Self::narrow`] counts its findings.
    pub fn new(skills: Vec<LintedReply>, explains_load: bool, exit_on: ExitOn) -> Self {
        let skill = (skills.len() == 1).then(|| skills[0].skill.clone());
        Self {
            skill,
            diagnostics: Vec::new(),
            skills,
            errors: 0,
            warnings: 0,
            explains_load,
            exit_on,
            selection: Selection::default(),
            layout: Layout::default(),
            note: None,
            made_safe_fixes: false,
        }
    }

    /// Removes all other findings, and counts again.
    pub fn narrow(&mut self, selection: Selection) {
        let is_selected = |found: &LintDiagnostic| selection.wants(found.about, found.grade);
        self.skills.iter_mut().for_each(|skill| skill.diagnostics.retain(is_selected));
        self.selection = selection;
        self.count();
    }

    /// Counts the findings of each skill again, and their totals.
    fn count(&mut self) {
        self.skills.iter_mut().for_each(LintedReply::count);
        self.errors = self.skills.iter().map(|skill| skill.errors).sum();
        self.warnings = self.skills.iter().map(|skill| skill.warnings).sum();
        self.diagnostics = self.skills.iter().flat_map(|skill| skill.diagnostics.iter().cloned()).collect();
    }
}
