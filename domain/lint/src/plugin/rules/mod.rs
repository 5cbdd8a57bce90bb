//! The rules for plugins: one file per manifest, and one line per rule in [`PLUGIN_RULES`].

mod agent_plugin;
pub(super) mod claude;
pub(super) mod codex;
mod common;
pub(super) mod drift;
pub(super) mod gemini;
pub(super) mod marketplace;
mod mcp;
mod mcp_remote;
mod mcp_server;
mod mcp_shape;
pub(super) mod skills;

use super::rule::{PluginIssue, PluginReport, PluginRule};
use super::view::{ManifestDocument, PluginView};
pub use agent_plugin::name_flaw;
pub use common::{MCP_SCHEMA, PLUGIN_SCHEMA};
use skillc_domain::plugin::PluginManifest;

/// All rules for plugins, by id.
pub static PLUGIN_RULES: &[&PluginRule] = &[
    &common::MANIFEST_JSON,
    &common::MANIFEST_LOCATION,
    &common::REPEATED_KEY,
    &agent_plugin::SCHEMA,
    &agent_plugin::NAME,
    &agent_plugin::METADATA,
    &agent_plugin::UNKNOWN_FIELD,
    &agent_plugin::EXTENSIONS,
    &agent_plugin::EXTENSION_VALUE,
    &agent_plugin::VERSION,
    &skills::FOLDER,
    &skills::INVALID,
    &skills::FIELD,
    &mcp::SCHEMA,
    &mcp::FIELDS,
    &mcp_shape::SHAPE,
    &mcp_server::COMMAND,
    &mcp_server::CWD,
    &mcp_server::ENV,
    &mcp_server::PROGRAM,
    &mcp_remote::URL,
    &mcp_remote::HEADERS,
    &mcp_remote::SECRET,
    &claude::NAME,
    &claude::SHAPE,
    &claude::PATH,
    &claude::UNKNOWN_FIELD,
    &claude::NAME_FORM,
    &marketplace::SHAPE,
    &marketplace::NAME,
    &marketplace::ENTRY,
    &marketplace::PATH,
    &codex::SHAPE,
    &codex::PATH,
    &codex::PROMPTS,
    &codex::NAME,
    &gemini::REQUIRED,
    &gemini::NAME,
    &gemini::SHAPE,
    &drift::VERSION,
    &drift::NAME,
    &drift::FIELD,
    &drift::SKILL_MISSING,
    &drift::PATH_GONE,
    &drift::MANIFEST_MISSING,
    &drift::PLUGIN_MISSING,
    &drift::SKILL_UNSEEN,
];

/// Looks up a rule by id or name, ignoring case.
pub fn find(id: &str) -> Option<&'static PluginRule> {
    PLUGIN_RULES
        .iter()
        .copied()
        .find(|rule| rule.id.eq_ignore_ascii_case(id) || rule.name.eq_ignore_ascii_case(id))
}

/// Checks one manifest by the rules for its format.
pub(super) fn check(document: &ManifestDocument, view: &PluginView<'_>, issues: &mut Vec<PluginIssue>) {
    let mut report = PluginReport { document, issues };
    let Some(root) = common::object(&mut report) else { return };
    match document.manifest {
        PluginManifest::AgentPlugin => agent_plugin::check(root, &mut report),
        PluginManifest::Mcp => mcp::check(root, view, &mut report),
        PluginManifest::Claude => claude::check(root, view, &mut report),
        PluginManifest::Marketplace => marketplace::check(root, view, &mut report),
        PluginManifest::Codex => codex::check(root, view, &mut report),
        PluginManifest::Gemini => gemini::check(root, &mut report),
    }
}
