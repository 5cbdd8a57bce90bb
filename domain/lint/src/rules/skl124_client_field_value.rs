//! SKL124: values that are invalid for the clients that support the field.

use skillc_domain::frontmatter::{FrontMatter, Node, Value};
use crate::fix::Fix;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::rules::skl109_frontmatter_known;
use crate::scalar::quoted;
use crate::one_line::one_line;
use crate::verdict::PROFILES;
use crate::yaml_type::{YamlType, yaml_1_1, yaml_1_2};
use crate::{FileView, Finding, Report};

pub static RULE: Rule = Rule {
    id: "SKL124",
    name: "client-field-value",
    severity: Severity::Warning,
    tier: Tier::Breaks,
    origin: Origin::Client("Claude Code", "https://code.claude.com/docs/en/skills"),
    why: "A client ignores a value that it does not know, or drops the skill: the skill then silently runs with \
          another effort, in another context, or not at all. An 'agent' without 'context' is of the tier 'style' if several fields belong to another program, or the project has a program that reads the field.",
    fix: "Use one of the values in the client's documentation.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
         context: fork\nagent: Explore\neffort: high\nargument-hint: \"[file]\"\nbackground: false\n---\n\n\
         # Demo\n\nText.\n",
    )])],
    bad: &[
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
             argument-hint: [file]\n---\n\n# Demo\n\nText.\n",
        )]),
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
             effort: extreme\nagent: Explore\nuser-invocable: \"true\"\n---\n\n# Demo\n\nText.\n",
        )]),
    ],
    check: Check::File(check),
};

/// Lowers the finding about 'agent' if the project has a program that reads the field.
pub fn weigh_own_agent(findings: &mut [Finding], is_read: impl Fn() -> bool) {
    let is_about_agent = |finding: &&mut Finding| finding.rule.id == RULE.id && finding.issue.message.starts_with(AGENT_ALONE);
    if let Some(finding) = findings.iter_mut().find(is_about_agent).filter(|_| is_read()) {
        finding.issue.tier(Tier::Style).hint("code of the project reads the field; in Claude Code it has no effect");
    }
}

/// The beginning of the message about the field 'agent'.
const AGENT_ALONE: &str = "'agent' has no effect";

/// The values that a field accepts.
#[derive(Clone, Copy)]
enum Takes {
    Boolean,
    Text,
    TextOrList,
    Mapping,
    OneOf(&'static [&'static str]),
}

/// Fields that clients define beyond the specification, with the values that they accept (Claude Code, VS Code,
/// OpenClaw, Amp).
const FIELDS: [(&str, Takes); 22] = [
    ("agent", Takes::Text),
    ("argument-hint", Takes::Text),
    ("arguments", Takes::TextOrList),
    ("background", Takes::Boolean),
    ("command-arg-mode", Takes::OneOf(&["raw"])),
    ("command-dispatch", Takes::OneOf(&["tool"])),
    ("command-tool", Takes::Text),
    ("context", Takes::OneOf(&["fork"])),
    ("default-enabled", Takes::Boolean),
    ("disable-model-invocation", Takes::Boolean),
    ("disallowed-tools", Takes::TextOrList),
    ("display-name", Takes::Text),
    ("effort", Takes::OneOf(&["low", "medium", "high", "xhigh", "max"])),
    ("homepage", Takes::Text),
    ("hooks", Takes::Mapping),
    ("mcpServers", Takes::Mapping),
    ("model", Takes::Text),
    ("paths", Takes::TextOrList),
    ("shell", Takes::OneOf(&["bash", "powershell"])),
    ("targets", Takes::TextOrList),
    ("user-invocable", Takes::Boolean),
    ("when_to_use", Takes::Text),
];

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let (Some((file, _)), Some(fields)) = (view.skill_md(), view.skill_fields()) else { return };
    for (key, node) in &fields.fields {
        let field = FIELDS.iter().find(|(name, _)| key.text() == Some(name));
        if let Some((name, takes)) = field {
            judge(file, name, *takes, node, report);
        }
    }
    agent_without_fork(fields, report);
}

fn judge(file: &str, name: &str, takes: Takes, node: &Node, report: &mut Report<'_>) {
    let span = node.span.clone();
    match (takes, &node.value) {
        (_, Value::Null) | (Takes::Text | Takes::TextOrList, Value::Scalar { .. }) => {}
        (Takes::TextOrList, Value::List(_)) | (Takes::Mapping, Value::Map(_)) => {}
        (Takes::Boolean, Value::Scalar { text, is_plain }) => boolean(name, node, text, *is_plain, report),
        (Takes::OneOf(values), Value::Scalar { text, .. }) => {
            if !values.contains(&text.as_str()) {
                let known = values.join("', '");
                report
                    .at(span, format!("'{name}' is '{}', which no client knows", one_line(text)))
                    .hint(format!("known: '{known}'"));
            }
        }
        (Takes::Text | Takes::TextOrList, _) => {
            let finding = report.at(span, format!("'{name}' is {}, not text", node.kind()));
            if name == "argument-hint" {
                finding.hint("VS Code drops the skill; put quotes around the value");
            }
            if let Some(fix) = bracketed(file, node) {
                finding.fix(fix);
            }
        }
        (Takes::Boolean | Takes::OneOf(_), _) => {
            report.at(span, format!("'{name}' is {}, not one word", node.kind()));
        }
        (Takes::Mapping, _) => {
            report.at(span, format!("'{name}' is {}, not a mapping", node.kind()));
        }
    }
}

/// Checks a boolean. Values that only some parsers read as booleans are left to SKL114.
fn boolean(name: &str, node: &Node, text: &str, is_plain: bool, report: &mut Report<'_>) {
    let is_boolean = yaml_1_1(text) == YamlType::Bool || matches!(text, "0" | "1");
    if is_plain && is_boolean {
        return;
    }
    if yaml_1_2(text) == YamlType::Bool {
        let value = text.to_ascii_lowercase();
        report.at(node.span.clone(), format!("'{name}' is text, not a boolean: '{text}'")).fix(Fix::risky(
            format!("write {value} without quotes"),
            node.span.clone(),
            value,
        ));
    } else {
        report.at(node.span.clone(), format!("'{name}' is '{}', not true or false", one_line(text)));
    }
}

/// Fixes a value that begins with a bracket, such as `[file]`: without quotes it is a YAML list.
fn bracketed(file: &str, node: &Node) -> Option<Fix> {
    let written = file.get(node.span.clone())?;
    let is_one_line = written.starts_with(['[', '{']) && !written.contains(['\n', '\r']);
    is_one_line.then(|| Fix::risky("put quotes around it", node.span.clone(), quoted(written)))
}

fn agent_without_fork(fields: &FrontMatter, report: &mut Report<'_>) {
    let Some(agent) = fields.get("agent").filter(|node| node.text().is_some()) else { return };
    if fields.get("context").is_some() {
        return;
    }
    let finding = report.at(agent.span.clone(), "'agent' has no effect without 'context: fork'");
    if is_of_another_program(fields) {
        finding.tier(Tier::Style).hint("the field is Claude Code's, but others here belong to no known client");
    }
}

/// Number of unknown fields from which the front matter is taken to be for another program, to which `agent` may
/// belong.
const OWN_FIELDS: usize = 2;
/// Fields that no client reads, but that are common in skills for every client.
const COMMON: &[&str] = &["version", "author", "tags", "category", "categories", "keywords", "type", "source"];

/// Whether the front matter was written for a program that is not one of the clients: it has several fields that none
/// of them knows.
fn is_of_another_program(fields: &FrontMatter) -> bool {
    let is_known = |name: &str| {
        skl109_frontmatter_known::KNOWN.contains(&name)
            || COMMON.contains(&name)
            || FIELDS.iter().any(|(field, _)| *field == name)
            || PROFILES.iter().any(|profile| profile.fields.contains(&name))
    };
    let own = fields.fields.iter().filter(|(key, _)| key.text().is_some_and(|name| !is_known(name)));
    own.take(OWN_FIELDS).count() == OWN_FIELDS
}
