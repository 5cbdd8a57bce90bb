//! RFC-0015:C-PLUGIN-SPEC: compares the rules about Agent Plugins with another validator and the official schemas.

use serde_json::{Map, Value, json};
use skillc_domain::plugin::PluginManifest;
use skillc_json::StrictJson;
use skillc_lint::plugin::{
    DocumentState, ManifestDocument, PathState, PluginEffect, PluginSource, PluginView, issues,
};
use skillc_ports::JsonDocuments;

/// The requirements of `plugin.schema.json` 1.0.0.
fn plugin_schema() -> Value {
    let text = json!({ "type": "string" });
    let author = json!({
        "type": "object", "additionalProperties": false,
        "properties": { "name": text, "email": text, "url": text },
    });
    json!({
        "type": "object", "additionalProperties": false, "required": ["$schema", "name"],
        "properties": {
            "$schema": { "const": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json" },
            "name": {
                "type": "string", "minLength": 1, "maxLength": 64,
                "pattern": r"^(?!.*(?:--|\.\.))[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$",
            },
            "version": text, "description": text, "homepage": text, "repository": text, "license": text,
            "author": author, "keywords": { "type": "array", "items": text },
            "extensions": { "type": "object", "additionalProperties": { "type": "object" } },
        },
    })
}

/// The requirements of `mcp.schema.json` 1.0.0.
fn mcp_schema() -> Value {
    let text = json!({ "type": "string" });
    let texts = json!({ "type": "object", "additionalProperties": text });
    let env = json!({
        "type": "object", "additionalProperties": text,
        "propertyNames": { "not": { "enum": ["PLUGIN_ROOT", "PLUGIN_DATA"] } },
    });
    let cwd =
        json!({ "type": "string", "pattern": r"^(?:\./|\$\{PLUGIN_ROOT\}(?:/|$)|\$\{PLUGIN_DATA\}(?:/|$))" });
    let stdio = json!({
        "type": "object", "additionalProperties": false, "required": ["type", "command"],
        "properties": {
            "type": { "const": "stdio" }, "command": { "type": "string", "minLength": 1 },
            "args": { "type": "array", "items": text }, "env": env, "cwd": cwd,
        },
    });
    let remote = |kind: &str| {
        json!({
            "type": "object", "additionalProperties": false, "required": ["type", "url"],
            "properties": { "type": { "const": kind }, "url": { "type": "string", "minLength": 1 }, "headers": texts },
        })
    };
    json!({
        "type": "object", "additionalProperties": false, "required": ["$schema", "mcpServers"],
        "properties": {
            "$schema": { "const": "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json" },
            "mcpServers": {
                "type": "object",
                "additionalProperties": { "oneOf": [stdio, remote("streamable-http"), remote("sse")] },
            },
        },
    })
}

/// JSON values of every kind.
fn values() -> Vec<Value> {
    let long = "a".repeat(65);
    vec![
        Value::Null,
        json!(true),
        json!(0),
        json!(1.5),
        json!(""),
        json!("demo"),
        json!("Demo"),
        json!("a--b"),
        json!("a..b"),
        json!("-a"),
        json!("a."),
        json!("a b"),
        json!("a\n"),
        json!(long),
        json!("./x"),
        json!("../x"),
        json!("${PLUGIN_ROOT}"),
        json!("${PLUGIN_ROOT}x"),
        json!("${PLUGIN_DATA}/x"),
        json!("https://a.b/c"),
        json!([]),
        json!(["a"]),
        json!([1]),
        json!({}),
        json!({ "name": "a" }),
        json!({ "name": 1 }),
        json!({ "web": "a" }),
        json!({ "com.example": {} }),
        json!({ "com.example": 1 }),
        json!({ "PLUGIN_ROOT": "a" }),
        json!({ "A": "b" }),
        json!({ "A": null }),
        json!("https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"),
        json!("https://agent-plugins.org/schemas/1.1.0/mcp.schema.json"),
        json!("stdio"),
        json!("sse"),
    ]
}

/// An object with one member set to each value in turn, or removed.
fn variants(base: &Value, keys: &[&str]) -> Vec<Value> {
    let with = |key: &str, value: Option<Value>| {
        let mut object: Map<String, Value> = base.as_object().unwrap().clone();
        match value {
            Some(value) => object.insert(key.to_owned(), value),
            None => object.remove(key),
        };
        Value::Object(object)
    };
    keys.iter()
        .flat_map(|key| {
            values()
                .into_iter()
                .map(|value| with(key, Some(value)))
                .chain([with(key, None)])
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Whether the rules accept a manifest, ignoring the rules in `beyond`, which no schema expresses.
fn passes(manifest: PluginManifest, value: &Value, beyond: &[&str]) -> bool {
    let text = value.to_string();
    let state = DocumentState::Parsed(StrictJson.parse(&text).unwrap());
    let documents = [ManifestDocument { manifest, text, state }];
    let look = |path: &str| if path == "skills" { PathState::Folder } else { PathState::File };
    let view = PluginView { folder: "demo", documents: &documents, skills: &[], look: &look };
    let counts = |effect: PluginEffect| {
        matches!(effect, PluginEffect::Refused | PluginEffect::PartDropped | PluginEffect::Ignored)
    };
    let found = issues(&view, &PluginSource::default());
    !found.iter().any(|issue| counts(issue.rule.effect) && !beyond.contains(&issue.rule.id))
}

/// RFC-0015:C-PLUGIN-SPEC
#[test]
fn the_schemas_agree_with_the_rules() {
    let schema = jsonschema::validator_for(&plugin_schema()).unwrap();
    let plugin =
        json!({ "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "demo" });
    let fields = [
        "$schema",
        "name",
        "version",
        "description",
        "author",
        "homepage",
        "repository",
        "license",
        "keywords",
        "extensions",
        "x",
    ];
    let mut count = 0;
    for value in variants(&plugin, &fields) {
        // Only the text of the specification forbids a namespace that is not a domain name.
        let is_named =
            value["extensions"].as_object().is_none_or(|all| all.keys().all(|key| key.contains('.')));
        if is_named {
            assert_eq!(passes(PluginManifest::AgentPlugin, &value, &[]), schema.is_valid(&value), "{value}");
            count += 1;
        }
    }
    let schema = jsonschema::validator_for(&mcp_schema()).unwrap();
    let mcp = |server: Value| json!({ "$schema": "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json", "mcpServers": { "a": server } });
    let local = json!({ "type": "stdio", "command": "x", "args": ["y"] });
    let remote = json!({ "type": "sse", "url": "https://a.b/c" });
    let servers = variants(&local, &["type", "command", "args", "env", "cwd", "url", "x"]).into_iter();
    let servers = servers.chain(variants(&remote, &["type", "url", "headers", "command", "cwd"]));
    let whole = variants(&mcp(local.clone()), &["$schema", "mcpServers", "x"]);
    for value in servers.map(mcp).chain(whole) {
        // Only the text of the specification restricts programs, folders, addresses and headers.
        let beyond = ["PLG204", "PLG207", "PLG208", "PLG209"];
        let is_valid = schema.is_valid(&value);
        let passes = passes(PluginManifest::Mcp, &value, &beyond);
        let is_empty = value["mcpServers"]["a"]["command"] == "" || value["mcpServers"]["a"]["url"] == "";
        assert!(passes == is_valid || is_empty, "{passes} {is_valid} {value}");
        count += 1;
    }
    assert!(count > 800, "{count}");
}
