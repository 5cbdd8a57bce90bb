//! SKL521: tool permissions that allow everything.

use skillc_domain::frontmatter::Node;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::scalar::part_of;
use crate::one_line::one_line;
use crate::tools::{self, ToolEntry};
use crate::security::needed_commands;
use crate::rules::skl108_description_triggers::is_only_invoked_by_user;
use crate::{FileView, Report};
use skillc_domain::markup::Markup;

pub static RULE: Rule = Rule {
    id: "SKL521",
    name: "broad-tools",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field(
        "agnix CC-SK-007 and CP-SK-002, from https://code.claude.com/docs/en/skills and the Copilot documentation",
    ),
    why: "Tools in 'allowed-tools' run without a prompt. An unrestricted shell allows every command, including those \
          that untrusted text asks the agent to run. Of the tier 'style' for a skill that shows no command of its own \
          and has the agent run the tests or the build of the project at hand: no list can name these.",
    fix: "Name the commands that the skill needs, such as 'Bash(git:*)', or omit the shell so that each command \
          prompts.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
         allowed-tools: Read Bash(git:*) Bash(npm run *) mcp__tickets__*\n---\n\n# Demo\n\nText.\n",
    )])],
    bad: &[
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
             allowed-tools: Read, Bash\n---\n\n# Demo\n\nText.\n",
        )]),
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
             allowed-tools: Read Bash(:*)\n---\n\n# Demo\n\nText.\n",
        )]),
    ],
    check: Check::File(check),
};

/// Commands that run any other command given as an argument.
const RUNNERS: &str = "bash|sh|zsh|sudo|eval|exec|env|xargs|pwsh|powershell|cmd";

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, markup)) = view.skill_md() else { return };
    let Some(field) = view.skill_fields().and_then(|fields| fields.get("allowed-tools")) else { return };
    for (node, tools, entry) in tools::listed(field) {
        if is_broad(tools, &entry) {
            report_entry((text, markup), (node, tools, &entry), is_only_invoked_by_user(view), report);
        }
    }
}

fn report_entry(
    (file, markup): (&str, &Markup),
    (node, tools, entry): (&Node, &str, &ToolEntry),
    is_user_only: bool,
    report: &mut Report<'_>,
) {
    let (written, name) = (&tools[entry.span.clone()], &tools[entry.name.clone()]);
    let what = if name == "*" { "every tool" } else { "every command" };
    let at = part_of(file, node, entry.span.clone());
    let finding = report.at(at, format!("'{}' allows {what} without a prompt", one_line(written)));
    let commands = needed_commands::named(file, markup);
    if is_user_only && needed_commands::are_scripts(file, markup) {
        finding.tier(Tier::Style).hint("the user starts the skill, and no pattern matches its scripts of several commands");
        return;
    }
    if commands.is_empty() && needed_commands::are_of_project(&file[markup.body_start()..]) {
        finding.tier(Tier::Style).hint(format!("leave '{}' out, and each command asks first", one_line(name)));
        return;
    }
    let example = match commands.len() {
        1..=COMMANDS_NAMED_MAX if name != "*" && !commands.iter().any(|command| may_do_all(command)) => {
            commands.iter().map(|command| format!("{name}({command}:*)")).collect::<Vec<_>>().join(" ")
        }
        0 => {
            finding.hint(format!("the text shows no command: leave '{}' out, and each one asks first", one_line(name)));
            return;
        }
        _ => {
            finding.hint("name the commands that the skill needs, or leave it out, and each one asks first");
            return;
        }
    };
    finding.hint(format!("name the commands, such as '{example}', or leave it out, and each one asks first"));
}

/// Whether a command runs what it is given, or fetches it.
fn may_do_all(command: &str) -> bool {
    const ALL: &[&str] = &["curl", "wget", "node", "npx", "uvx", "rm", "ssh", "docker"];
    ALL.contains(&command) || command.starts_with("python") || RUNNERS.split('|').any(|runner| runner == command)
}

/// Maximum number of commands that a hint names.
const COMMANDS_NAMED_MAX: usize = 3;

/// Whether an entry permits a whole shell, or all tools.
fn is_broad(tools: &str, entry: &ToolEntry) -> bool {
    let name = &tools[entry.name.clone()];
    // `bash` grants nothing: SKL110 reports the spelling.
    let is_shell = ["Bash", "shell", "PowerShell"].contains(&name);
    let argument = &tools[entry.name.end..entry.span.end];
    let argument = argument.trim_start_matches('(').trim_end_matches(')').trim();
    let command = argument.trim_end_matches(['*', ':', ' ']);
    // `Bash(sh)` is a shell without arguments, `Bash(sh:*)` allows everything.
    let is_open = command.len() < argument.len() && RUNNERS.split('|').any(|runner| runner == command);
    (name == "*" && argument.is_empty()) || (is_shell && (command.is_empty() || is_open))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_entry_without_limits_is_broad() {
        for (text, expected) in [
            ("Bash", true),
            ("bash", false),
            ("shell", true),
            ("*", true),
            ("Bash(*)", true),
            ("Bash(*:*)", true),
            ("Bash(:*)", true),
            ("Bash()", true),
            ("Bash(sudo:*)", true),
            ("Bash(sh *)", true),
            ("Bash(sh)", false),
            ("Bash(git:*)", false),
            ("Bash(git *)", false),
            ("Bash(é:*)", false),
            ("BashOutput", false),
            ("mcp__x__*", false),
            ("shell(git:*)", false),
        ] {
            let found = tools::entries(text);
            assert_eq!(found.iter().any(|entry| is_broad(text, entry)), expected, "{text}");
        }
    }
}
