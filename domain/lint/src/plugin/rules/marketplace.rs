//! Rules for `.claude-plugin/marketplace.json`.

use super::claude;
use super::common::{SKILL, text_only};
use crate::plugin::rule::{PluginEffect, PluginReport, PluginRule};
use crate::plugin::view::{PathState, PluginView, inside};
use skillc_domain::json::{JsonNode, JsonValue};

/// Where Claude Code documents a marketplace.
const SOURCE: &str = "https://code.claude.com/docs/en/plugins/marketplace-reference";

pub static SHAPE: PluginRule = PluginRule {
    id: "PLG311",
    name: "marketplace-shape",
    effect: PluginEffect::Refused,
    why: "A marketplace has a name, an owner with a name, and a list of plugins. Without them Claude Code does not add it, and none of its plugins can be installed.",
    fix: "Add what is missing.",
    source: SOURCE,
    bad: &[(".claude-plugin/marketplace.json", "{\"name\": \"demo\", \"plugins\": []}\n")],
    good: &[(".claude-plugin/marketplace.json", NO_PLUGIN)],
};

pub static NAME: PluginRule = PluginRule {
    id: "PLG312",
    name: "marketplace-name",
    effect: PluginEffect::Refused,
    why: "The name of a marketplace must not contain spaces, and some names are reserved for Anthropic. Claude Code does not add a marketplace with an invalid name.",
    fix: "Name it after yourself, in lowercase letters, digits and hyphens.",
    source: SOURCE,
    bad: &[(
        ".claude-plugin/marketplace.json",
        "{\"name\": \"agent-skills\", \"owner\": {\"name\": \"Ada\"}, \"plugins\": []}\n",
    )],
    good: &[(".claude-plugin/marketplace.json", NO_PLUGIN)],
};

pub static ENTRY: PluginRule = PluginRule {
    id: "PLG313",
    name: "marketplace-plugin",
    effect: PluginEffect::Refused,
    why: "Each plugin of a marketplace has a unique name and a source: a path that begins with './', or an object that names one. A single entry without them is enough for Claude Code to refuse the marketplace.",
    fix: "Correct the entry.",
    source: SOURCE,
    bad: &[(
        ".claude-plugin/marketplace.json",
        "{\"name\": \"demo\", \"owner\": {\"name\": \"Ada\"}, \"plugins\": [{\"name\": \"demo\"}]}\n",
    )],
    good: &[
        (
            ".claude-plugin/marketplace.json",
            "{\"name\": \"demo\", \"owner\": {\"name\": \"Ada\"}, \"plugins\": [{\"name\": \"demo\", \"source\": \"./plugins/demo\"}]}\n",
        ),
        ("plugins/demo/README.md", "# Demo\n"),
    ],
};

pub static PATH: PluginRule = PluginRule {
    id: "PLG314",
    name: "marketplace-path",
    effect: PluginEffect::PartDropped,
    why: "The plugin of an entry does not exist at its source, so it cannot be installed.",
    fix: "Correct the path, which is relative to the folder above .claude-plugin.",
    source: SOURCE,
    bad: &[(
        ".claude-plugin/marketplace.json",
        "{\"name\": \"demo\", \"owner\": {\"name\": \"Ada\"}, \"plugins\": [{\"name\": \"demo\", \"source\": \"./plugins/demo\"}]}\n",
    )],
    good: ENTRY_GOOD,
};

const NO_PLUGIN: &str = "{\"name\": \"demo\", \"owner\": {\"name\": \"Ada\"}, \"plugins\": []}\n";
const ENTRY_GOOD: crate::plugin::rule::PluginFiles = &[
    (
        ".claude-plugin/marketplace.json",
        "{\"name\": \"demo\", \"owner\": {\"name\": \"Ada\"}, \"plugins\": [{\"name\": \"demo\", \"source\": \"./\"}]}\n",
    ),
    ("skills/x/SKILL.md", SKILL),
];

/// Names that belong to Anthropic.
const RESERVED: [&str; 8] = [
    "claude-code-marketplace",
    "claude-code-plugins",
    "claude-plugins-official",
    "anthropic-marketplace",
    "anthropic-plugins",
    "agent-skills",
    "knowledge-work-plugins",
    "life-sciences",
];

/// Valid kinds of a 'source' object.
const SOURCES: [&str; 5] = ["github", "url", "git-subdir", "npm", "archive"];

pub(super) fn check(root: &JsonNode, view: &PluginView<'_>, report: &mut PluginReport<'_>) {
    name(root, report);
    match root.get("owner") {
        None => report.add_missing(&SHAPE, "'owner' is missing"),
        Some(owner) if owner.get("name").and_then(JsonNode::text).is_none_or(str::is_empty) => {
            report.add(&SHAPE, &owner.span, "'owner' has no name");
        }
        Some(_) => {}
    }
    match root.get("plugins") {
        None => report.add_missing(&SHAPE, "'plugins' is missing"),
        Some(plugins) if !matches!(plugins.value, JsonValue::List(_)) => {
            report.add(&SHAPE, &plugins.span, format!("'plugins' is {}, not a list", plugins.value.kind()));
        }
        Some(plugins) => entries(root, plugins, view, report),
    }
}

fn name(root: &JsonNode, report: &mut PluginReport<'_>) {
    let Some(node) = root.get("name") else { return report.add_missing(&SHAPE, "'name' is missing") };
    match node.text() {
        None => report.add(&SHAPE, &node.span, format!("'name' is {}, not text", node.value.kind())),
        Some(name) if RESERVED.contains(&name) => {
            report.add(&NAME, &node.span, format!("name '{name}' is reserved for Anthropic"));
        }
        Some(name) if name.is_empty() || name.contains(char::is_whitespace) => {
            report.add(&NAME, &node.span, format!("name '{name}' is empty or contains a blank"));
        }
        Some(name) if impersonates(name) => {
            report.add(&NAME, &node.span, format!("name '{name}' looks like an official Anthropic name"));
        }
        Some(_) => {}
    }
}

/// Whether Claude Code considers a name an attempt to look official.
fn impersonates(name: &str) -> bool {
    name.contains("official") && (name.contains("claude") || name.contains("anthropic"))
}

fn entries(root: &JsonNode, plugins: &JsonNode, view: &PluginView<'_>, report: &mut PluginReport<'_>) {
    let names: Vec<Option<&str>> =
        plugins.items().iter().map(|entry| entry.get("name").and_then(JsonNode::text)).collect();
    for (at, entry) in plugins.items().iter().enumerate() {
        let shown = names[at].map_or_else(|| format!("plugin {}", at + 1), |name| format!("plugin '{name}'"));
        if !matches!(entry.value, JsonValue::Object(_)) {
            let message = format!("{shown} is {}, not an object", entry.value.kind());
            report.add(&ENTRY, &entry.span, message);
            continue;
        }
        match names[at] {
            None => report.add(&ENTRY, &entry.span, format!("{shown} has no name")),
            Some(name) if name.is_empty() || name.contains(char::is_whitespace) => {
                report.add(&ENTRY, &entry.span, format!("the name of {shown} is empty or contains a blank"));
            }
            Some(_) if names[..at].contains(&names[at]) => {
                report.add(&ENTRY, &entry.span, format!("{shown} is listed twice"));
            }
            Some(_) => {}
        }
        for key in ["version", "description"] {
            text_only(entry, key, &ENTRY, report);
        }
        for item in entry.get("skills").map(JsonNode::items).unwrap_or_default() {
            claude::path("skills", item, view, report);
        }
        source(root, &shown, entry, view, report);
    }
}

fn source(
    root: &JsonNode,
    shown: &str,
    entry: &JsonNode,
    view: &PluginView<'_>,
    report: &mut PluginReport<'_>,
) {
    let Some(source) = entry.get("source") else {
        return report.add(&ENTRY, &entry.span, format!("{shown} has no 'source'"));
    };
    match &source.value {
        JsonValue::Text(path) => local(root, shown, path, source, view, report),
        JsonValue::Object(_) => {
            let kind = source.get("source").and_then(JsonNode::text);
            if kind.is_none_or(|kind| !SOURCES.contains(&kind)) {
                let message =
                    format!("'source' of {shown} has the unknown kind '{}'", kind.unwrap_or_default());
                report.add(&ENTRY, &source.span, message);
            }
        }
        other => {
            let message = format!("'source' of {shown} is {}, neither a path nor an object", other.kind());
            report.add(&ENTRY, &source.span, message);
        }
    }
}

fn local(
    root: &JsonNode,
    shown: &str,
    path: &str,
    node: &JsonNode,
    view: &PluginView<'_>,
    report: &mut PluginReport<'_>,
) {
    // Paths may be relative to another folder.
    if root.get("metadata").is_some_and(|metadata| metadata.get("pluginRoot").is_some()) {
        return;
    }
    let Some(inner) = inside(path) else {
        let message =
            format!("'source' of {shown} is '{path}', which does not begin with './' or contains '..'");
        return report.add(&ENTRY, &node.span, message);
    };
    match (view.look)(&inner) {
        PathState::Folder => {}
        PathState::Outside => {
            report.add(&ENTRY, &node.span, format!("'source' of {shown} leads out of the marketplace"))
        }
        PathState::File | PathState::Missing => {
            report.add(&PATH, &node.span, format!("'source' of {shown} is '{path}', which is not a folder"));
        }
    }
}
