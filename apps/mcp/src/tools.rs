//! The tools, generated from the list of operations.

use crate::schema::{input, output};
use rmcp::model::{Tool, ToolAnnotations};
use skillc_ops::{OPS, OperationEntry, Surface, ToolGroup};
use std::sync::{Arc, LazyLock};

/// The tools that a server offers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToolSet {
    /// Those that find and read skills.
    Read,
    /// Those for authors of skills.
    Author,
    /// Every tool.
    #[default]
    All,
}

impl ToolSet {
    /// Every set, by the name that the command line gives it.
    pub const NAMES: [(&str, Self); 3] = [("read", Self::Read), ("author", Self::Author), ("all", Self::All)];

    /// The instructions of a server that offers the set.
    pub(crate) fn instructions(self) -> String {
        match self {
            Self::Read => READING.to_owned(),
            Self::Author => AUTHORING.to_owned(),
            Self::All => format!("{READING} {AUTHORING}"),
        }
    }

    /// The names of its tools.
    pub(crate) fn names(self) -> &'static [String] {
        static NAMES: LazyLock<[Vec<String>; 3]> = LazyLock::new(|| {
            ToolSet::NAMES.map(|(_, set)| offered(set).map(OperationEntry::tool_name).collect())
        });
        &NAMES[self as usize]
    }

    fn has(self, group: ToolGroup) -> bool {
        match self {
            Self::Read => group == ToolGroup::Read,
            Self::Author => group == ToolGroup::Author,
            Self::All => true,
        }
    }
}

/// How an agent finds and reads skills. Clients send it to the model before the first call.
const READING: &str = "Agent Skills are folders of instructions for particular tasks. Before a task, call skill_search \
with what is to be done, in plain words; then call skill_load with the path of the result that fits, and follow the text. \
To read only part of a big skill, pass its path as `skill` to skc_outline (lists the headings) or skc_sources (lists \
the files), then call skc_open for one file. Of a skill that was built, skc_search also finds sections by their words, \
and skc_show returns one section. Run a skill's scripts from its base directory, which replies give.";

/// What the tools for authors do.
const AUTHORING: &str = "To write a skill: skc_init creates it, skc_lint checks it, skc_build compiles and deploys it, \
skc_stats counts its use.";

/// The operation behind the name of a tool; `None` for an unknown name.
pub fn operation(tool: &str) -> Option<&'static OperationEntry> {
    OPS.iter().find(|entry| entry.surface == Surface::Everywhere && entry.tool_name() == tool)
}

/// The tools of a set, ordered by name.
pub fn tool_list(set: ToolSet) -> Vec<Tool> {
    let mut tools: Vec<Tool> = offered(set).map(tool).collect();
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    tools
}

/// The operations that are tools of a set.
fn offered(set: ToolSet) -> impl Iterator<Item = &'static OperationEntry> {
    OPS.iter().filter(move |entry| entry.surface == Surface::Everywhere && set.has(entry.tool_group))
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
        .with_raw_output_schema(Arc::new(output()))
        .with_annotations(annotations)
}
