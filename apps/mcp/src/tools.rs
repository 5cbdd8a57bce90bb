//! The tools, generated from the list of operations.

use crate::schema::{input, output};
use rmcp::model::{Tool, ToolAnnotations};
use skillc_ops::{OPS, OperationEntry, Surface};
use std::sync::Arc;

/// The operation behind the name of a tool; `None` for an unknown name.
pub fn operation(tool: &str) -> Option<&'static OperationEntry> {
    OPS.iter().find(|entry| entry.surface == Surface::Everywhere && entry.tool_name() == tool)
}

/// Every tool, ordered by name.
pub fn tool_list() -> Vec<Tool> {
    let mut tools: Vec<Tool> =
        OPS.iter().filter(|entry| entry.surface == Surface::Everywhere).map(tool).collect();
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    tools
}

fn tool(entry: &OperationEntry) -> Tool {
    let mut arguments = input(entry);
    // The description of the request is that of the tool; it is not repeated.
    let about = arguments.remove("description").and_then(|about| about.as_str().map(str::to_owned));
    let annotations = ToolAnnotations::new()
        .read_only(entry.is_read_only)
        .destructive(entry.is_destructive)
        .idempotent(true)
        .open_world(false);
    Tool::new(entry.tool_name(), about.unwrap_or_default(), Arc::new(arguments))
        .with_raw_output_schema(Arc::new(output(entry)))
        .with_annotations(annotations)
}
