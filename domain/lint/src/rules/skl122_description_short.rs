//! SKL122: descriptions that are too short to be useful.

use crate::rules::skl209_placeholder::is_unfilled;
use crate::rule::{Check, Example, Origin, Param, Rule, Severity, Tier};
use crate::rules::skl108_description_triggers::{is_deprecated, is_only_invoked_by_user};
use crate::{FileView, Report};
use skillc_domain::text::counted::counted;

pub static RULE: Rule = Rule {
    id: "SKL122",
    name: "description-short",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Specification("description field"),
    why: "An agent sees only the description when it chooses a skill, and two or three words say neither what the \
          skill does nor when it helps. Of 3,344 published skills, 27 have fewer than four words or twenty \
          characters.",
    fix: "Say what the skill does and when to use it.",
    params: &[
        Param {
            name: "min-chars",
            default: 20,
            meaning: "minimum characters of a description; a Chinese, Japanese or Korean one counts as three",
        },
        Param {
            name: "min-words",
            default: 4,
            meaning: "minimum words of a description; two Chinese, Japanese or Korean characters count as one",
        },
    ],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("Text.\n"))])],
    bad: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Use when needed.\n---\n\n# Demo\n\nText.\n",
    )])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(node) = view.skill_fields().and_then(|fields| fields.get("description")) else { return };
    let Some(text) = node.text().map(str::trim).filter(|text| !text.is_empty()) else { return };
    if is_only_invoked_by_user(view) || is_deprecated(text) || is_unfilled(view) {
        return;
    }
    let min = |name| RULE.param(&view.context.settings, name) as usize;
    let size = size(text);
    if size.chars < min("min-chars") {
        let (chars, min) = (text.chars().count(), min("min-chars"));
        report.at(node.span.clone(), format!("description has {} (min: {min})", counted(chars as u64, "character")));
    } else if size.words < min("min-words") {
        let (words, min) = (size.words, min("min-words"));
        report.at(node.span.clone(), format!("description has {} (min: {min})", counted(words as u64, "word")));
    }
}

/// A measure of how much a text says, in any script.
#[derive(Debug, PartialEq, Eq)]
struct Size {
    chars: usize,
    words: usize,
}

fn size(text: &str) -> Size {
    let dense =
        text.chars().filter(|c| matches!(c, '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')).count();
    let words = text.split(char::is_whitespace).filter(|word| !word.is_empty()).count();
    Size { chars: text.chars().count() + 2 * dense, words: words + dense / 2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_scripts_without_blanks_weigh_more() {
        assert_eq!(size("Skill Tester"), Size { chars: 12, words: 2 });
        assert_eq!(size("ファイルを検索する"), Size { chars: 27, words: 5 });
    }
}
