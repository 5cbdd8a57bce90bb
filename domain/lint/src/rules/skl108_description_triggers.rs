//! SKL108: a description that does not say when to use the skill.

use skillc_domain::text::case_fold::fold;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{FileView, Report};

/// What a trigger is known by, in small letters.
const TRIGGERS: &[&str] =
    &["use when", "when to use", "use for", "triggers on", "triggers:", "activate when"];

/// The rule.
pub static RULE: Rule = Rule {
    id: "SKL108",
    name: "description-triggers",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "An agent chooses a skill by its description. If it says what the skill does but not when to use it, the \
          skill is overlooked or used at the wrong time. Descriptions that are mostly in a non-Latin script are not \
          checked.",
    fix: "Say when to use the skill, in a sentence that begins with 'Use when'. Turn the rule off for a skill in a \
          language other than English.",
    params: &[],
    patterns: &[],
    good: &[
        Example::new(&[("SKILL.md", crate::skill_md!("Text.\n"))]),
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: 规则示例。需要示例时使用。\n---\n\n# Demo\n",
        )]),
    ],
    bad: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Shows how one rule works, with an example.\n---\n\n# Demo\n",
    )])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(node) = view.skill_fields().and_then(|fields| fields.get("description")) else { return };
    let Some(text) = node.text().filter(|text| !text.trim().is_empty()) else { return };
    if !has_trigger(text) && is_mostly_latin(text) {
        report
            .at(node.span.clone(), "description does not say when to use the skill")
            .hint("add a sentence that begins with 'Use when'");
    }
}

/// Line breaks in a trigger count as blanks: they are an accident of folding.
fn has_trigger(description: &str) -> bool {
    let words = fold(description).split_whitespace().collect::<Vec<_>>().join(" ");
    TRIGGERS.iter().any(|trigger| words.contains(trigger))
}

/// Whether at least half of the letters are Latin; names of tools are Latin in every language. A CJK character counts
/// as three letters, since it says as much.
fn is_mostly_latin(text: &str) -> bool {
    let (mut latin, mut others) = (0_usize, 0_usize);
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        match c {
            '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => latin += 1,
            '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' => others += 3,
            _ => others += 1,
        }
    }
    latin >= others
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0008:C-REGISTRY
    #[test]
    fn a_trigger_is_one_of_six_patterns_in_any_case() {
        for text in [
            "X. Use when y",
            "WHEN TO USE: y",
            "use\n  for y",
            "Triggers on y",
            "Triggers: y",
            "activate When y",
        ] {
            assert!(has_trigger(text), "{text}");
        }
        for text in ["", "Does x.", "Useful when", "Use it"] {
            assert!(!has_trigger(text), "{text}");
        }
    }

    #[test]
    fn a_description_in_another_script_is_known() {
        for (text, latin) in [
            ("Draws charts", true),
            ("Erzeugt Diagramme für Größen", true),
            ("使用 Kubernetes 部署应用程序", false),
            ("Создаёт диаграммы в SVG", false),
            ("Docker コンテナを管理する", false),
            ("Translates 中文 into English", true),
            ("123", true),
        ] {
            assert_eq!(is_mostly_latin(text), latin, "{text}");
        }
    }
}
