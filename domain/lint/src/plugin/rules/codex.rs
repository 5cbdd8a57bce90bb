//! Rules for `.codex-plugin/plugin.json`.

use super::common::{SKILL, text_only, texts_only};
use crate::plugin::rule::{PluginEffect, PluginReport, PluginRule};
use crate::plugin::view::{PathState, PluginView, inside};
use skillc_domain::json::{JsonNode, JsonValue};

/// Where Codex's own manifest is parsed.
const SOURCE: &str = "openai/codex codex-rs/core-plugins/src/manifest.rs 01b4840b";

pub static SHAPE: PluginRule = PluginRule {
    id: "PLG401",
    name: "codex-shape",
    effect: PluginEffect::Refused,
    why: "Codex parses its manifest into a struct and does not load the plugin if a value has the wrong type or a field occurs twice.",
    fix: "Write strings, and a list of strings for 'keywords'.",
    source: SOURCE,
    bad: &[(".codex-plugin/plugin.json", "{\"name\": \"demo\", \"version\": 1}\n")],
    good: &[(".codex-plugin/plugin.json", "{\"name\": \"demo\", \"version\": \"1.0.0\"}\n")],
};

pub static PATH: PluginRule = PluginRule {
    id: "PLG402",
    name: "codex-path",
    effect: PluginEffect::PartDropped,
    why: "Codex accepts only paths that begin with './', lead into the plugin, and contain no '..'. It ignores every other path and its target.",
    fix: "Write a path such as ./skills/.",
    source: SOURCE,
    bad: &[
        (".codex-plugin/plugin.json", "{\"name\": \"demo\", \"skills\": \"skills/\"}\n"),
        ("skills/x/SKILL.md", SKILL),
    ],
    good: &[
        (".codex-plugin/plugin.json", "{\"name\": \"demo\", \"skills\": \"./skills/\"}\n"),
        ("skills/x/SKILL.md", SKILL),
    ],
};

pub static PROMPTS: PluginRule = PluginRule {
    id: "PLG403",
    name: "codex-prompts",
    effect: PluginEffect::Ignored,
    why: "Codex shows at most three default prompts of at most 128 characters, and ignores the others.",
    fix: "Shorten the prompts, or leave some out.",
    source: SOURCE,
    bad: &[(
        ".codex-plugin/plugin.json",
        "{\"name\": \"demo\", \"interface\": {\"defaultPrompt\": [\"a\", \"b\", \"c\", \"d\"]}}\n",
    )],
    good: &[(
        ".codex-plugin/plugin.json",
        "{\"name\": \"demo\", \"interface\": {\"defaultPrompt\": [\"a\", \"b\", \"c\"]}}\n",
    )],
};

pub static NAME: PluginRule = PluginRule {
    id: "PLG404",
    name: "codex-name",
    effect: PluginEffect::Nothing,
    why: "Without a name Codex uses that of the folder, which differs for each user who installs the plugin.",
    fix: "Add 'name'.",
    source: SOURCE,
    bad: &[(".codex-plugin/plugin.json", "{\"version\": \"1.0.0\"}\n")],
    good: &[(".codex-plugin/plugin.json", "{\"name\": \"demo\", \"version\": \"1.0.0\"}\n")],
};

/// `MAX_DEFAULT_PROMPT_COUNT` and `MAX_DEFAULT_PROMPT_LEN`.
const PROMPTS_MAX: usize = 3;
const PROMPT_CHARS_MAX: usize = 128;

pub(in crate::plugin) fn check(root: &JsonNode, view: &PluginView<'_>, report: &mut PluginReport<'_>) {
    for key in ["name", "version", "description", "apps"] {
        if root.get(key).is_some_and(|node| node.value != JsonValue::Null || key == "name") {
            text_only(root, key, &SHAPE, report);
        }
    }
    texts_only(root, "keywords", &SHAPE, report);
    if root.get("name").is_none_or(|name| name.text().is_some_and(|name| name.trim().is_empty())) {
        report.add_missing(&NAME, "'name' is missing");
    }
    for key in ["skills", "mcpServers", "apps", "hooks"] {
        let value = root.get(key);
        let texts = value.map(JsonNode::items).unwrap_or_default().iter().chain(value);
        for node in texts.filter(|node| node.text().is_some()) {
            path(key, node, view, report);
        }
    }
    interface(root, report);
}

fn path(key: &str, node: &JsonNode, view: &PluginView<'_>, report: &mut PluginReport<'_>) {
    let path = node.text().unwrap_or_default();
    let inner = inside(path).filter(|inner| !inner.is_empty() && !path.split('/').any(|part| part == ".."));
    let Some(inner) = inner else {
        return report.add(&PATH, &node.span, format!("'{key}' has the path '{path}', which is ignored"));
    };
    match (view.look)(&inner) {
        PathState::Outside => {
            report.add(&PATH, &node.span, format!("'{path}' in '{key}' leads out of the plugin"));
        }
        PathState::Missing => {
            super::drift::path_gone(key, path, node, report);
        }
        PathState::File | PathState::Folder => {}
    }
}

fn interface(root: &JsonNode, report: &mut PluginReport<'_>) {
    let Some(interface) = root.get("interface").filter(|node| node.value != JsonValue::Null) else { return };
    if !matches!(interface.value, JsonValue::Object(_)) {
        let message = format!("'interface' is {}, not an object", interface.value.kind());
        return report.add(&SHAPE, &interface.span, message);
    }
    let Some(prompts) = interface.get("defaultPrompt") else { return };
    if let Some(fourth) = prompts.items().get(PROMPTS_MAX) {
        let message = format!("there are {} default prompts, more than {PROMPTS_MAX}", prompts.items().len());
        report.add(&PROMPTS, &fourth.span, message);
    }
    for prompt in prompts.items().iter().chain([prompts]).take(PROMPTS_MAX + 1) {
        let chars = prompt.text().unwrap_or_default().chars().count();
        if chars > PROMPT_CHARS_MAX {
            let message = format!("a default prompt has {chars} characters, more than {PROMPT_CHARS_MAX}");
            report.add(&PROMPTS, &prompt.span, message);
        }
    }
}
