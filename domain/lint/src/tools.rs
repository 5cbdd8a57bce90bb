//! Tool names in `allowed-tools`, as clients know them.

use skillc_domain::frontmatter::{Node, Value};
use skillc_domain::suggest::slip;
use std::ops::Range;

/// Tools of Claude Code: those in its tools reference, and older ones that permission rules still name.
const CLAUDE_CODE: &[&str] = &[
    "Agent",
    "Artifact",
    "AskUserQuestion",
    "Bash",
    "BashOutput",
    "Config",
    "CronCreate",
    "CronDelete",
    "CronList",
    "DesignSync",
    "Edit",
    "EnterPlanMode",
    "EnterWorktree",
    "ExitPlanMode",
    "ExitWorktree",
    "Glob",
    "Grep",
    "KillBash",
    "KillShell",
    "LS",
    "LSP",
    "ListAgents",
    "ListMcpResources",
    "ListMcpResourcesTool",
    "Monitor",
    "MultiEdit",
    "NotebookEdit",
    "NotebookRead",
    "PowerShell",
    "PushNotification",
    "REPL",
    "Read",
    "ReadMcpResource",
    "ReadMcpResourceDirTool",
    "ReadMcpResourceTool",
    "ReadNotifications",
    "RemoteTrigger",
    "ReportFindings",
    "ScheduleWakeup",
    "SendFeedback",
    "SendMessage",
    "SendUserFile",
    "SendUserMessage",
    "Skill",
    "SlashCommand",
    "SuggestSkills",
    "Task",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "TaskUpdate",
    "TeamCreate",
    "TeamDelete",
    "TodoRead",
    "TodoWrite",
    "ToolSearch",
    "WebFetch",
    "WebSearch",
    "Workflow",
    "Write",
];

/// An entry in a list of tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolEntry {
    /// Byte range of the name with its parentheses.
    pub span: Range<usize>,
    /// Byte range of the name alone.
    pub name: Range<usize>,
    /// Whether all parentheses are closed.
    pub is_closed: bool,
}

/// What is known about a tool name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownTool {
    /// A client has such a tool or may have it; tools of MCP servers and of clients with other naming habits cannot
    /// be listed.
    Yes,
    /// A tool has the name in another case; holds the tool's name.
    OtherCase(&'static str),
    /// No client has it; holds the tool with the most similar name, if there is one.
    No(Option<&'static str>),
}

/// The entries of a text with tools separated by spaces or commas. Separators inside parentheses do not count.
pub fn entries(text: &str) -> Vec<ToolEntry> {
    let mut found = Vec::new();
    let (mut start, mut depth) = (0, 0_u32);
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let is_end = at == text.len();
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if is_end || (depth == 0 && (c == ',' || c.is_whitespace())) => {
                found.extend(entry(text, start..at, depth == 0));
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    found
}

/// The entries of a field that is a text or a list: each with its scalar and the scalar's text.
pub fn listed(field: &Node) -> Vec<(&Node, &str, ToolEntry)> {
    let scalars = match &field.value {
        Value::Scalar { .. } => std::slice::from_ref(field),
        Value::List(items) => items,
        Value::Null | Value::Map(_) => &[],
    };
    let with_text = scalars.iter().filter_map(|node| Some((node, node.text()?)));
    with_text
        .flat_map(|(node, text)| entries(text).into_iter().map(move |entry| (node, text, entry)))
        .collect()
}

/// The entry in a range of a text; `None` if it is only white space.
pub fn entry(text: &str, span: Range<usize>, is_closed: bool) -> Option<ToolEntry> {
    let written = &text[span.clone()];
    let start = span.start + (written.len() - written.trim_start().len());
    let end = start + written.trim().len();
    let name_end = text[start..end].find('(').map_or(end, |at| start + at);
    (start < end).then_some(ToolEntry { span: start..end, name: start..name_end, is_closed })
}

/// Looks up a tool name.
///
/// Only a word of ASCII letters and digits that begins with a capital can be a tool of Claude Code, since only that
/// client writes names this way. Any other word is judged only if it differs from one of these in case alone.
pub fn known(name: &str) -> KnownTool {
    // Copilot pre-approves its shell under this name.
    if CLAUDE_CODE.contains(&name) || name == "shell" {
        return KnownTool::Yes;
    }
    if let Some(tool) = CLAUDE_CODE.iter().find(|tool| tool.eq_ignore_ascii_case(name)) {
        return KnownTool::OtherCase(tool);
    }
    let is_claude_like =
        name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(|c| c.is_ascii_alphanumeric());
    if is_claude_like { KnownTool::No(slip(name, CLAUDE_CODE.iter().copied())) } else { KnownTool::Yes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_parted_by_blanks_and_commas_outside_of_parentheses() {
        let text = "Read, Bash(gh issue:*, x)  mcp__a__b,é\tBash(";
        let all = entries(text);
        let shown: Vec<_> = all.iter().map(|e| (&text[e.span.clone()], &text[e.name.clone()])).collect();
        let expected = [
            ("Read", "Read"),
            ("Bash(gh issue:*, x)", "Bash"),
            ("mcp__a__b", "mcp__a__b"),
            ("é", "é"),
            ("Bash(", "Bash"),
        ];
        assert_eq!(shown, expected);
        assert_eq!(all.iter().map(|e| e.is_closed).collect::<Vec<_>>(), [true, true, true, true, false]);
        assert_eq!(entries(" , "), []);
    }

    #[test]
    fn a_name_is_unknown_only_where_it_is_written_as_claude_code_writes_its_own() {
        for (name, expected) in [
            ("Read", KnownTool::Yes),
            ("shell", KnownTool::Yes),
            ("mcp__serena__find_symbol", KnownTool::Yes),
            ("run_shell_command", KnownTool::Yes),
            ("Azure MCP/documentation", KnownTool::Yes),
            ("*", KnownTool::Yes),
            ("bash", KnownTool::OtherCase("Bash")),
            ("WebFetsh", KnownTool::No(Some("WebFetch"))),
            ("FakeTool", KnownTool::No(None)),
            ("Python", KnownTool::No(None)),
        ] {
            assert_eq!(known(name), expected, "{name}");
        }
    }
}
