//! What `skc lint` answers, as people are shown it: findings on stderr, the rest on stdout.

use super::reply::{LintDiagnostic, LintReply, LintVerdict, LintedReply};
use crate::lint::outcome::ExitOn;
use crate::render::{Render, View, line, plain, table};

impl Render for LintReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        for skill in self.skills.iter().filter(|skill| !skill.is_skipped) {
            view.content(skill.diff.as_bytes(), out);
            line(out, summary(view, skill));
            skill
                .fixed
                .iter()
                .filter(|_| skill.diff.is_empty())
                .for_each(|fix| line(out, format!("  fixed {}", plain(fix))));
            if self.explains_load {
                line(out, load_table(view, skill));
            }
        }
        if self.skills.len() > 1 {
            let counts = counts(self.errors, self.warnings);
            line(out, view.strong(format!("{} skills: {counts}", self.skills.len())));
        }
        if let Some(note) = &self.note {
            line(out, plain(note));
        }
        for skill in self.skills.iter().filter(|_| !self.explains_load && self.skills.len() == 1) {
            skill.verdicts.iter().for_each(|verdict| line(out, verdict_line(view, verdict)));
        }
    }

    fn diagnostics(&self, view: &View, out: &mut Vec<u8>) {
        for skill in &self.skills {
            if skill.is_skipped {
                line(out, format!("info: skipping compiled skill '{}'", plain(&skill.skill)));
            } else if skill.is_left_alone {
                let name = plain(&skill.skill);
                line(
                    out,
                    format!("info: not mending '{name}', which is linked from elsewhere; name it to mend it"),
                );
            }
            if self.skills.len() > 1 && !skill.diagnostics.is_empty() {
                line(out, view.strong(format!("{}:", plain(&skill.shown))));
            }
            skill.diagnostics.iter().for_each(|found| finding(view, found, out));
        }
    }

    fn has_failed(&self) -> bool {
        let verdicts = || self.skills.iter().flat_map(|skill| &skill.verdicts);
        match self.exit_on {
            ExitOn::Errors => self.errors > 0,
            ExitOn::Warnings => self.errors + self.warnings > 0,
            ExitOn::Verdict => self.errors > 0 || verdicts().any(|verdict| !verdict.is_usable),
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

fn counts(errors: usize, warnings: usize) -> String {
    let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    format!("{}, {}", plural(errors, "error"), plural(warnings, "warning"))
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
    let fixable =
        skill.diagnostics.iter().filter(|d| d.fix.as_ref().is_some_and(|f| f.safety == "safe")).count();
    let fixable = if fixable > 0 { format!(" ({fixable} mended by --fix)") } else { String::new() };
    format!("{}: {counts}{accepted}{fixable}", view.strong(plain(&skill.skill)))
}

fn verdict_line(view: &View, verdict: &LintVerdict) -> String {
    let standing = coloured(view, verdict.standing);
    let reasons: Vec<&str> = verdict.reasons.iter().map(|reason| reason.message.as_str()).collect();
    let why = if reasons.is_empty() { String::new() } else { format!(" — {}", plain(&reasons.join("; "))) };
    format!("verdict: {} {standing}{why}", verdict.profile)
}

fn coloured(view: &View, standing: &str) -> String {
    match standing {
        "valid" | "loads" => view.good(standing),
        "degraded" => view.careful(standing),
        _ => view.bad(standing),
    }
}

fn load_table(view: &View, skill: &LintedReply) -> String {
    let mut rows = Vec::new();
    for verdict in &skill.verdicts {
        let head = |standing: &str| vec![verdict.profile.to_owned(), coloured(view, standing)];
        if verdict.reasons.is_empty() {
            rows.push([head(verdict.standing), vec![String::new()]].concat());
        }
        for (at, reason) in verdict.reasons.iter().enumerate() {
            let place = reason.line.map(|line| format!("line {line}: ")).unwrap_or_default();
            let cells = if at == 0 { head(verdict.standing) } else { vec![String::new(), String::new()] };
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

/// The canonical line, the place, the source with a caret, the hint (RFC-0008:C-DIAGNOSTICS).
fn finding(view: &View, found: &LintDiagnostic, out: &mut Vec<u8>) {
    let label = format!("{}[{}]", found.severity, found.code);
    let label = if found.code == "E300" { view.bad(label) } else { view.careful(label) };
    line(out, format!("{label}: {} {}: {}", found.rule, found.name, plain(&found.message)));
    let number = found.line.to_string();
    let pad = " ".repeat(number.len());
    line(out, format!("{pad}{} {}:{}:{}", view.faint("-->"), plain(&found.file), found.line, found.column));
    if let Some(excerpt) = &found.excerpt {
        // Escapes of control characters take more than one column, so the caret is placed by what is shown.
        let shown =
            |from: usize, count: usize| plain(&excerpt.chars().skip(from).take(count).collect::<String>());
        let (lead, marked) = (shown(0, found.marked.0), shown(found.marked.0, found.marked.1));
        let carets = "^".repeat(marked.chars().count().max(1));
        line(out, format!("{pad} {}", view.faint("|")));
        line(out, format!("{} {} {}", view.faint(&number), view.faint("|"), plain(excerpt)).trim_end());
        line(
            out,
            format!("{pad} {} {}{}", view.faint("|"), " ".repeat(lead.chars().count()), view.bad(carets)),
        );
    }
    if let Some(hint) = &found.hint {
        line(out, format!("{pad} {} hint: {}", view.faint("="), plain(hint)));
    }
    if let Some(fix) = &found.fix {
        let how = if fix.safety == "safe" { "--fix" } else { "--fix --unsafe" };
        line(out, format!("{pad} {} fix: {} ({how})", view.faint("="), plain(&fix.title)));
    }
}
