//! SKL110: tools that no client has.

use skillc_domain::frontmatter::{Node, Value};
use crate::fix::Fix;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::scalar::part_of;
use crate::one_line::one_line;
use crate::tools::{ToolEntry, KnownTool, entries, entry, known};
use crate::{FileView, Report};

/// The rule.
pub static RULE: Rule = Rule {
    id: "SKL110",
    name: "allowed-tools-known",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Client("Claude Code", "https://code.claude.com/docs/en/tools-reference"),
    why: "Clients silently ignore a tool they do not know: a tool that should be allowed still prompts each time, \
          and one that should be denied is not. Names are case-sensitive.",
    fix: "Write the tool as the client's documentation does. Tools of MCP servers are 'mcp__server__tool'.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
         allowed-tools: Read Grep Bash(git status:*) mcp__tickets__find run_shell_command\n---\n\n# Demo\n\nText.\n",
    )])],
    bad: &[
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
             allowed-tools: Read WebFetsh\n---\n\n# Demo\n\nText.\n",
        )]),
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
             allowed-tools: \"read, Grep\"\n---\n\n# Demo\n\nText.\n",
        )]),
    ],
    check: Check::File(check),
};

/// The fields that hold tools.
const FIELDS: [&str; 2] = ["allowed-tools", "disallowed-tools"];

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, _)) = view.skill_md() else { return };
    for node in FIELDS.into_iter().filter_map(|field| view.skill_fields()?.get(field)) {
        match &node.value {
            Value::Scalar { text: tools, .. } => {
                entries(tools).into_iter().for_each(|found| judge(text, node, tools, found, report));
            }
            // A client takes an item of a list for one tool, however many words it has.
            Value::List(items) => {
                for item in items {
                    let tools = item.text().unwrap_or_default();
                    let found = entry(tools, 0..tools.len(), true);
                    found.into_iter().for_each(|found| judge(text, item, tools, found, report));
                }
            }
            Value::Null | Value::Map(_) => {}
        }
    }
}

fn judge(file: &str, node: &Node, tools: &str, found: ToolEntry, report: &mut Report<'_>) {
    let name = &tools[found.name.clone()];
    let at = part_of(file, node, found.name.clone());
    match known(name) {
        _ if !found.is_closed => {
            let entry = one_line(&tools[found.span.clone()]).into_owned();
            report.at(part_of(file, node, found.span), format!("parenthesis is not closed in '{entry}'"));
        }
        KnownTool::Yes => {}
        KnownTool::OtherCase(tool) => {
            let finding = report.at(at.clone(), format!("tool '{}' is '{tool}' in Claude Code", one_line(name)));
            if file.get(at.clone()) == Some(name) {
                finding.fix(Fix::risky(format!("write '{tool}'"), at, tool));
            }
        }
        KnownTool::No(near) => {
            let finding = report.at(at, format!("tool '{}' is not known", one_line(name)));
            if let Some(near) = near {
                finding.hint(format!("did you mean '{near}'?"));
            }
        }
    }
}
