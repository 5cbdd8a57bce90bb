//! The text output of `skc lint`: findings on stderr, the rest on stdout.

use super::client_verdicts::LintVerdict;
use super::digest::{Counted, FindingsDigest, statistics};
use super::reply::{LintDiagnostic, LintReply, LintedReply};
use super::show_finding::{dropped, dropping_clients, finding, head, selecting};
use crate::lint::outcome::{ExitOn, Layout};
use crate::render::{Render, View, counted, line, plain, table};
use skillc_domain::reader::Reader;
use skillc_lint::rule::Tier;

impl Render for LintReply {
    fn is_content(&self) -> bool {
        matches!(self.layout, Layout::Diff { .. })
    }

    fn render(&self, view: &View, out: &mut Vec<u8>) {
        match self.layout {
            Layout::Full | Layout::Written => self.full(view, out),
            Layout::Quiet => {}
            Layout::Statistics => line(out, statistics_table(view, self)),
            Layout::Diff { .. } => {
                self.skills.iter().for_each(|skill| view.content(skill.diff.as_bytes(), out))
            }
        }
    }

    fn diagnostics(&self, view: &View, out: &mut Vec<u8>) {
        self.skills.iter().for_each(|skill| skipped(skill, out));
        match self.layout {
            Layout::Full => self.in_full(view, out),
            Layout::Quiet => self.in_lines(view, out),
            Layout::Diff { is_unsafe: false } => self.left_out_of_diff(view, out),
            Layout::Statistics | Layout::Diff { is_unsafe: true } | Layout::Written => {}
        }
    }

    fn has_failed(&self) -> bool {
        match self.exit_on {
            ExitOn::Errors => self.errors > 0,
            ExitOn::Warnings => self.errors + self.warnings > 0,
            ExitOn::Verdict => self.errors > 0 || self.skills.iter().any(is_refused),
        }
    }

    fn formatted(&self, format: &str) -> Option<Vec<u8>> {
        match format {
            "sarif" => Some(super::sarif::sarif(self)),
            "github" => Some(super::github::annotations(self)),
            _ => None,
        }
    }
}

impl LintReply {
    /// Whether a skill has a line of its own: among several, where findings were selected, only one that has any.
    fn has_summary(&self, skill: &LintedReply) -> bool {
        let has_news = !skill.diagnostics.is_empty() || !skill.fixed.is_empty();
        has_news || self.explains_load || self.skills.len() == 1 || !self.selection.is_narrow()
    }

    fn full(&self, view: &View, out: &mut Vec<u8>) {
        for skill in self.skills.iter().filter(|skill| !skill.is_skipped && self.has_summary(skill)) {
            line(out, summary(view, skill));
            skill.fixed.iter().for_each(|fix| line(out, format!("  fixed {}", plain(fix))));
            if self.explains_load {
                line(out, load_table(view, skill));
            }
        }
        if self.skills.len() > 1 {
            let counts = counts(self.errors, self.warnings);
            let of_style = of_style(&self.diagnostics);
            line(out, view.strong(format!("{} skills: {counts}{of_style}", self.skills.len())));
        }
        if let Some(note) = &self.note {
            line(out, plain(note));
        }
        if self.made_safe_fixes {
            self.unsafe_fixes(view).into_iter().for_each(|fixes| line(out, fixes));
        }
        for skill in self.skills.iter().filter(|_| !self.explains_load && self.skills.len() == 1) {
            dropping_clients(view, skill)
                .into_iter()
                .for_each(|dropped| line(out, format!("verdict: {dropped}")));
            skill.verdicts.iter().for_each(|verdict| line(out, verdict_line(view, verdict)));
            if skill.errors == 0 && self.exit_on != ExitOn::Verdict && is_refused(skill) {
                let option = view.reader.argument("exit_on");
                line(out, format!("a verdict fails the check only with {option} verdict"));
            }
        }
    }

    fn in_full(&self, view: &View, out: &mut Vec<u8>) {
        let digest = FindingsDigest::of(self);
        for of_skill in &digest.skills {
            dropped(view, of_skill.skill, out);
            of_skill.shown.iter().for_each(|shown| finding(view, of_skill.skill, shown, out));
        }
        if digest.left_out > 0 {
            line(
                out,
                format!(
                    "{} more findings; raise {} to see them\n",
                    digest.left_out,
                    view.reader.argument("max")
                ),
            );
        }
        digest.style.iter().for_each(|counted| line(out, style_line(view, counted)));
    }

    /// Says why a diff is empty although there are fixes.
    fn left_out_of_diff(&self, view: &View, out: &mut Vec<u8>) {
        if self.skills.iter().all(|skill| skill.diff.is_empty()) {
            self.unsafe_fixes(view).into_iter().for_each(|fixes| line(out, fixes));
        }
    }

    /// How many fixes a person has not asked for.
    fn unsafe_fixes(&self, view: &View) -> Option<String> {
        let is_unsafe =
            |found: &&LintDiagnostic| found.fix.as_ref().is_some_and(|fix| fix.safety == "unsafe");
        let fixes = self.diagnostics.iter().filter(is_unsafe).count();
        let they = match fixes {
            1 => "1 fix needs --unsafe: it changes".to_owned(),
            _ => format!("{fixes} fixes need --unsafe: they change"),
        };
        (view.reader == Reader::Person && fixes > 0).then(|| format!("{they} what agents read"))
    }

    fn in_lines(&self, view: &View, out: &mut Vec<u8>) {
        for of_skill in &FindingsDigest::of(self).skills {
            of_skill.shown.iter().for_each(|shown| line(out, head(view, of_skill.skill, shown)));
        }
    }
}

/// Whether a verdict is that the skill cannot be used.
fn is_refused(skill: &LintedReply) -> bool {
    !skill.dropped_by.is_empty() || skill.verdicts.iter().any(|verdict| !verdict.is_usable)
}

fn skipped(skill: &LintedReply, out: &mut Vec<u8>) {
    let name = plain(&skill.skill);
    if skill.is_skipped {
        line(out, format!("info: skipping compiled skill '{name}'"));
    } else if skill.is_left_alone {
        line(out, format!("info: not fixing '{name}', which is a link to another folder; name it to fix it"));
    }
}

fn statistics_table(view: &View, reply: &LintReply) -> String {
    let row = |counted: Counted| {
        let Counted { rule, count, files, .. } = counted;
        let tier = rule.tier.word().to_owned();
        vec![count.to_string(), files.to_string(), tier, format!("{} {}", rule.id, rule.name)]
    };
    let rows: Vec<Vec<String>> = statistics(reply).into_iter().map(row).collect();
    table(view, &["FINDINGS", "FILES", "TIER", "RULE"], &rows)
}

/// A style rule on one line: how often it is violated, and how to see where.
fn style_line(view: &View, counted: &Counted) -> String {
    let Counted { rule, count, errors, files, .. } = counted;
    let files = plural(*files, "file");
    // Errors fail the check, so they are counted as such although they are not shown.
    let count = match errors {
        0 => count.to_string(),
        _ if errors == count => plural(*errors, "error"),
        _ => format!("{count} ({})", plural(*errors, "error")),
    };
    let option = selecting(view, rule.id);
    format!("{} {}: {count} in {files}{option}", rule.id, rule.name)
}

fn plural(n: usize, word: &str) -> String {
    counted(n as u64, word)
}

fn counts(errors: usize, warnings: usize) -> String {
    format!("{}, {}", plural(errors, "error"), plural(warnings, "warning"))
}

fn of_style(diagnostics: &[LintDiagnostic]) -> String {
    match diagnostics.iter().filter(|found| found.grade == Tier::Style).count() {
        0 => String::new(),
        count => format!(" ({count} of style)"),
    }
}

fn summary(view: &View, skill: &LintedReply) -> String {
    let counts = counts(skill.errors, skill.warnings);
    let accepted = if skill.accepted > 0 {
        format!(", {} accepted by the baseline", skill.accepted)
    } else {
        String::new()
    };
    let counts = match (skill.errors, skill.warnings) {
        (0, 0) => view.good(counts),
        (0, _) => view.careful(counts),
        _ => view.bad(counts),
    };
    let of_style = of_style(&skill.diagnostics);
    let fixable =
        skill.diagnostics.iter().filter(|d| d.fix.as_ref().is_some_and(|f| f.safety == "safe")).count();
    let fixable = match (fixable, view.reader) {
        (0, _) => String::new(),
        (_, Reader::Person) => format!(" ({fixable} fixable with --fix)"),
        (_, Reader::Agent(_)) => format!(" ({fixable} with a safe fix)"),
    };
    format!("{}: {counts}{of_style}{accepted}{fixable}", view.strong(plain(&skill.skill)))
}

fn verdict_line(view: &View, verdict: &LintVerdict) -> String {
    let compatibility = colored(view, verdict.compatibility);
    let reasons: Vec<&str> = verdict.reasons.iter().map(|reason| reason.message.as_str()).collect();
    let why = if reasons.is_empty() { String::new() } else { format!(" — {}", plain(&reasons.join("; "))) };
    format!("verdict: {} {compatibility}{why}", verdict.profile)
}

fn colored(view: &View, compatibility: &str) -> String {
    match compatibility {
        "valid" | "loads" => view.good(compatibility),
        "degraded" => view.careful(compatibility),
        _ => view.bad(compatibility),
    }
}

fn load_table(view: &View, skill: &LintedReply) -> String {
    let mut rows = Vec::new();
    for verdict in &skill.verdicts {
        let head = |compatibility: &str| vec![verdict.profile.to_owned(), colored(view, compatibility)];
        if verdict.reasons.is_empty() {
            rows.push([head(verdict.compatibility), vec![String::new()]].concat());
        }
        for (at, reason) in verdict.reasons.iter().enumerate() {
            let place = reason.line.map(|line| format!("line {line}: ")).unwrap_or_default();
            let cells =
                if at == 0 { head(verdict.compatibility) } else { vec![String::new(), String::new()] };
            rows.push(
                [
                    cells,
                    vec![format!(
                        "{place}{} {}",
                        plain(&reason.message),
                        view.faint(format!("({})", reason.source))
                    )],
                ]
                .concat(),
            );
        }
    }
    table(view, &["CLIENT", "VERDICT", "WHY"], &rows)
}
