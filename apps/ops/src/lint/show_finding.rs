//! Formats a finding as text: first its position, in a form that editors and terminals can open, then the source line
//! and the advice.

use super::digest::Shown;
use super::reply::{LintDiagnostic, LintedReply};
use crate::render::{View, cut, line, plain};
use skillc_domain::places::SKILL_FILE;
use skillc_domain::reader::Reader;
use std::collections::BTreeMap;
use std::path::Path;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Formats a finding with its source line and advice, or the number of further findings of its rule, followed by an
/// empty line.
pub fn finding(view: &View, skill: &LintedReply, shown: &Shown<'_>, out: &mut Vec<u8>) {
    line(out, head(view, skill, shown));
    if let Shown::Finding(found) = shown {
        below(view, found, out);
    }
    out.push(b'\n');
}

/// Position, severity, rule and message; for findings that are not shown, their number.
pub fn head(view: &View, skill: &LintedReply, shown: &Shown<'_>) -> String {
    match shown {
        Shown::Finding(found) => {
            let place = format!("{}:{}:{}", file(view, skill, &found.file), found.line, found.column);
            let label = label(view, found.severity, found.rule);
            format!("{}: {label}: {}: {}", view.strong(place), found.name, plain(&found.message))
        }
        Shown::More(counted, severity) => {
            let (id, count) = (counted.rule.id, counted.count);
            let label = label(view, severity, id);
            let place = file(view, skill, &counted.place);
            format!("{place}: {label}: and {count} more{}", selecting(view, id))
        }
    }
}

fn file(view: &View, skill: &LintedReply, file: &str) -> String {
    view.openable_path(Path::new(&skill.path_of(file)))
}

/// The option that shows all findings of a rule; `None` for agents, whose tool lacks it.
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

/// The source line with a caret, and the advice (RFC-0008:C-DIAGNOSTICS).
fn below(view: &View, found: &LintDiagnostic, out: &mut Vec<u8>) {
    let number = found.line.to_string();
    let pad = " ".repeat(number.len());
    if let Some(excerpt) = &found.excerpt {
        let room = view.width.map_or(usize::MAX, |width| width.saturating_sub(number.len() + 3));
        let (source, lead, carets) = source_line(excerpt, found.marked, room);
        line(out, format!("{} {} {source}", view.faint(&number), view.faint("|")).trim_end());
        line(out, format!("{pad} {} {}{}", view.faint("|"), " ".repeat(lead), view.bad("^".repeat(carets))));
    }
    if let Some(risk) = found.risk {
        line(out, format!("{pad} {} {}", view.faint("="), risk_line(risk, found.confidence)));
    }
    if let Some(advice) = advice(view, found) {
        line(out, format!("{pad} {} {advice}", view.faint("=")));
    }
}

/// A source line, shortened to `room` columns, with the columns before and under the marked part. Columns count the
/// displayed text, since an escaped control character takes more than one.
fn source_line(excerpt: &str, marked: (usize, usize), room: usize) -> (String, usize, usize) {
    let shown =
        |from: usize, count: usize| plain(&excerpt.chars().skip(from).take(count).collect::<String>());
    let mut lead = shown(0, marked.0);
    let mark = shown(marked.0, marked.1);
    let rest = plain(&excerpt.chars().skip(marked.0 + marked.1).collect::<String>());
    let carets = mark.width().max(1);
    let after = usize::from(!rest.is_empty());
    if lead.width() + carets + after > room {
        lead = end_of(&lead, room.saturating_sub(carets + after).max(room / 2));
    }
    let before = lead.width();
    (cut(&format!("{lead}{mark}{rest}"), room), before, carets.min(room.saturating_sub(before)).max(1))
}

/// The end of a text, after `…`.
fn end_of(text: &str, width: usize) -> String {
    let mut room = width.saturating_sub(1);
    let fits = |c: &char| {
        let columns = c.width().unwrap_or_default();
        let has_room = columns <= room;
        room = room.saturating_sub(columns);
        has_room
    };
    let count = text.chars().rev().take_while(fits).count();
    let end: String = text.chars().skip(text.chars().count() - count).collect();
    format!("…{end}")
}

/// The risk, and the confidence if it is not high.
fn risk_line(risk: &str, confidence: &str) -> String {
    // A risk begins with who has it: "the user: a command runs before anyone has read the skill".
    if confidence == "high" {
        format!("risk to {risk}")
    } else {
        format!("risk to {risk} ({confidence} confidence)")
    }
}

/// The available fix, otherwise the hint.
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

/// Printed before its findings: which clients do not load the skill, and why.
pub fn dropped(view: &View, skill: &LintedReply, out: &mut Vec<u8>) {
    if let Some(dropped) = dropped_line(view, skill) {
        line(out, format!("{}: {dropped}\n", view.strong(file(view, skill, SKILL_FILE))));
    }
}

/// `dropped by codex, vscode — description is missing`; clients with the same reason are grouped.
fn dropped_line(view: &View, skill: &LintedReply) -> Option<String> {
    let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    skill.dropped_by.iter().for_each(|drop| by_reason.entry(&drop.why).or_default().push(drop.client));
    let one = |(why, clients): (&&str, &Vec<&str>)| format!("{} — {}", clients.join(", "), plain(why));
    let all: Vec<String> = by_reason.iter().map(one).collect();
    (!all.is_empty()).then(|| format!("{} {}", view.bad("dropped by"), all.join("; ")))
}

/// Formats, for the verdict, which clients do not load the skill. The reasons precede its findings.
pub fn dropping_clients(view: &View, skill: &LintedReply) -> Option<String> {
    let clients: Vec<&str> = skill.dropped_by.iter().map(|drop| drop.client).collect();
    (!clients.is_empty()).then(|| format!("{} {}", view.bad("dropped by"), clients.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0007:C-OUTPUT
    #[test]
    fn a_long_source_line_is_cut_around_its_mark() {
        let of = |text: &str, marked, room| source_line(text, marked, room);
        assert_eq!(of("name: Demo", (6, 4), 80), ("name: Demo".into(), 6, 4));
        assert_eq!(of("one two three four five", (4, 3), 12), ("one two thr…".into(), 4, 3));
        assert_eq!(of("one two three four five", (14, 4), 12), ("…three four…".into(), 7, 4));
        assert_eq!(of("説明: よい", (0, 2), 80), ("説明: よい".into(), 0, 4));
    }
}
