//! The list of operations as the list of tools.

use crate::schema::{input, output};
use rmcp::model::{Tool, ToolAnnotations};
use skillc_ops::Surface;
use skillc_ops::operation::{Entry, OPS};
use std::sync::Arc;

/// What stands before a verb in the name of its tool.
const PREFIX: &str = "skc_";

/// The operation behind a tool's name.
pub fn operation(tool: &str) -> Option<&'static Entry> {
    let verb = tool.strip_prefix(PREFIX)?;
    OPS.iter().find(|entry| entry.name == verb && entry.surface == Surface::Everywhere)
}

/// Every tool, by name.
pub fn tool_list() -> Vec<Tool> {
    let mut tools: Vec<Tool> =
        OPS.iter().filter(|entry| entry.surface == Surface::Everywhere).map(tool).collect();
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    tools
}

fn tool(entry: &Entry) -> Tool {
    let about = (entry.augment)(Default::default()).get_about().map(ToString::to_string);
    let annotations = ToolAnnotations::new()
        .read_only(entry.is_read_only)
        .destructive(!entry.is_read_only && entry.name == "build")
        .idempotent(true)
        .open_world(false);
    Tool::new(format!("{PREFIX}{}", entry.name), about.unwrap_or_default(), Arc::new(input(entry)))
        .with_raw_output_schema(Arc::new(output(entry)))
        .with_annotations(annotations)
}
