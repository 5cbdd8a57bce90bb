//! Rules for `.claude-plugin/plugin.json`.

use super::common::{SKILL, text_only, texts_only};
use crate::plugin::rule::{PluginEffect, PluginReport, PluginRule};
use crate::plugin::view::{PathState, PluginView, inside};
use skillc_domain::json::{JsonNode, JsonValue};

/// Where Claude Code documents its manifest.
pub(in crate::plugin) const SOURCE: &str = "https://code.claude.com/docs/en/plugins/manifest-reference";

pub static NAME: PluginRule = PluginRule {
    id: "PLG301",
    name: "claude-name",
    effect: PluginEffect::Refused,
    why: "A manifest of Claude Code needs a name without spaces, which becomes the namespace of the plugin's skills. Without one the plugin is not loaded.",
    fix: "Add a name of lowercase letters, digits and hyphens.",
    source: SOURCE,
    bad: &[(".claude-plugin/plugin.json", "{\"version\": \"1.0.0\"}\n")],
    good: &[(".claude-plugin/plugin.json", "{\"name\": \"demo\", \"version\": \"1.0.0\"}\n")],
};

pub static SHAPE: PluginRule = PluginRule {
    id: "PLG302",
    name: "claude-shape",
    effect: PluginEffect::Refused,
    why: "Claude Code does not load a plugin if a value has the wrong type: 'author' is an object with a name, 'homepage' a URL, and 'keywords' a list of strings.",
    fix: "Write the value in the type that the message names.",
    source: SOURCE,
    bad: &[(".claude-plugin/plugin.json", "{\"name\": \"demo\", \"author\": \"Ada\"}\n")],
    good: &[(".claude-plugin/plugin.json", "{\"name\": \"demo\", \"author\": {\"name\": \"Ada\"}}\n")],
};

pub static PATH: PluginRule = PluginRule {
    id: "PLG303",
    name: "claude-path",
    effect: PluginEffect::Refused,
    why: "Paths of a manifest of Claude Code begin with './' and stay in the plugin.",
    fix: "Write a path such as ./skills/.",
    source: SOURCE,
    bad: &[
        (".claude-plugin/plugin.json", "{\"name\": \"demo\", \"skills\": \"skills/\"}\n"),
        ("skills/x/SKILL.md", SKILL),
    ],
    good: &[
        (".claude-plugin/plugin.json", "{\"name\": \"demo\", \"skills\": \"./skills/\"}\n"),
        ("skills/x/SKILL.md", SKILL),
    ],
};

pub static UNKNOWN_FIELD: PluginRule = PluginRule {
    id: "PLG304",
    name: "claude-unknown-field",
    effect: PluginEffect::Ignored,
    why: "Claude Code ignores unknown fields; 'claude plugin validate' warns about them.",
    fix: "Correct the name of the field, or remove it.",
    source: SOURCE,
    bad: &[(".claude-plugin/plugin.json", "{\"name\": \"demo\", \"licence\": \"MIT\"}\n")],
    good: &[(".claude-plugin/plugin.json", "{\"name\": \"demo\", \"license\": \"MIT\"}\n")],
};

pub static NAME_FORM: PluginRule = PluginRule {
    id: "PLG305",
    name: "claude-name-form",
    effect: PluginEffect::Nothing,
    why: "Claude Code accepts a name that is not in kebab case, but Claude's own directory does not.",
    fix: "Use lowercase letters, digits and hyphens.",
    source: SOURCE,
    bad: &[(".claude-plugin/plugin.json", "{\"name\": \"Demo_Tools\"}\n")],
    good: &[(".claude-plugin/plugin.json", "{\"name\": \"demo-tools\"}\n")],
};

/// Every field of the manifest.
const FIELDS: &[&str] = &[
    "$schema",
    "name",
    "displayName",
    "version",
    "description",
    "author",
    "homepage",
    "repository",
    "license",
    "keywords",
    "skills",
    "commands",
    "agents",
    "hooks",
    "mcpServers",
    "lspServers",
    "outputStyles",
    "dependencies",
    "userConfig",
    "channels",
    "settings",
    "defaultEnabled",
    "experimental",
    "themes",
    "monitors",
];

/// Fields with paths of components.
const PATHS: [&str; 7] =
    ["skills", "commands", "agents", "hooks", "mcpServers", "lspServers", "outputStyles"];

pub(super) fn check(root: &JsonNode, view: &PluginView<'_>, report: &mut PluginReport<'_>) {
    name(root, report);
    for key in ["version", "description", "homepage", "repository", "license"] {
        text_only(root, key, &SHAPE, report);
    }
    texts_only(root, "keywords", &SHAPE, report);
    author(root, report);
    homepage(root, report);
    for key in PATHS {
        let value = root.get(key);
        let texts = value.map(JsonNode::items).unwrap_or_default().iter().chain(value);
        texts.filter(|node| node.text().is_some()).for_each(|node| path(key, node, view, report));
    }
    for member in root.members().iter().filter(|member| !FIELDS.contains(&member.key.as_str())) {
        report.add(&UNKNOWN_FIELD, &member.key_span, format!("unknown field '{}' is ignored", member.key));
    }
}

fn name(root: &JsonNode, report: &mut PluginReport<'_>) {
    let Some(node) = root.get("name") else { return report.add_missing(&NAME, "'name' is missing") };
    match node.text() {
        None => report.add(&NAME, &node.span, format!("'name' is {}, not text", node.value.kind())),
        Some("") => report.add(&NAME, &node.span, "'name' is empty"),
        Some(name) if name.contains(char::is_whitespace) => {
            report.add(&NAME, &node.span, format!("name '{name}' contains a blank"));
        }
        Some(name) if !is_kebab(name) => {
            report.add(&NAME_FORM, &node.span, format!("name '{name}' is not in kebab case"));
        }
        Some(_) => {}
    }
}

/// Whether a name consists of groups of lower-case letters and digits, separated by single hyphens.
fn is_kebab(name: &str) -> bool {
    let is_group = |group: &str| {
        !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    name.split('-').all(is_group)
}

fn author(root: &JsonNode, report: &mut PluginReport<'_>) {
    let Some(author) = root.get("author") else { return };
    if !matches!(author.value, JsonValue::Object(_)) {
        let message = format!("'author' is {}, not an object", author.value.kind());
        return report.add_with_fix(&SHAPE, Some(&author.span), message, "write {\"name\": \"…\"}");
    }
    if author.get("name").and_then(JsonNode::text).is_none_or(str::is_empty) {
        report.add(&SHAPE, &author.span, "'author' has no name");
    }
    for key in ["email", "url"] {
        text_only(author, key, &SHAPE, report);
    }
}

fn homepage(root: &JsonNode, report: &mut PluginReport<'_>) {
    let Some(node) = root.get("homepage") else { return };
    if node.text().is_some_and(|url| !url.contains("://") || url.contains(char::is_whitespace)) {
        let message = format!("'homepage' is '{}', not a URL", node.text().unwrap_or_default());
        report.add(&SHAPE, &node.span, message);
    }
}

pub(super) fn path(key: &str, node: &JsonNode, view: &PluginView<'_>, report: &mut PluginReport<'_>) {
    let path = node.text().unwrap_or_default();
    let Some(inner) = inside(path).filter(|_| !path.split('/').any(|part| part == "..")) else {
        let message = match path.starts_with("./") {
            true => format!("'{path}' in '{key}' leads out of the plugin"),
            false => format!("'{path}' in '{key}' does not begin with './'"),
        };
        return report.add(&PATH, &node.span, message);
    };
    match (view.look)(&inner) {
        PathState::Outside => {
            report.add(&PATH, &node.span, format!("'{path}' in '{key}' leads out of the plugin"))
        }
        // Lists of skills are compared with the existing skills.
        PathState::Missing if key != "skills" => super::drift::path_gone(key, path, node, report),
        PathState::Missing if node.span.is_empty() => {}
        PathState::Missing => single_gone(node, view, path, report),
        PathState::File | PathState::Folder => {}
    }
}

/// Reports a single path of skills that does not exist.
fn single_gone(node: &JsonNode, view: &PluginView<'_>, path: &str, report: &mut PluginReport<'_>) {
    let is_single = view
        .value(report.document.manifest)
        .is_some_and(|root| root.get("skills").is_some_and(|skills| skills.span == node.span));
    if is_single {
        super::drift::path_gone("skills", path, node, report);
    }
}
