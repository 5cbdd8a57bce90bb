//! SKL109: fields that no client reads.

use skillc_domain::frontmatter::{FrontMatter, Node, Value};
use crate::fix::Fix;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::verdict::PROFILES;
use crate::code_text::SEARCHES_MAX;
use crate::{FileView, Finding, Report, SkillView};
use std::collections::BTreeMap;
use skillc_domain::suggest::slip;

/// Fields of the Agent Skills specification.
pub const KNOWN: &[&str] = &["name", "description", "license", "compatibility", "metadata", "allowed-tools"];

pub static RULE: Rule = Rule {
    id: "SKL109",
    name: "frontmatter-known",
    severity: Severity::Warning,
    tier: Tier::Style,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "A misspelled field has no effect, and validators reject a skill with fields that the specification does \
          not define. A misspelled field is of the tier 'breaks', a custom one of 'style'. A misspelled field of a client, \
          such as 'user_invocable', is of the tier 'breaks' if its value would have changed how the skill is chosen. A field that the code of the \
          project names is of the tier 'style'.",
    fix: "Correct the spelling, move custom fields below 'metadata', or select the profile of the client that \
          supports the field.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Shows a rule. Use when a rule needs an example.\nmetadata:\n  owner: us\n---\n\n# Demo\n",
    )])],
    bad: &[
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Shows a rule. Use when a rule needs an example.\nallowed_tools: Read\n---\n\n# Demo\n",
        )]),
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Shows a rule. Use when a rule needs an example.\nversion: \"1\"\n---\n\n# Demo\n",
        )]),
    ],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(fields) = view.skill_fields() else { return };
    let extra = &view.context.settings.extra_fields;
    let known: Vec<&str> = KNOWN.iter().copied().chain(extra.iter().map(String::as_str)).collect();
    let unknown =
        fields.fields.iter().filter(|(key, _)| key.text().is_none_or(|written| !known.contains(&written)));
    let unknown: Vec<(&Node, &Node, Option<&str>)> = unknown
        .map(|(key, value)| (key, value, key.text().and_then(|w| slip(w, known.iter().copied()))))
        .collect();
    let mut claims: BTreeMap<&str, usize> = BTreeMap::new();
    for meant in unknown.iter().filter_map(|(_, _, meant)| *meant) {
        *claims.entry(meant).or_insert(0) += 1;
    }
    for (key, value, meant) in unknown {
        let Some(written) = key.text() else {
            report.at(key.span.clone(), format!("a field's name is {}, not text", key.kind()));
            continue;
        };
        let finding = report.at(key.span.clone(), format!("unknown frontmatter field '{}'", one_line(written)));
        let Some(meant) = meant else {
            finding.hint(advice(written));
            if changes_loading(fields, written, value) {
                finding.tier(Tier::Breaks);
            }
            continue;
        };
        finding.hint(format!("did you mean '{meant}'?"));
        if fields.get(meant).is_none() && !is_of_qwen(written, value) {
            // The author's text has no effect; for a custom field that is only a matter of form.
            finding.tier(Tier::Breaks);
        }
        // If two fields would get the same name, a person has to choose.
        if claims.get(meant) == Some(&1) && fields.get(meant).is_none() {
            finding.fix(Fix::risky(format!("rename to '{meant}'"), key.span.clone(), meant));
        }
    }
}

/// Lowers findings about fields that the code of the project names: its own program reads them.
pub fn weigh_own_fields(view: &SkillView<'_>, findings: &mut [Finding], is_named: impl Fn(&str) -> bool) {
    let is_shown = |finding: &&mut Finding| finding.rule.id == RULE.id && finding.tier() != Tier::Style;
    for finding in findings.iter_mut().filter(is_shown).take(SEARCHES_MAX) {
        let field = view.file(&finding.path).map(|file| file.slice(&finding.span()));
        if field.is_some_and(&is_named) {
            finding.issue.tier(Tier::Style).hint("code of the project reads it; move it below 'metadata' for other clients");
        }
    }
}

/// Whether a misspelled field would have changed by whom or when the skill is chosen: 'user_invocable: false'.
fn changes_loading(fields: &FrontMatter, written: &str, value: &Node) -> bool {
    let has_effect = |field: &str, value: &str| match field {
        "user-invocable" => value.eq_ignore_ascii_case("false"),
        "disable-model-invocation" => value.eq_ignore_ascii_case("true"),
        _ => !value.trim().is_empty(),
    };
    let meant = slip(written, CHOOSING).filter(|meant| fields.get(meant).is_none() && !KIMI_CODE.contains(&written));
    meant.zip(value.text()).is_some_and(|(field, value)| has_effect(field, value))
}

/// Fields of clients that say by whom or when a skill is chosen.
const CHOOSING: [&str; 3] = ["user-invocable", "disable-model-invocation", "when_to_use"];

/// Whether it is the list of tools as Qwen Code spells it, which reads no other value.
fn is_of_qwen(written: &str, value: &Node) -> bool {
    written == "allowedTools" && matches!(value.value, Value::List(_))
}

/// How Kimi Code spells two of them: https://moonshotai.github.io/kimi-code/en/customization/skills.
const KIMI_CODE: [&str; 2] = ["disableModelInvocation", "whenToUse"];

/// Advice for a field that resembles none of the specification.
fn advice(written: &str) -> String {
    if let Some(profile) = PROFILES.iter().find(|profile| profile.fields.contains(&written)) {
        return format!("a field of {}: lint with '--profile {}'", profile.label, profile.id);
    }
    let meant = PROFILES.iter().find_map(|profile| {
        let meant = slip(written, profile.fields.iter().copied())?;
        Some(format!("did you mean '{meant}', a field of {}?", profile.label))
    });
    meant.unwrap_or_else(|| "move it below 'metadata', the place for custom fields".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_names_the_client_that_knows_a_field() {
        assert!(advice("when_to_use").ends_with("lint with '--profile claude-code'"));
        assert!(advice("user_invocable").starts_with("did you mean 'user-invocable', a field of "));
        assert!(advice("version").starts_with("move it below 'metadata'"));
    }
}
