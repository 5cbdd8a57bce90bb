//! Rules for every manifest, and checks that several share.

use crate::plugin::rule::{PluginEffect, PluginReport, PluginRule};
use crate::plugin::view::DocumentState;
use skillc_domain::json::{JsonNode, JsonValue};

/// The identifier of `plugin.json`'s schema.
pub const PLUGIN_SCHEMA: &str = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";
/// The identifier of `mcp.json`'s schema.
pub const MCP_SCHEMA: &str = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json";

/// A valid manifest, for examples.
pub(super) const GOOD: &str = "{\n  \"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\",\n  \"name\": \"demo\"\n}\n";

/// A valid skill in the folder `x`, for examples.
pub(super) const SKILL: &str =
    "---\nname: x\ndescription: Shows a plugin. Use when a plugin needs an example.\n---\n\n# X\n";

pub static MANIFEST_JSON: PluginRule = PluginRule {
    id: "PLG001",
    name: "manifest-json",
    effect: PluginEffect::Refused,
    why: "A manifest must be a JSON object. Otherwise clients refuse the plugin, or start no servers if the file is mcp.json.",
    fix: "Correct the text at the given location. JSON allows neither comments nor trailing commas.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 5.2 and 7.2.2",
    bad: &[("plugin.json", "{\n  \"name\": \"demo\",\n}\n")],
    good: &[("plugin.json", GOOD)],
};

pub static MANIFEST_LOCATION: PluginRule = PluginRule {
    id: "PLG002",
    name: "manifest-location",
    effect: PluginEffect::Refused,
    why: "A manifest must be a file inside the plugin. Clients resolve links first, and refuse a manifest outside it.",
    fix: "Replace the link or folder with the file itself.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 4.1 and 6.2",
    bad: &[("plugin.json", GOOD), ("mcp.json/x", "")],
    good: &[("plugin.json", GOOD)],
};

pub static REPEATED_KEY: PluginRule = PluginRule {
    id: "PLG003",
    name: "repeated-key",
    effect: PluginEffect::Nothing,
    why: "If a key occurs twice, JavaScript uses the last value and other parsers the first, and Codex refuses the file.",
    fix: "Delete all but one of the lines with this key.",
    source: "RFC 8259, section 4",
    bad: &[(
        "plugin.json",
        "{\n  \"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\",\n  \"name\": \"demo\",\n  \"name\": \"demo\"\n}\n",
    )],
    good: &[("plugin.json", GOOD)],
};

/// Reports a manifest that is not a JSON object; returns its value otherwise.
pub(super) fn object<'a>(report: &mut PluginReport<'a>) -> Option<&'a JsonNode> {
    match &report.document.state {
        DocumentState::Parsed(value @ JsonNode { value: JsonValue::Object(_), .. }) => {
            repeated_keys(value, report);
            return Some(value);
        }
        DocumentState::Parsed(value) => {
            let message = format!("the manifest is {}, not an object", value.value.kind());
            report.add(&MANIFEST_JSON, &value.span, message);
        }
        DocumentState::Broken(flaw) => {
            report.add(
                &MANIFEST_JSON,
                &(flaw.at..flaw.at),
                format!("the manifest is not JSON: {}", flaw.message),
            );
        }
        DocumentState::Unreadable(reason) => {
            report.add_missing(&MANIFEST_JSON, format!("the manifest cannot be read: {reason}"));
        }
        DocumentState::Misplaced(what) => {
            report.add_missing(&MANIFEST_LOCATION, format!("the manifest {what}"));
        }
    }
    None
}

fn repeated_keys(node: &JsonNode, report: &mut PluginReport<'_>) {
    let members = node.members();
    for (at, member) in members.iter().enumerate() {
        if members[..at].iter().any(|before| before.key == member.key) {
            let message = format!("key '{}' occurs twice", member.key);
            report.add(&REPEATED_KEY, &member.key_span, message);
        }
        repeated_keys(&member.node, report);
    }
    node.items().iter().for_each(|item| repeated_keys(item, report));
}

/// Reports a member that exists and is not text.
pub(super) fn text_only(
    node: &JsonNode,
    key: &str,
    rule: &'static PluginRule,
    report: &mut PluginReport<'_>,
) {
    if let Some(value) = node.get(key).filter(|value| value.text().is_none()) {
        report.add(rule, &value.span, format!("'{key}' is {}, not text", value.value.kind()));
    }
}

/// Reports a member that exists and is not a list of texts.
pub(super) fn texts_only(
    node: &JsonNode,
    key: &str,
    rule: &'static PluginRule,
    report: &mut PluginReport<'_>,
) {
    let Some(value) = node.get(key) else { return };
    if !matches!(value.value, JsonValue::List(_)) {
        report.add(rule, &value.span, format!("'{key}' is {}, not a list", value.value.kind()));
    }
    for item in value.items().iter().filter(|item| item.text().is_none()) {
        report.add(rule, &item.span, format!("'{key}' lists {}, not text", item.value.kind()));
    }
}

/// Whether a version is semantic: three numbers, optionally followed by a suffix.
pub(super) fn is_semantic(version: &str) -> bool {
    let (core, rest) = match version.find(['-', '+']) {
        Some(at) => version.split_at(at),
        None => (version, ""),
    };
    let is_number = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && (part == "0" || !part.starts_with('0'))
    };
    let parts: Vec<&str> = core.split('.').collect();
    let is_rest = rest.split(['-', '+', '.']).skip(1).all(|part| !part.is_empty())
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-+.".contains(&byte));
    parts.len() == 3 && parts.into_iter().all(is_number) && is_rest
}

#[cfg(test)]
mod tests {
    use super::is_semantic;

    #[test]
    fn a_version_is_semantic_or_not() {
        for version in ["1.0.0", "0.12.3-beta.1", "1.2.3+build.7", "1.0.0-rc-1"] {
            assert!(is_semantic(version), "{version}");
        }
        for version in ["1", "1.0", "v1.0.0", "01.0.0", "1.0.0-", "1.0.0 ", "", "1.0.0-a..b"] {
            assert!(!is_semantic(version), "{version}");
        }
    }
}
