//! SKL502: characters that control the writing direction.

use crate::fix::{Edit, Fix, Safety};
use skillc_domain::text::invisible::is_direction;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::security::code_context::is_text;
use crate::security::invisible::keeps_block_open;
use crate::security::scan::non_ascii;
use crate::security::scripts::is_right_to_left;
use crate::security::sentence::cut;
use crate::{FileView, Report};
use skillc_domain::markup::RegionKind;

pub static RULE: Rule = Rule {
    id: "SKL502",
    name: "bidi-controls",
    severity: Severity::Error,
    tier: Tier::Harms,
    origin: Origin::Field(
        "CVE-2021-42574 (Trojan Source); SkillSpector TP2, skillsaw security-invisible-unicode",
    ),
    why: "Direction controls change the order in which a line is displayed, so a reviewer sees something other than \
          what an agent or an interpreter reads.",
    fix: "Remove them; right-to-left text needs none in Markdown.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!("שלום\u{200f}! and \u{2067}مرحبا\u{2069} are greetings.\n"),
    )])],
    bad: &[
        Example::new(&[("SKILL.md", crate::skill_md!("Open the file \u{202e}txt.exe\u{202c} first.\n"))]),
        Example::new(&[("SKILL.md", crate::skill_md!("Copy \u{200e}abc and go on.\n"))]),
    ],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(text) = view.file.text.as_deref() else { return };
    let mut controls = non_ascii(text).filter(|(_, c)| is_direction(*c)).peekable();
    while let Some((start, first)) = controls.next() {
        let line = view.file.line_at(start);
        let mut all = vec![(start, first)];
        while let Some(next) = controls.next_if(|(at, _)| *at < line.end) {
            all.push(next);
        }
        let is_prose =
            view.file.markup.is_some() && view.file.region_at(start) != Some(RegionKind::CodeBlock);
        if is_prose && has_reason(&text[line], &all) {
            continue;
        }
        if let [(_, '\u{200e}' | '\u{200f}')] = all.as_slice()
            && keeps_block_open(&text[..start], &text[start + first.len_utf8()..])
        {
            continue;
        }
        let end = all.last().map_or(start, |(at, c)| at + c.len_utf8());
        let message = format!("{} U+{:04X} in '{}'", name(first), u32::from(first), cut(&text[start..end]));
        let issue = report.at(start..end, message);
        // In a program, and in code in a text, the characters may be the topic.
        if !is_text(view.file, start) {
            continue;
        }
        let edits =
            all.iter().map(|(at, c)| Edit { span: *at..at + c.len_utf8(), text: String::new() }).collect();
        let title = "remove the direction controls".to_owned();
        issue.fix(Fix { safety: Safety::Unsafe, title, edits });
    }
}

/// Whether the controls have a purpose: text from right to left needs them, as long as none reverses letters and each
/// one that opens is closed.
fn has_reason(line: &str, controls: &[(usize, char)]) -> bool {
    let overrides = controls.iter().any(|(_, c)| matches!(c, '\u{202d}' | '\u{202e}'));
    let opened = controls
        .iter()
        .filter(|(_, c)| matches!(c, '\u{202a}' | '\u{202b}' | '\u{2066}'..='\u{2068}'))
        .count();
    let closed = controls.iter().filter(|(_, c)| matches!(c, '\u{202c}' | '\u{2069}')).count();
    !overrides && opened == closed && line.chars().any(is_right_to_left)
}

fn name(c: char) -> &'static str {
    match c {
        '\u{61c}' => "Arabic letter mark",
        '\u{200e}' => "left-to-right mark",
        '\u{200f}' => "right-to-left mark",
        '\u{202a}' | '\u{202b}' => "direction embedding",
        '\u{202d}' => "left-to-right override",
        '\u{202e}' => "right-to-left override",
        '\u{2066}'..='\u{2068}' => "direction isolate",
        _ => "end of a direction control",
    }
}
