//! SKL114: plain scalars that different parsers read differently.

use crate::fix::Fix;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::scalar::{Scalar, quoted, scalars};
use crate::one_line::one_line;
use crate::yaml_type::{YamlType, is_read_differently, yaml_1_1, yaml_1_2};
use crate::{FileView, Report};

pub static RULE: Rule = Rule {
    id: "SKL114",
    name: "yaml-ambiguous-scalar",
    severity: Severity::Warning,
    tier: Tier::Style,
    origin: Origin::Field(
        "YAML 1.1 types (yaml.org/type) beside the core schema of YAML 1.2; metadata maps texts to texts",
    ),
    why: "Some clients read 'yes', '012' or '2026-01-31' as text, others as a boolean, a number or a date; typed \
          clients drop a skill whose name or version is not text.",
    fix: "Quote the value, or write 'true' or 'false' for a boolean.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
         metadata:\n  internal: true\n  version: \"1.0\"\n  released: \"2026-01-31\"\n  edition: v2\n---\n\n\
         # Demo\n\nText.\n",
    )])],
    bad: &[
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
             metadata:\n  version: 1.0\n  released: 2026-01-31\n---\n\n# Demo\n\nText.\n",
        )]),
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
             metadata:\n  internal: yes\n---\n\n# Demo\n\nText.\n",
        )]),
        Example {
            folder: "123",
            files: &[(
                "SKILL.md",
                "---\nname: 123\ndescription: Shows how one rule works. Use when a rule needs an example.\n---\n\n\
                 # 123\n\nText.\n",
            )],
        },
    ],
    check: Check::File(check),
};

/// Fields that are text according to the specification.
const TEXTS: [&str; 5] = ["name", "description", "license", "compatibility", "allowed-tools"];
/// Fields that are booleans for the clients that support them.
const BOOLEANS: [&[&str]; 7] = [
    &["disable-model-invocation"],
    &["user-invocable"],
    &["background"],
    &["default-enabled"],
    &["metadata", "internal"],
    &["metadata", "openclaw", "always"],
    &["metadata", "skillport", "alwaysApply"],
];

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let (Some((text, _)), Some(fields)) = (view.skill_md(), view.skill_fields()) else { return };
    for scalar in scalars(fields).iter().filter(|scalar| scalar.is_plain) {
        judge(text, scalar, report);
    }
}

fn judge(file: &str, scalar: &Scalar<'_>, report: &mut Report<'_>) {
    let (text, span) = (scalar.text, scalar.node.span.clone());
    let (old, new) = (yaml_1_1(text), yaml_1_2(text));
    let (key, value) = (scalar.shown(), one_line(text));
    let key = one_line(&key);
    let kind = if old == YamlType::Text { new } else { old }.with_article();
    if is_boolean(&scalar.keys) && old != YamlType::Bool {
        return;
    }
    let message = match (old, new) {
        _ if is_read_differently(text) => {
            format!("'{key}' is {kind} to some readers and not to others: '{value}'")
        }
        (YamlType::Text, _) => return,
        _ if !wants_text(&scalar.keys) => return,
        _ => format!("'{key}' is {kind} to YAML, not text: '{value}'"),
    };
    let is_written_so = file.get(span.clone()) == Some(text);
    let finding = report.at(span.clone(), message);
    if !is_written_so {
        return;
    }
    if is_boolean(&scalar.keys) {
        let value = if is_yes(text) { "true" } else { "false" };
        finding.fix(Fix::risky(format!("write '{value}'"), span, value));
    } else {
        finding.fix(Fix::safe("put quotes around it", span, quoted(text)));
    }
}

fn wants_text(keys: &[&str]) -> bool {
    match keys {
        _ if is_boolean(keys) => false,
        [field] => TEXTS.contains(field),
        ["metadata", _] => true,
        _ => false,
    }
}

fn is_boolean(keys: &[&str]) -> bool {
    BOOLEANS.contains(&keys)
}

fn is_yes(text: &str) -> bool {
    ["y", "yes", "on"].iter().any(|yes| text.eq_ignore_ascii_case(yes))
}
