//! Rules for `plugin.json` of Agent Plugins 1.0.0.

use super::common::{GOOD, PLUGIN_SCHEMA, is_semantic, text_only, texts_only};
use crate::plugin::rule::{PluginEffect, PluginReport, PluginRule};
use skillc_domain::json::{JsonNode, JsonValue};

pub static SCHEMA: PluginRule = PluginRule {
    id: "PLG101",
    name: "agent-plugins-schema",
    effect: PluginEffect::Refused,
    why: "'$schema' declares the version of Agent Plugins that the plugin is written for. Clients refuse a plugin without it, and versions that they do not know.",
    fix: "Set '$schema' to https://agent-plugins.org/schemas/1.0.0/plugin.schema.json.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 5.2 and 5.3",
    bad: &[("plugin.json", "{\n  \"name\": \"demo\"\n}\n")],
    good: &[("plugin.json", GOOD)],
};

pub static NAME: PluginRule = PluginRule {
    id: "PLG102",
    name: "agent-plugins-name",
    effect: PluginEffect::Refused,
    why: "A name has 1 to 64 characters: lowercase letters, digits, hyphens and periods, a letter or digit at both ends, and neither '--' nor '..'. Clients refuse a plugin with another name or without a name.",
    fix: "Name the plugin after what it does, such as 'acme-tools'.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 5.3 and 5.5",
    bad: &[(
        "plugin.json",
        "{\n  \"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\",\n  \"name\": \"Demo\"\n}\n",
    )],
    good: &[("plugin.json", GOOD)],
};

pub static METADATA: PluginRule = PluginRule {
    id: "PLG103",
    name: "agent-plugins-metadata",
    effect: PluginEffect::Refused,
    why: "A metadata field of the wrong type makes the whole manifest invalid. The fields are strings, except 'keywords', a list of strings, and 'author', an object that has only 'name', 'email' and 'url'.",
    fix: "Write the value in the type that the message names.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 5.2 and 5.4",
    bad: &[(
        "plugin.json",
        "{\n  \"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\",\n  \"name\": \"demo\",\n  \"author\": \"Ada\"\n}\n",
    )],
    good: &[(
        "plugin.json",
        "{\n  \"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\",\n  \"name\": \"demo\",\n  \"author\": {\"name\": \"Ada\"}\n}\n",
    )],
};

pub static UNKNOWN_FIELD: PluginRule = PluginRule {
    id: "PLG104",
    name: "agent-plugins-unknown-field",
    effect: PluginEffect::Ignored,
    why: "The format is closed: clients report unknown fields and ignore them. The manifest cannot name components.",
    fix: "Remove the field, or move it to 'extensions' under the name of the client that reads it.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 5.2 and 6.1",
    bad: &[(
        "plugin.json",
        "{\n  \"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\",\n  \"name\": \"demo\",\n  \"skills\": \"./skills/\"\n}\n",
    )],
    good: &[("plugin.json", GOOD)],
};

pub static EXTENSIONS: PluginRule = PluginRule {
    id: "PLG105",
    name: "agent-plugins-extensions",
    effect: PluginEffect::Ignored,
    why: "'extensions' must be an object; clients report any other value and ignore it. Its keys must be namespaces such as 'com.example.client', with which a client finds its own part.",
    fix: "Write an object with one object for each client, under a reversed domain name.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 8 and 8.1",
    bad: &[(
        "plugin.json",
        "{\n  \"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\",\n  \"name\": \"demo\",\n  \"extensions\": []\n}\n",
    )],
    good: &[(
        "plugin.json",
        "{\n  \"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\",\n  \"name\": \"demo\",\n  \"extensions\": {\"com.example.client\": {\"setting\": true}}\n}\n",
    )],
};

pub static EXTENSION_VALUE: PluginRule = PluginRule {
    id: "PLG106",
    name: "agent-plugins-extension-value",
    effect: PluginEffect::Refused,
    why: "The value of a namespace must be an object. Any other value violates the schema, so clients refuse the plugin.",
    fix: "Write an object as the value of the namespace.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 5.2 and 8.1",
    bad: &[(
        "plugin.json",
        "{\n  \"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\",\n  \"name\": \"demo\",\n  \"extensions\": {\"com.example.client\": true}\n}\n",
    )],
    good: EXTENSIONS.good,
};

pub static VERSION: PluginRule = PluginRule {
    id: "PLG107",
    name: "plugin-version",
    effect: PluginEffect::Nothing,
    why: "Clients compare versions to offer updates. They load a plugin whose version is not semantic, and may not see that it is newer.",
    fix: "Write three numbers, such as 1.2.0.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 5.4 and 10.2",
    bad: &[(
        "plugin.json",
        "{\n  \"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\",\n  \"name\": \"demo\",\n  \"version\": \"v1\"\n}\n",
    )],
    good: &[(
        "plugin.json",
        "{\n  \"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\",\n  \"name\": \"demo\",\n  \"version\": \"1.0.0\"\n}\n",
    )],
};

/// Every top-level field.
const FIELDS: [&str; 10] = [
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
];

/// Maximum length of a name in characters.
const NAME_CHARS_MAX: usize = 64;

/// The prefix of every published schema identifier.
const SCHEMAS: &str = "https://agent-plugins.org/schemas/";

pub(super) fn check(root: &JsonNode, report: &mut PluginReport<'_>) {
    schema(root, PLUGIN_SCHEMA, &SCHEMA, report);
    name(root, report);
    for key in ["version", "description", "homepage", "repository", "license"] {
        text_only(root, key, &METADATA, report);
    }
    texts_only(root, "keywords", &METADATA, report);
    author(root, report);
    for member in root.members().iter().filter(|member| !FIELDS.contains(&member.key.as_str())) {
        report.add(&UNKNOWN_FIELD, &member.key_span, format!("unknown field '{}' is ignored", member.key));
    }
    extensions(root, report);
    if let Some(version) = root.get("version")
        && version.text().is_some_and(|text| !is_semantic(text))
    {
        let message = format!("version '{}' is not semantic", version.text().unwrap_or_default());
        report.add(&VERSION, &version.span, message);
    }
}

/// Reports a `$schema` other than the expected one.
pub(super) fn schema(
    root: &JsonNode,
    expected: &str,
    rule: &'static PluginRule,
    report: &mut PluginReport<'_>,
) {
    let Some(node) = root.get("$schema") else {
        return report.add_missing(rule, "'$schema' is missing");
    };
    let message = match node.text() {
        Some(text) if text == expected => return,
        Some(text) => match version(text) {
            Some(version) => format!("version {version} of Agent Plugins is not known; skc knows 1.0.0"),
            None => format!("'$schema' is '{text}', which clients do not know"),
        },
        None => format!("'$schema' is {}, not text", node.value.kind()),
    };
    report.add(rule, &node.span, message);
}

/// The version in a schema identifier.
pub(super) fn version(schema: &str) -> Option<&str> {
    let (version, file) = schema.strip_prefix(SCHEMAS)?.split_once('/')?;
    (file.ends_with(".schema.json") && !version.is_empty() && version != "1.0.0").then_some(version)
}

fn name(root: &JsonNode, report: &mut PluginReport<'_>) {
    let Some(node) = root.get("name") else { return report.add_missing(&NAME, "'name' is missing") };
    match node.text() {
        None => report.add(&NAME, &node.span, format!("'name' is {}, not text", node.value.kind())),
        Some(name) => {
            if let Some(flaw) = name_flaw(name) {
                report.add(&NAME, &node.span, flaw);
            }
        }
    }
}

/// How a plugin's name violates Agent Plugins. Checked by hand, because the schema's pattern uses lookahead.
pub fn name_flaw(name: &str) -> Option<String> {
    let is_end = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '.';
    let ends = [name.as_bytes().first(), name.as_bytes().last()];
    let chars = name.chars().count();
    if name.is_empty() {
        Some("'name' is empty".to_owned())
    } else if chars > NAME_CHARS_MAX {
        Some(format!("the name has {chars} characters, more than {NAME_CHARS_MAX}"))
    } else if let Some(odd) = name.chars().find(|c| !is_inner(*c)) {
        Some(format!("name '{name}' contains '{}'", odd.escape_debug()))
    } else if !ends.into_iter().flatten().all(is_end) {
        Some(format!("name '{name}' begins or ends with a hyphen or a period"))
    } else {
        let twice = ["--", ".."].into_iter().find(|twice| name.contains(twice));
        twice.map(|twice| format!("name '{name}' contains '{twice}'"))
    }
}

fn author(root: &JsonNode, report: &mut PluginReport<'_>) {
    let Some(author) = root.get("author") else { return };
    if !matches!(author.value, JsonValue::Object(_)) {
        let message = format!("'author' is {}, not an object", author.value.kind());
        report.add_with_fix(&METADATA, Some(&author.span), message, "write {\"name\": \"…\"}");
    }
    for member in author.members() {
        match member.key.as_str() {
            "name" | "email" | "url" => text_only(author, &member.key, &METADATA, report),
            other => report.add(&METADATA, &member.key_span, format!("'{other}' is not a field of 'author'")),
        }
    }
}

fn extensions(root: &JsonNode, report: &mut PluginReport<'_>) {
    let Some(extensions) = root.get("extensions") else { return };
    if !matches!(extensions.value, JsonValue::Object(_)) {
        let message = format!("'extensions' is {}, not an object, and is ignored", extensions.value.kind());
        report.add(&EXTENSIONS, &extensions.span, message);
    }
    for member in extensions.members() {
        if !is_namespace(&member.key) {
            let message =
                format!("'{}' is not a reversed domain name, such as com.example.client", member.key);
            report.add(&EXTENSIONS, &member.key_span, message);
        }
        if !matches!(member.node.value, JsonValue::Object(_)) {
            let message =
                format!("the value of '{}' is {}, not an object", member.key, member.node.value.kind());
            report.add(&EXTENSION_VALUE, &member.node.span, message);
        }
    }
}

/// Whether a name has the form of a reversed domain name.
pub(super) fn is_namespace(name: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
    };
    name.contains('.') && name.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0015:C-PLUGIN-SPEC
    #[test]
    fn a_plugin_name_is_checked_as_the_specification_says() {
        for name in ["my-plugin", "acme.tools", "lint3r", "a", "0", "a-.b", &"a".repeat(64)] {
            assert_eq!(name_flaw(name), None, "{name}");
        }
        for name in [
            "My-Plugin",
            "-start",
            "end-",
            ".a",
            "a.",
            "has--double",
            "too.many..dots",
            "",
            "a_b",
            "a b",
            "é",
            "a\n",
            &"a".repeat(65),
        ] {
            assert!(name_flaw(name).is_some(), "{name}");
        }
    }
}
