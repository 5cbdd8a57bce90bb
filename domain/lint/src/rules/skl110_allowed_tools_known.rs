//! SKL110: unknown tools in `allowed-tools`.

use skillc_domain::frontmatter::{Node, Value};
use crate::fix::{Edit, Fix, Safety};
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::scalar::part_of;
use crate::one_line::one_line;
use crate::tools::{ToolEntry, KnownTool, entries, entry, known};
use crate::{FileView, Report};
use std::ops::Range;

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

/// Fields that list tools.
const FIELDS: [&str; 2] = ["allowed-tools", "disallowed-tools"];

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, _)) = view.skill_md() else { return };
    for node in FIELDS.into_iter().filter_map(|field| view.skill_fields()?.get(field)) {
        let found = tools_of(node);
        report_other_case(text, &found, report);
        found.into_iter().for_each(|(node, tools, found)| judge(text, node, tools, found, report));
    }
}

/// The entries of a field with their scalars. A client reads a list item as one tool, however many words it has.
fn tools_of(field: &Node) -> Vec<(&Node, &str, ToolEntry)> {
    match &field.value {
        Value::Scalar { text, .. } => {
            entries(text).into_iter().map(|found| (field, text.as_str(), found)).collect()
        }
        Value::List(items) => items
            .iter()
            .filter_map(|item| {
                let text = item.text()?;
                Some((item, text, entry(text, 0..text.len(), true)?))
            })
            .collect(),
        Value::Null | Value::Map(_) => Vec::new(),
    }
}

/// Reports all names of a field that are tools in another case as one finding, since usually all are written that
/// way.
fn report_other_case(file: &str, listed: &[(&Node, &str, ToolEntry)], report: &mut Report<'_>) {
    let other_case = |(node, tools, found): &(&Node, &str, ToolEntry)| {
        let name = &tools[found.name.clone()];
        let KnownTool::OtherCase(tool) = known(name) else { return None };
        found.is_closed.then(|| (part_of(file, node, found.name.clone()), name.to_owned(), tool))
    };
    let found: Vec<(Range<usize>, String, &str)> = listed.iter().filter_map(other_case).collect();
    let Some((first, name, tool)) = found.first() else { return };
    let message = match found.as_slice() {
        [_] => format!("tool '{}' is '{tool}' in Claude Code", one_line(name)),
        all => {
            let tools: Vec<&str> = all.iter().map(|(_, _, tool)| *tool).collect();
            format!("{} tools are written in another case in Claude Code: '{}'", all.len(), tools.join("', '"))
        }
    };
    let finding = report.at(first.clone(), message);
    // Some clients, such as OpenCode, write all of their tools in lower case, and some have tools of their own.
    let is_foreign = |(_, tools, found): &(&Node, &str, ToolEntry)| matches!(known(&tools[found.name.clone()]), KnownTool::No(None));
    if listed.iter().any(is_foreign) || found.len() > 1 && listed.iter().all(|(_, tools, found)| !tools[found.name.clone()].contains(char::is_uppercase)) {
        finding.tier(Tier::Style);
    }
    if found.iter().all(|(at, name, _)| file.get(at.clone()) == Some(name)) {
        let edits = found.iter().map(|(at, _, tool)| Edit { span: at.clone(), text: (*tool).to_owned() }).collect();
        let title = if found.len() == 1 { format!("write '{tool}'") } else { "write them as Claude Code does".to_owned() };
        finding.fix(Fix { safety: Safety::Unsafe, title, edits });
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
        KnownTool::Yes | KnownTool::OtherCase(_) => {}
        KnownTool::No(near) => {
            let finding = report.at(at, format!("tool '{}' is not known", one_line(name)));
            match near {
                Some(near) => finding.hint(format!("did you mean '{near}'?")),
                // Perhaps a tool of another client.
                None => finding.tier(Tier::Style),
            };
        }
    }
}
