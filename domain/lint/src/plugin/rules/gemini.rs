//! Rules for `gemini-extension.json`.

use super::common::{text_only, texts_only};
use crate::plugin::rule::{PluginEffect, PluginReport, PluginRule};
use skillc_domain::json::{JsonNode, JsonValue};

/// The Gemini CLI code that reads an extension.
pub(in crate::plugin) const SOURCE: &str =
    "google-gemini/gemini-cli packages/cli/src/config/extension-manager.ts 001a804c";

pub static REQUIRED: PluginRule = PluginRule {
    id: "PLG501",
    name: "gemini-required",
    effect: PluginEffect::Refused,
    why: "Gemini CLI skips an extension without 'name' or 'version'.",
    fix: "Add both, as strings.",
    source: "google-gemini/gemini-cli packages/cli/src/config/extension-manager.ts 001a804c",
    bad: &[("gemini-extension.json", "{\"name\": \"demo\"}\n")],
    good: &[("gemini-extension.json", "{\"name\": \"demo\", \"version\": \"1.0.0\"}\n")],
};

pub static NAME: PluginRule = PluginRule {
    id: "PLG502",
    name: "gemini-name",
    effect: PluginEffect::Refused,
    why: "Gemini CLI skips an extension whose name contains characters other than letters, digits and hyphens.",
    fix: "Use letters, digits and hyphens; periods are valid only in Agent Plugins.",
    source: "google-gemini/gemini-cli packages/cli/src/config/extension-manager.ts 001a804c",
    bad: &[("gemini-extension.json", "{\"name\": \"demo.tools\", \"version\": \"1.0.0\"}\n")],
    good: &[("gemini-extension.json", "{\"name\": \"demo\", \"version\": \"1.0.0\"}\n")],
};

pub static SHAPE: PluginRule = PluginRule {
    id: "PLG503",
    name: "gemini-shape",
    effect: PluginEffect::PartDropped,
    why: "Gemini CLI does not check the types of values, so the feature that uses a value of the wrong type fails.",
    fix: "Write strings, lists of strings, and an object of servers.",
    source: "google-gemini/gemini-cli packages/cli/src/config/extension-manager.ts 001a804c",
    bad: &[("gemini-extension.json", "{\"name\": \"demo\", \"version\": \"1.0.0\", \"mcpServers\": []}\n")],
    good: &[("gemini-extension.json", "{\"name\": \"demo\", \"version\": \"1.0.0\", \"mcpServers\": {}}\n")],
};

pub(super) fn check(root: &JsonNode, report: &mut PluginReport<'_>) {
    for key in ["name", "version"] {
        match root.get(key).map(|node| (node, node.text())) {
            None => report.add_missing(&REQUIRED, format!("'{key}' is missing")),
            Some((node, Some(""))) => report.add(&REQUIRED, &node.span, format!("'{key}' is empty")),
            Some((node, None)) => {
                report.add(&REQUIRED, &node.span, format!("'{key}' is {}, not text", node.value.kind()));
            }
            Some(_) => {}
        }
    }
    let name = root.get("name").and_then(|node| Some((node, node.text().filter(|name| !name.is_empty())?)));
    if let Some((node, name)) = name
        && let Some(odd) = name.chars().find(|c| !c.is_ascii_alphanumeric() && *c != '-')
    {
        report.add(&NAME, &node.span, format!("name '{name}' contains '{}'", odd.escape_debug()));
    }
    text_only(root, "description", &SHAPE, report);
    texts_only(root, "excludeTools", &SHAPE, report);
    if let Some(servers) = root.get("mcpServers").filter(|node| !matches!(node.value, JsonValue::Object(_))) {
        report.add(&SHAPE, &servers.span, format!("'mcpServers' is {}, not an object", servers.value.kind()));
    }
}
