//! Agents' tools that concern files and skills. Names with the same meaning for every agent are in one table; an
//! agent whose tool differs handles it itself.

use crate::json::text;
use serde_json::Value;
use skillc_domain::history::shell::ShellText;
use skillc_domain::history::{AgentAction, LineRange, SkillChooser};

const PATHS: &[&str] = &["file_path", "filePath", "path", "absolute_path", "target_file"];

/// The action of a tool call; `None` if it concerns neither files nor skills.
pub fn action(tool: &str, input: &Value) -> Option<AgentAction> {
    match tool {
        "Skill" | "skill" | "activate_skill" | "load_skill" | "invoke_skill" | "skills" => {
            let name = text(input, &["skill", "name", "skill_name"])?.to_owned();
            Some(AgentAction::Loaded { name, path: None, by: SkillChooser::Agent })
        }
        "Read" | "read" | "view" | "ReadFile" | "read_file" => {
            Some(AgentAction::Read { path: text(input, PATHS)?.to_owned(), lines: lines(input) })
        }
        "Bash" | "bash" | "Shell" | "shell" | "Execute" | "run_shell_command" | "run_terminal_cmd"
        | "exec_command" | "shell_command" => shell(input),
        "Grep" | "grep" | "rg" | "search_file_content" | "grep_search" => {
            Some(AgentAction::Searched { path: text(input, &["path", "dir_path"]).map(str::to_owned) })
        }
        _ => None,
    }
}

/// Converts a read whose offset counts from 0 instead of 1; other actions stay unchanged.
pub fn counted_from_zero(found: AgentAction, input: &Value) -> AgentAction {
    match (found, input["offset"].as_u64()) {
        (AgentAction::Read { path, .. }, Some(offset)) => {
            let lines = LineRange::of_offset(Some(offset.saturating_add(1)), input["limit"].as_u64());
            AgentAction::Read { path, lines }
        }
        (found, _) => found,
    }
}

/// A shell command: a line or a list of words.
fn shell(input: &Value) -> Option<AgentAction> {
    let command = input.get("command").or_else(|| input.get("cmd"))?;
    let text_of = match command {
        Value::String(line) => ShellText::Line(line.clone()),
        Value::Array(words) => {
            ShellText::Words(words.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        }
        _ => return None,
    };
    let workdir = text(input, &["workdir", "working_directory", "directory", "dir_path", "cwd"]);
    Some(AgentAction::Shell { text: text_of, workdir: workdir.map(str::to_owned) })
}

/// The lines of a read, in any of the forms that tools use.
fn lines(input: &Value) -> LineRange {
    let number = |key: &str| input.get(key).and_then(Value::as_i64);
    if let Some([first, rest @ ..]) = input.get("view_range").and_then(Value::as_array).map(Vec::as_slice) {
        return LineRange::between(first.as_i64(), rest.first().and_then(Value::as_i64));
    }
    let ends = ["start_line", "end_line"].map(number);
    if ends.iter().any(Option::is_some) {
        return LineRange::between(ends[0], ends[1]);
    }
    let positive = |key: &str| number(key).and_then(|number| u64::try_from(number).ok());
    LineRange::of_offset(positive("offset"), positive("limit"))
}
