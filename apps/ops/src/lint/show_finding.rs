//! A finding as text: its place first, as editors and terminals open it, the source under it, and what to do.

use super::digest::Shown;
use super::reply::{LintDiagnostic, LintedReply};
use crate::render::{View, line, plain};
use skillc_domain::places::SKILL_FILE;
use skillc_domain::reader::Reader;
use std::collections::BTreeMap;

/// A finding with its source and what to do, or how many more of its rule there are; then an empty line.
pub fn finding(view: &View, skill: &LintedReply, shown: &Shown<'_>, out: &mut Vec<u8>) {
    line(out, head(view, skill, shown));
    if let Shown::Finding(found) = shown {
        below(view, found, out);
    }
    out.push(b'\n');
}

/// Place, severity, rule and message; of findings that are not shown, how many there are.
pub fn head(view: &View, skill: &LintedReply, shown: &Shown<'_>) -> String {
    match shown {
        Shown::Finding(found) => {
            let place = format!("{}:{}:{}", plain(&skill.path_of(&found.file)), found.line, found.column);
            let label = label(view, found.severity, found.rule);
            format!("{}: {label}: {}: {}", view.strong(place), found.name, plain(&found.message))
        }
        Shown::More(counted, severity) => {
            let (id, count) = (counted.rule.id, counted.count);
            let label = label(view, severity, id);
            let place = plain(&skill.path_of(&counted.place));
            format!("{place}: {label}: and {count} more{}", selecting(view, id))
        }
    }
}

/// The option that shows all findings of a rule. An agent's tool lacks it.
pub fn selecting(view: &View, id: &str) -> String {
    match view.reader {
        Reader::Person => format!("; {}", view.faint(format!("`--select {id}`"))),
        Reader::Agent(_) => String::new(),
    }
}

fn label(view: &View, severity: &str, id: &str) -> String {
    let label = format!("{severity}[{id}]");
    if severity == "error" { view.bad(label) } else { view.careful(label) }
}

/// The source with a caret, and what to do (RFC-0008:C-DIAGNOSTICS).
fn below(view: &View, found: &LintDiagnostic, out: &mut Vec<u8>) {
    let number = found.line.to_string();
    let pad = " ".repeat(number.len());
    if let Some(excerpt) = &found.excerpt {
        // Escapes of control characters take more than one column, so the caret is placed by what is shown.
        let shown =
            |from: usize, count: usize| plain(&excerpt.chars().skip(from).take(count).collect::<String>());
        let (lead, marked) = (shown(0, found.marked.0), shown(found.marked.0, found.marked.1));
        let carets = "^".repeat(marked.chars().count().max(1));
        line(out, format!("{} {} {}", view.faint(&number), view.faint("|"), plain(excerpt)).trim_end());
        line(
            out,
            format!("{pad} {} {}{}", view.faint("|"), " ".repeat(lead.chars().count()), view.bad(carets)),
        );
    }
    if let Some(risk) = found.risk {
        line(out, format!("{pad} {} {}", view.faint("="), risk_line(risk, found.confidence)));
    }
    if let Some(advice) = advice(view, found) {
        line(out, format!("{pad} {} {advice}", view.faint("=")));
    }
}

/// What could happen, and how sure that is where it is not.
fn risk_line(risk: &str, confidence: &str) -> String {
    if confidence == "high" {
        format!("risk: {risk}")
    } else {
        format!("risk: {risk} ({confidence} confidence)")
    }
}

/// The fix that there is, or else the hint.
fn advice(view: &View, found: &LintDiagnostic) -> Option<String> {
    let fix = found.fix.as_ref().map(|fix| {
        let how = match (view.reader, fix.safety) {
            (Reader::Agent(_), safety) => safety,
            (Reader::Person, "safe") => "--fix",
            (Reader::Person, _) => "--fix --unsafe",
        };
        format!("fix: {} ({how})", plain(&fix.title))
    });
    fix.or_else(|| found.hint.as_ref().map(|hint| format!("hint: {}", plain(hint))))
}

/// Before its findings: which clients do not load the skill, and why.
pub fn dropped(view: &View, skill: &LintedReply, out: &mut Vec<u8>) {
    if let Some(dropped) = dropped_line(view, skill) {
        line(out, format!("{}: {dropped}\n", view.strong(plain(&skill.path_of(SKILL_FILE)))));
    }
}

/// `dropped by codex, vscode — description is missing`; clients with the same reason stand together.
pub fn dropped_line(view: &View, skill: &LintedReply) -> Option<String> {
    let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    skill.dropped_by.iter().for_each(|drop| by_reason.entry(&drop.why).or_default().push(drop.client));
    let one = |(why, clients): (&&str, &Vec<&str>)| format!("{} — {}", clients.join(", "), plain(why));
    let all: Vec<String> = by_reason.iter().map(one).collect();
    (!all.is_empty()).then(|| format!("{} {}", view.bad("dropped by"), all.join("; ")))
}
