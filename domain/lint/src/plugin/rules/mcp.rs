//! Rules for the whole `mcp.json` of Agent Plugins 1.0.0.

use super::agent_plugin::{schema, version};
use super::common::{GOOD, MCP_SCHEMA};
use super::mcp_server;
use crate::plugin::rule::{PluginEffect, PluginReport, PluginRule};
use crate::plugin::view::PluginView;
use skillc_domain::json::{JsonNode, JsonValue};
use skillc_domain::plugin::PluginManifest;

pub static SCHEMA: PluginRule = PluginRule {
    id: "PLG201",
    name: "mcp-schema",
    effect: PluginEffect::PartDropped,
    why: "'$schema' of mcp.json must be the version that plugin.json declares. Otherwise clients start none of its servers.",
    fix: "Set '$schema' to https://agent-plugins.org/schemas/1.0.0/mcp.schema.json.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 7.2.1, 7.2.2 and 10.1",
    bad: &[("plugin.json", GOOD), ("mcp.json", "{\"mcpServers\": {}}\n")],
    good: &[("plugin.json", GOOD), ("mcp.json", EMPTY)],
};

pub static FIELDS: PluginRule = PluginRule {
    id: "PLG202",
    name: "mcp-fields",
    effect: PluginEffect::PartDropped,
    why: "mcp.json has '$schema' and the object 'mcpServers', and no other fields. Otherwise clients start none of its servers.",
    fix: "Put the servers into 'mcpServers', and remove other fields.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 7.2.1 and 7.2.2",
    bad: &[
        ("plugin.json", GOOD),
        (
            "mcp.json",
            "{\n  \"$schema\": \"https://agent-plugins.org/schemas/1.0.0/mcp.schema.json\",\n  \"servers\": {}\n}\n",
        ),
    ],
    good: &[("plugin.json", GOOD), ("mcp.json", EMPTY)],
};

/// A file without servers, which is valid.
pub(super) const EMPTY: &str = "{\n  \"$schema\": \"https://agent-plugins.org/schemas/1.0.0/mcp.schema.json\",\n  \"mcpServers\": {}\n}\n";

pub(super) fn check(root: &JsonNode, view: &PluginView<'_>, report: &mut PluginReport<'_>) {
    schema(root, MCP_SCHEMA, &SCHEMA, report);
    mismatch(root, view, report);
    for member in root.members() {
        if !["$schema", "mcpServers"].contains(&member.key.as_str()) {
            report.add(&FIELDS, &member.key_span, format!("'{}' is not a field of mcp.json", member.key));
        }
    }
    match root.get("mcpServers") {
        None => report.add_missing(&FIELDS, "'mcpServers' is missing"),
        Some(node) if !matches!(node.value, JsonValue::Object(_)) => {
            report.add(&FIELDS, &node.span, format!("'mcpServers' is {}, not an object", node.value.kind()));
        }
        Some(node) => {
            node.members().iter().for_each(|member| mcp_server::check(member, view, report));
        }
    }
}

/// Reports two schemas of different known versions.
fn mismatch(root: &JsonNode, view: &PluginView<'_>, report: &mut PluginReport<'_>) {
    let plugin = view.value(PluginManifest::AgentPlugin).and_then(|plugin| plugin.get("$schema"));
    let (Some(plugin), Some(own)) = (plugin.and_then(JsonNode::text), root.get("$schema")) else { return };
    let of = |schema: &str| version(schema).unwrap_or("1.0.0").to_owned();
    let (plugin, mcp) = (of(plugin), of(own.text().unwrap_or_default()));
    if own.text() == Some(MCP_SCHEMA) && plugin != mcp {
        let message = format!("mcp.json has version {mcp}, but plugin.json has version {plugin}");
        report.add(&SCHEMA, &own.span, message);
    }
}
