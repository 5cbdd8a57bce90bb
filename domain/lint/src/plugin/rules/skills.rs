//! Rules for the skills of a plugin.

use super::common::{GOOD, SKILL};
use crate::plugin::rule::{PluginEffect, PluginIssue, PluginReport, PluginRule};
use crate::plugin::view::{PathState, PluginView, SKILLS_FOLDER};
use skillc_domain::plugin::PluginManifest;

pub static FOLDER: PluginRule = PluginRule {
    id: "PLG108",
    name: "skills-folder",
    effect: PluginEffect::PartDropped,
    why: "'skills' must be a folder in the plugin. If it is a file, or a link that leads out, clients continue without skills.",
    fix: "Make it a folder.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 4.1 and 6.2",
    bad: &[("plugin.json", GOOD), ("skills", "x\n")],
    good: &[("plugin.json", GOOD), ("skills/x/SKILL.md", SKILL)],
};

pub static INVALID: PluginRule = PluginRule {
    id: "PLG109",
    name: "plugin-skill",
    effect: PluginEffect::PartDropped,
    why: "Clients of Agent Plugins skip a skill that does not conform to the Agent Skills specification.",
    fix: "Run 'skc lint' on the skill.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 7.1",
    bad: &[("plugin.json", GOOD), ("skills/y/SKILL.md", SKILL)],
    good: &[("plugin.json", GOOD), ("skills/x/SKILL.md", SKILL)],
};

pub static FIELD: PluginRule = PluginRule {
    id: "PLG110",
    name: "plugin-skill-field",
    effect: PluginEffect::Nothing,
    why: "A skill has a field that the Agent Skills specification does not define. A client that strictly follows Agent Plugins skips such a skill; VS Code, Codex, Claude Code and Gemini CLI load it.",
    fix: "Move the field below 'metadata', if no client reads it.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 7.1",
    bad: &[
        ("plugin.json", GOOD),
        (
            "skills/x/SKILL.md",
            "---\nname: x\ndescription: Shows a plugin. Use when a plugin needs an example.\nauthor: Ada\n---\n\n# X\n",
        ),
    ],
    good: &[("plugin.json", GOOD), ("skills/x/SKILL.md", SKILL)],
};

/// How the specification's profile reports an unknown field.
const UNKNOWN_FIELD: &str = "is not in the specification";

pub(in crate::plugin) fn check(view: &PluginView<'_>, issues: &mut Vec<PluginIssue>) {
    let Some(document) = view.document(PluginManifest::AgentPlugin) else { return };
    let mut report = PluginReport { document, issues };
    match (view.look)(SKILLS_FOLDER) {
        PathState::File => report.add_missing(&FOLDER, "'skills' is a file, not a folder"),
        PathState::Outside => report.add_missing(&FOLDER, "'skills' leads out of the plugin"),
        PathState::Missing | PathState::Folder => {}
    }
    for skill in view.skills.iter().filter(|skill| skill.is_in_skills()) {
        for flaw in &skill.flaws {
            match flaw.ends_with(UNKNOWN_FIELD) {
                true => report.add_missing(&FIELD, format!("the skill '{}': {flaw}", skill.path)),
                false => {
                    report.add_missing(&INVALID, format!("the skill '{}' is skipped: {flaw}", skill.path))
                }
            }
        }
    }
}
