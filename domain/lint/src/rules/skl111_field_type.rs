//! SKL111: fields of the specification with a value of the wrong type.

use skillc_domain::frontmatter::{FrontMatter, Node, Value};
use crate::fix::Fix;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::scalar::written;
use crate::one_line::one_line;
use crate::{FileView, Report};

pub static RULE: Rule = Rule {
    id: "SKL111",
    name: "field-type",
    severity: Severity::Warning,
    tier: Tier::Style,
    origin: Origin::Specification("frontmatter fields"),
    why: "Typed readers drop the field or the whole skill if they find a list where text belongs: 'gh skill publish' \
          rejects 'allowed-tools' as a list, and 'metadata' maps strings to strings.",
    fix: "Write the field as one text, with spaces between tools.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
         license: MIT\nallowed-tools: Read Bash(git:*)\nmetadata:\n  author: someone\n  version: \"1.0\"\n---\n\n\
         # Demo\n\nText.\n",
    )])],
    bad: &[
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
             allowed-tools:\n- Read\n- Bash(git:*)\n---\n\n# Demo\n\nText.\n",
        )]),
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
             license: [MIT, Apache-2.0]\nmetadata:\n  tags: [a, b]\n---\n\n# Demo\n\nText.\n",
        )]),
    ],
    check: Check::File(check),
};

/// Fields with a single text; SKL101 and SKL105 check `name` and `description`.
const TEXTS: [&str; 3] = ["license", "compatibility", "allowed-tools"];
/// Keys of `metadata` for which a client defines nested values.
const NESTED_METADATA: [&str; 3] = ["openclaw", "clawdbot", "skillport"];

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let (Some((text, _)), Some(fields)) = (view.skill_md(), view.skill_fields()) else { return };
    for (key, node) in &fields.fields {
        let Some(name) = key.text().filter(|name| TEXTS.contains(name)) else { continue };
        let Some(kind) = kind(node) else { continue };
        let finding = report.at(node.span.clone(), format!("'{name}' is {kind}, not text"));
        if let Some(fix) = (name == "allowed-tools").then(|| joined(text, key, node)).flatten() {
            finding.fix(fix);
        }
    }
    metadata(fields, report);
}

fn metadata(fields: &FrontMatter, report: &mut Report<'_>) {
    let Some(node) = fields.get("metadata") else { return };
    match &node.value {
        Value::Null => {}
        Value::Scalar { .. } => {
            report.at(node.span.clone(), "'metadata' is text, not a mapping");
        }
        Value::List(_) => {
            report.at(node.span.clone(), "'metadata' is a list, not a mapping");
        }
        Value::Map(entries) => {
            for (key, value) in entries {
                let name = key.text().unwrap_or_default();
                if let (Some(kind), false) = (kind(value), NESTED_METADATA.contains(&name)) {
                    report.at(value.span.clone(), format!("'metadata.{}' is {kind}, not text", one_line(name)));
                }
            }
        }
    }
}

/// The kind of a value that should be text; `None` for text and for an empty value.
fn kind(node: &Node) -> Option<&'static str> {
    match node.value {
        Value::Null | Value::Scalar { .. } => None,
        Value::List(_) | Value::Map(_) => Some(node.kind()),
    }
}

/// The list's items as one text, if each item stays intact and no comment is lost.
fn joined(text: &str, key: &Node, node: &Node) -> Option<Fix> {
    let Value::List(items) = &node.value else { return None };
    let whole = key.span.end..node.span.end;
    let items: Vec<&str> = items.iter().map(Node::text).collect::<Option<_>>()?;
    let is_one = |item: &&str| !item.is_empty() && !item.contains([',', ' ', '\t', '\n']);
    if items.is_empty() || !items.iter().all(is_one) || text.get(whole.clone())?.contains('#') {
        return None;
    }
    let value = written(&items.join(" "));
    Some(Fix::risky("write the tools as one text", whole, format!(": {value}")))
}
