//! The shape of a server in `mcp.json`, and an example server.

use super::common::GOOD;
use crate::plugin::rule::{PluginEffect, PluginReport, PluginRule};
use skillc_domain::json::{JsonNode, JsonValue};

/// An example server around its own fields.
macro_rules! server {
    ($fields:literal) => {
        concat!(
            "{\n  \"$schema\": \"https://agent-plugins.org/schemas/1.0.0/mcp.schema.json\",\n  \"mcpServers\": {\n    \"demo\": {",
            $fields,
            "}\n  }\n}\n"
        )
    };
}
pub(super) use server;

/// A valid server.
pub(super) const SERVER: &str =
    server!("\"type\": \"stdio\", \"command\": \"npx\", \"args\": [\"-y\", \"demo-server\"]");

pub static SHAPE: PluginRule = PluginRule {
    id: "PLG203",
    name: "mcp-server-shape",
    effect: PluginEffect::PartDropped,
    why: "A server is of the type 'stdio', with 'command', 'args', 'env' and 'cwd', or 'streamable-http' or 'sse', with 'url' and 'headers'. Clients skip a server with another type, another field, or a value of the wrong type.",
    fix: "Give the server one of the three types, and only the fields of that type.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 7.2.1 and 7.2.2",
    bad: &[("plugin.json", GOOD), ("mcp.json", server!("\"command\": \"npx\""))],
    good: &[("plugin.json", GOOD), ("mcp.json", SERVER)],
};

/// Reports a member that exists and is not an object of texts.
pub(super) fn texts_of(name: &str, node: &JsonNode, key: &str, report: &mut PluginReport<'_>) {
    let Some(value) = node.get(key) else { return };
    if !matches!(value.value, JsonValue::Object(_)) {
        let message = format!("'{key}' of server '{name}' is {}, not an object", value.value.kind());
        report.add(&SHAPE, &value.span, message);
    }
    for member in value.members().iter().filter(|member| member.node.text().is_none()) {
        let message = format!(
            "'{}' in '{key}' of server '{name}' is {}, not text",
            member.key,
            member.node.value.kind()
        );
        report.add(&SHAPE, &member.node.span, message);
    }
}
