//! Rules for manifests that do not describe the plugin correctly.

use super::common::{GOOD, SKILL};
use crate::plugin::rule::{PluginEffect, PluginIssue, PluginReport, PluginRule};
use crate::plugin::view::PluginView;
use skillc_domain::json::JsonNode;
use skillc_domain::plugin::PluginManifest;

const SOURCE: &str = "RFC-0015:C-PLUGIN-CHECK";
const CLAUDE: &str = "{\"name\": \"demo\", \"version\": \"1.0.0\"}\n";

pub static VERSION: PluginRule = PluginRule {
    id: "PLG601",
    name: "version-drift",
    effect: PluginEffect::Drift,
    why: "Clients compare versions to offer updates. A client that reads a manifest with an old version never offers the new one.",
    fix: "Run 'skc plugin sync', which writes the version of [plugin] into each manifest.",
    source: SOURCE,
    bad: &[
        (".claude-plugin/plugin.json", CLAUDE),
        ("gemini-extension.json", "{\"name\": \"demo\", \"version\": \"0.9.0\"}\n"),
    ],
    good: &[
        (".claude-plugin/plugin.json", CLAUDE),
        ("gemini-extension.json", "{\"name\": \"demo\", \"version\": \"1.0.0\"}\n"),
    ],
};

pub static NAME: PluginRule = PluginRule {
    id: "PLG602",
    name: "name-drift",
    effect: PluginEffect::Drift,
    why: "The plugin has different names in different clients, so documents and settings that name it are wrong in one of them.",
    fix: "Run 'skc plugin sync', which writes the name of [plugin] into each manifest.",
    source: SOURCE,
    bad: &[("plugin.json", GOOD), (".codex-plugin/plugin.json", "{\"name\": \"demo-tools\"}\n")],
    good: &[("plugin.json", GOOD), (".codex-plugin/plugin.json", "{\"name\": \"demo\"}\n")],
};

pub static FIELD: PluginRule = PluginRule {
    id: "PLG603",
    name: "field-drift",
    effect: PluginEffect::Drift,
    why: "A manifest differs from [plugin].",
    fix: "Run 'skc plugin sync', or correct [plugin].",
    source: SOURCE,
    bad: &[
        (".skillc/config.toml", "[plugin]\nname = \"demo\"\nlicense = \"MIT\"\n"),
        (".claude-plugin/plugin.json", CLAUDE),
    ],
    good: &[
        (".skillc/config.toml", "[plugin]\nname = \"demo\"\nlicense = \"MIT\"\n"),
        (".claude-plugin/plugin.json", "{\"name\": \"demo\", \"license\": \"MIT\"}\n"),
    ],
};

pub static SKILL_MISSING: PluginRule = PluginRule {
    id: "PLG604",
    name: "skill-missing",
    effect: PluginEffect::Drift,
    why: "A manifest that lists skills does not list this one, so its clients do not find it.",
    fix: "Run 'skc plugin sync', which adds it to the list.",
    source: SOURCE,
    bad: &[
        (".claude-plugin/marketplace.json", MARKETPLACE_WITHOUT),
        ("skills/x/SKILL.md", SKILL),
        ("skills/y/SKILL.md", OTHER_SKILL),
    ],
    good: &[(".claude-plugin/marketplace.json", MARKETPLACE_WITHOUT), ("skills/x/SKILL.md", SKILL)],
};

pub static PATH_GONE: PluginRule = PluginRule {
    id: "PLG605",
    name: "path-gone",
    effect: PluginEffect::Drift,
    why: "A manifest names a path that is not in the plugin. Claude Code refuses the plugin, and other clients continue without the path.",
    fix: "Run 'skc plugin sync', which removes skills that are gone, or correct the path.",
    source: SOURCE,
    bad: &[
        (
            ".claude-plugin/marketplace.json",
            "{\"name\": \"demo\", \"owner\": {\"name\": \"Ada\"}, \"plugins\": [{\"name\": \"demo\", \"source\": \"./\", \"strict\": false, \"skills\": [\"./skills/x\", \"./skills/gone\"]}]}\n",
        ),
        ("skills/x/SKILL.md", SKILL),
    ],
    good: SKILL_MISSING.good,
};

pub static MANIFEST_MISSING: PluginRule = PluginRule {
    id: "PLG606",
    name: "manifest-missing",
    effect: PluginEffect::Drift,
    why: "[plugin] lists a manifest that does not exist, so the clients that read it do not find the plugin.",
    fix: "Run 'skc plugin init', which writes it.",
    source: SOURCE,
    bad: &[(".skillc/config.toml", "[plugin]\nname = \"demo\"\nmanifests = [\"claude\"]\n")],
    good: &[
        (".skillc/config.toml", "[plugin]\nname = \"demo\"\nmanifests = [\"claude\"]\n"),
        (".claude-plugin/plugin.json", "{\"name\": \"demo\"}\n"),
    ],
};

pub static PLUGIN_MISSING: PluginRule = PluginRule {
    id: "PLG607",
    name: "plugin-missing",
    effect: PluginEffect::Drift,
    why: "The marketplace of the repository does not list its plugin.",
    fix: "Run 'skc plugin sync', which adds it.",
    source: SOURCE,
    bad: &[
        (".skillc/config.toml", "[plugin]\nname = \"demo\"\n"),
        (
            ".claude-plugin/marketplace.json",
            "{\"name\": \"demo\", \"owner\": {\"name\": \"Ada\"}, \"plugins\": []}\n",
        ),
    ],
    good: &[(".claude-plugin/marketplace.json", MARKETPLACE_WITHOUT), ("skills/x/SKILL.md", SKILL)],
};

pub static SKILL_UNSEEN: PluginRule = PluginRule {
    id: "PLG608",
    name: "skill-unseen",
    effect: PluginEffect::PartDropped,
    why: "Clients of Agent Plugins and Gemini CLI look for skills in the folders directly below 'skills', and nowhere else.",
    fix: "Move the skill to skills/, or make 'skills' a link to the folder of the skills. 'skc init --in-place' makes skills/ a store.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 6.1 and 7.1",
    bad: &[("plugin.json", GOOD), ("skills/more/x/SKILL.md", SKILL)],
    good: &[("plugin.json", GOOD), ("skills/x/SKILL.md", SKILL)],
};

const MARKETPLACE_WITHOUT: &str = "{\"name\": \"demo\", \"owner\": {\"name\": \"Ada\"}, \"plugins\": [{\"name\": \"demo\", \"source\": \"./\", \"strict\": false, \"skills\": [\"./skills/x\"]}]}\n";
const OTHER_SKILL: &str =
    "---\nname: y\ndescription: Shows a plugin. Use when a plugin needs an example.\n---\n\n# Y\n";

/// Reports a path that does not exist.
pub(super) fn path_gone(key: &str, path: &str, node: &JsonNode, report: &mut PluginReport<'_>) {
    report.add(&PATH_GONE, &node.span, format!("'{key}' names '{path}', which does not exist"));
}

/// Reports manifests whose name or version differs from that of the first one, if `[plugin]` specifies neither.
pub(in crate::plugin) fn among_manifests(
    view: &PluginView<'_>,
    is_given: impl Fn(&str) -> bool,
    issues: &mut Vec<PluginIssue>,
) {
    for (key, rule) in [("name", &NAME), ("version", &VERSION)] {
        if is_given(key) {
            continue;
        }
        let documents = view.documents.iter().filter(|document| {
            ![PluginManifest::Mcp, PluginManifest::Marketplace].contains(&document.manifest)
        });
        let values: Vec<_> = documents
            .filter_map(|document| {
                let node = view.value(document.manifest)?.get(key)?;
                Some((document, node, node.text()?))
            })
            .collect();
        let Some(((first, _, expected), rest)) = values.split_first() else { continue };
        for (document, node, text) in rest.iter().filter(|(_, _, text)| text != expected) {
            let mut report = PluginReport { document, issues };
            let message = format!("'{key}' is '{text}', and '{expected}' in {}", first.manifest.path());
            report.add(rule, &node.span, message);
        }
    }
}

/// Reports skills that clients miss if they look only in `skills`.
pub(in crate::plugin) fn unseen_skills(view: &PluginView<'_>, issues: &mut Vec<PluginIssue>) {
    for manifest in [PluginManifest::AgentPlugin, PluginManifest::Gemini] {
        let Some(document) = view.document(manifest) else { continue };
        for skill in view.skills.iter().filter(|skill| !skill.is_in_skills()) {
            let mut report = PluginReport { document, issues };
            report.add_missing(&SKILL_UNSEEN, format!("the skill '{}' is not found", skill.path));
        }
        break;
    }
}
