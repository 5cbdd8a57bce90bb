//! Converts MCP servers of Agent Plugins to the formats of other clients.

use skillc_domain::json::{JsonMember, JsonNode, JsonValue};

/// A server for Claude Code.
pub(super) fn for_claude(server: &JsonValue) -> Option<JsonValue> {
    let node = JsonNode::from(server.clone());
    match node.get("type").and_then(JsonNode::text) {
        Some("streamable-http") => Some(remote(&node, &[("type", "http")], "url", "headers")),
        Some("sse") => Some(remote(&node, &[("type", "sse")], "url", "headers")),
        _ => Some(process(&node, "${CLAUDE_PLUGIN_ROOT}", Some("${CLAUDE_PLUGIN_DATA}"))),
    }
}

/// A server for Gemini CLI; `None` if it needs a data folder, which Gemini CLI does not provide.
pub(super) fn for_gemini(server: &JsonValue) -> Option<JsonValue> {
    let node = JsonNode::from(server.clone());
    match node.get("type").and_then(JsonNode::text) {
        Some("streamable-http") => Some(remote(&node, &[], "httpUrl", "headers")),
        Some("sse") => Some(remote(&node, &[], "url", "headers")),
        _ if mentions(&node, "${PLUGIN_DATA}") => None,
        _ => Some(process(&node, "${extensionPath}", None)),
    }
}

/// A server for Codex's own manifest, which has no variables: a path is relative to the folder in which the program
/// starts. `None` if it needs a data folder, or the plugin's folder while it starts elsewhere, and for SSE, which
/// Codex does not support.
pub(super) fn for_codex(server: &JsonValue) -> Option<JsonValue> {
    const ROOTS: [&str; 4] = ["", "./", "${PLUGIN_ROOT}", "${PLUGIN_ROOT}/"];
    let node = JsonNode::from(server.clone());
    match node.get("type").and_then(JsonNode::text) {
        Some("streamable-http") => return Some(remote(&node, &[], "url", "http_headers")),
        Some("sse") => return None,
        _ if mentions(&node, "${PLUGIN_DATA}") => return None,
        _ => {}
    }
    let starts_in_plugin = ROOTS.contains(&text(&node, "cwd").unwrap_or_default());
    let has_paths = ["args", "env"]
        .iter()
        .any(|key| node.get(key).is_some_and(|value| mentions(value, "${PLUGIN_ROOT}")))
        || text(&node, "command").is_some_and(|command| command.starts_with("./"));
    (starts_in_plugin || !has_paths).then(|| process(&node, ".", None))
}

/// Whether any text in a value contains `needle`.
pub(super) fn mentions(node: &JsonNode, needle: &str) -> bool {
    node.text().is_some_and(|text| text.contains(needle))
        || node.items().iter().any(|item| mentions(item, needle))
        || node.members().iter().any(|member| mentions(&member.node, needle))
}

fn remote(node: &JsonNode, first: &[(&str, &str)], url: &str, headers: &str) -> JsonValue {
    let mut members: Vec<(&str, JsonValue)> =
        first.iter().map(|(key, value)| (*key, JsonValue::text(value))).collect();
    members.extend(node.get("url").map(|value| (url, value.value.clone())));
    members.extend(node.get("headers").map(|value| (headers, value.value.clone())));
    JsonValue::object(members)
}

/// A process that starts in the plugin's folder, with paths relative to it.
fn process(node: &JsonNode, root: &str, data: Option<&str>) -> JsonValue {
    let placeholders = |text: &str| {
        let text = text.replace("${PLUGIN_ROOT}", root);
        data.map_or_else(|| text.clone(), |data| text.replace("${PLUGIN_DATA}", data))
    };
    let path = |text: &str| match text.strip_prefix("./") {
        Some("") => root.to_owned(),
        Some(below) => format!("{root}/{below}"),
        None => placeholders(text),
    };
    let mut members = Vec::new();
    members.extend(text(node, "command").map(|command| ("command", JsonValue::text(&path(command)))));
    members.extend(node.get("args").map(|args| ("args", mapped(args, &placeholders))));
    members.extend(node.get("env").map(|env| ("env", mapped(env, &placeholders))));
    members.push(("cwd", JsonValue::text(&text(node, "cwd").map_or_else(|| root.to_owned(), path))));
    JsonValue::object(members)
}

fn text<'a>(node: &'a JsonNode, key: &str) -> Option<&'a str> {
    node.get(key).and_then(JsonNode::text)
}

/// A value with each text in it converted.
fn mapped(node: &JsonNode, change: &dyn Fn(&str) -> String) -> JsonValue {
    let member = |member: &JsonMember| (member.key.clone(), mapped(&member.node, change));
    match &node.value {
        JsonValue::Text(text) => JsonValue::Text(change(text)),
        JsonValue::List(items) => {
            JsonValue::List(items.iter().map(|item| mapped(item, change).into()).collect())
        }
        JsonValue::Object(members) => JsonValue::object(members.iter().map(member)),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(fields: &[(&str, JsonValue)]) -> JsonValue {
        JsonValue::object(fields.iter().cloned())
    }

    /// RFC-0015:C-PLUGIN-SOURCE
    #[test]
    fn a_server_is_translated_for_each_client() {
        let local = server(&[
            ("type", JsonValue::text("stdio")),
            ("command", JsonValue::text("./bin/x")),
            ("args", JsonValue::texts(["--root", "${PLUGIN_ROOT}/c"])),
        ]);
        let expected = |root: &str| {
            server(&[
                ("command", JsonValue::text(&format!("{root}/bin/x"))),
                ("args", JsonValue::texts(["--root".to_owned(), format!("{root}/c")])),
                ("cwd", JsonValue::text(root)),
            ])
        };
        assert_eq!(for_claude(&local), Some(expected("${CLAUDE_PLUGIN_ROOT}")));
        assert_eq!(for_gemini(&local), Some(expected("${extensionPath}")));
        let url = ("url", JsonValue::text("https://a.b/mcp"));
        let remote = server(&[("type", JsonValue::text("streamable-http")), url.clone()]);
        assert_eq!(for_claude(&remote), Some(server(&[("type", JsonValue::text("http")), url])));
        assert_eq!(for_gemini(&remote), Some(server(&[("httpUrl", JsonValue::text("https://a.b/mcp"))])));
    }

    /// RFC-0015:C-PLUGIN-SOURCE
    #[test]
    fn codex_gets_paths_from_the_plugin_and_no_server_that_needs_another() {
        let local = |extra: &[(&str, JsonValue)]| {
            let first = [("type", JsonValue::text("stdio")), ("command", JsonValue::text("./bin/x"))];
            server(&[&first[..], extra].concat())
        };
        let args = ("args", JsonValue::texts(["--root", "${PLUGIN_ROOT}/c"]));
        let expected = server(&[
            ("command", JsonValue::text("./bin/x")),
            ("args", JsonValue::texts(["--root", "./c"])),
            ("cwd", JsonValue::text(".")),
        ]);
        assert_eq!(for_codex(&local(std::slice::from_ref(&args))), Some(expected));
        assert_eq!(for_codex(&local(&[args, ("cwd", JsonValue::text("./sub"))])), None);
        assert_eq!(for_codex(&local(&[("cwd", JsonValue::text("${PLUGIN_DATA}"))])), None);
        let url = ("url", JsonValue::text("https://a.b/mcp"));
        let headers = JsonValue::object([("X", JsonValue::text("y"))]);
        let remote = server(&[
            ("type", JsonValue::text("streamable-http")),
            url.clone(),
            ("headers", headers.clone()),
        ]);
        assert_eq!(for_codex(&remote), Some(server(&[url.clone(), ("http_headers", headers)])));
        assert_eq!(for_codex(&server(&[("type", JsonValue::text("sse")), url])), None);
    }

    /// RFC-0015:C-PLUGIN-SOURCE
    #[test]
    fn gemini_has_no_folder_for_data() {
        let data = server(&[
            ("type", JsonValue::text("stdio")),
            ("command", JsonValue::text("x")),
            ("cwd", JsonValue::text("${PLUGIN_DATA}")),
        ]);
        assert_eq!(for_gemini(&data), None);
        let cwd = JsonNode::from(for_claude(&data).unwrap());
        assert_eq!(cwd.get("cwd").and_then(JsonNode::text), Some("${CLAUDE_PLUGIN_DATA}"));
    }
}
