//! SKL126: quotes that are still escaped after YAML was read.

use crate::fix::{Edit, Fix, Safety};
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{FileView, Report};
use skillc_domain::frontmatter::Node;

pub static RULE: Rule = Rule {
    id: "SKL126",
    name: "yaml-double-escape",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("YAML 1.2, 7.3: only double quotes know escapes (https://yaml.org/spec/1.2.2/)"),
    why: "YAML reads '\\\"' as a quote only inside double quotes, and only once. Anywhere else the backslash stays, so \
          the model reads the description with backslashes.",
    fix: "Write the quotes without backslashes, or the value in double quotes with one backslash before each.",
    params: &[],
    patterns: &[],
    good: &[
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: \"Shows a rule. Use when asked to \\\"show a rule\\\".\"\n---\n\n# Demo\n\nText.\n",
        )]),
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Shows a rule. Use when asked to \"show a rule\".\n---\n\n# Demo\n\nText.\n",
        )]),
    ],
    bad: &[
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Shows a rule. Use when asked to \\\"show a rule\\\".\n---\n\n# Demo\n\nText.\n",
        )]),
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: \"Shows a rule. Use when asked to \\\\\\\"show a rule\\\\\\\".\"\n---\n\n# Demo\n\nText.\n",
        )]),
    ],
    check: Check::File(check),
};

/// Fields that a model reads.
const FIELDS: [&str; 2] = ["description", "when_to_use"];
/// A quote as it is escaped once.
const ESCAPED: &str = "\\\"";
/// Number of escaped quotes from which they are quotes around words, not the subject.
const ESCAPED_MIN: usize = 2;

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let (Some((file, _)), Some(fields)) = (view.skill_md(), view.skill_fields()) else { return };
    for field in FIELDS {
        let Some(node) = fields.get(field) else { continue };
        let count = node.text().unwrap_or_default().matches(ESCAPED).count();
        if count < ESCAPED_MIN {
            continue;
        }
        let message = format!("{field} keeps {count} backslashes before quotes when YAML is read");
        let finding = report.at(node.span.clone(), message);
        if let Some(fix) = unescaped(file, node) {
            finding.fix(fix);
        }
    }
}

/// Removes one backslash, or two in double quotes, before each escaped quote.
fn unescaped(file: &str, node: &Node) -> Option<Fix> {
    let written = file.get(node.span.clone())?;
    // Without its backslash, a quote at the start would begin a quoted value.
    if written.starts_with('\\') {
        return None;
    }
    let (search, extra) = if written.starts_with('"') { ("\\\\\\\"", 2) } else { (ESCAPED, 1) };
    let edit = |(at, _): (usize, &str)| {
        let start = node.span.start + at;
        Edit { span: start..start + extra, text: String::new() }
    };
    let edits: Vec<Edit> = written.match_indices(search).map(edit).collect();
    (!edits.is_empty()).then(|| Fix { safety: Safety::Unsafe, title: "remove the backslashes".to_owned(), edits })
}
