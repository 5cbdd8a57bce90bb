//! A plugin: the manifests that its clients read, and its author's settings in `[plugin]`.

use crate::json::JsonValue;

/// A manifest of a plugin, by the client that reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PluginManifest {
    /// Agent Plugins: `plugin.json`.
    AgentPlugin,
    /// Agent Plugins: the MCP servers, `mcp.json`.
    Mcp,
    /// Claude Code: the plugin.
    Claude,
    /// Claude Code: the marketplace, from which Codex and `npx skills` install too.
    Marketplace,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
}

/// The values of `[plugin] manifests`. `agent-plugins` includes `mcp.json` if there are servers.
pub const MANIFEST_WORDS: &[&str] = &["agent-plugins", "claude", "marketplace", "codex", "gemini"];

impl PluginManifest {
    /// Every manifest, in documentation order.
    pub const ALL: [Self; 6] =
        [Self::AgentPlugin, Self::Mcp, Self::Claude, Self::Marketplace, Self::Codex, Self::Gemini];

    /// Path in the plugin.
    pub fn path(self) -> &'static str {
        match self {
            Self::AgentPlugin => "plugin.json",
            Self::Mcp => "mcp.json",
            Self::Claude => ".claude-plugin/plugin.json",
            Self::Marketplace => ".claude-plugin/marketplace.json",
            Self::Codex => ".codex-plugin/plugin.json",
            Self::Gemini => "gemini-extension.json",
        }
    }

    /// The value of `[plugin] manifests` that requests it.
    pub fn word(self) -> &'static str {
        match self {
            Self::AgentPlugin | Self::Mcp => "agent-plugins",
            Self::Claude => "claude",
            Self::Marketplace => "marketplace",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
        }
    }
}

/// `[plugin]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PluginSettings {
    /// `name`.
    pub name: Option<String>,
    /// `version`.
    pub version: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// `author`, as in `Ada <ada@example.com> (https://example.com)`.
    pub author: Option<String>,
    /// `homepage`.
    pub homepage: Option<String>,
    /// `repository`.
    pub repository: Option<String>,
    /// `license`.
    pub license: Option<String>,
    /// `keywords`.
    pub keywords: Vec<String>,
    /// `manifests`: words of [`MANIFEST_WORDS`].
    pub manifests: Vec<String>,
    /// `mcp`: MCP servers by name, in the form of Agent Plugins.
    pub servers: Vec<(String, JsonValue)>,
}

/// The author of a plugin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PluginAuthor {
    /// The author's name; may be empty.
    pub name: String,
    /// The author's email address.
    pub email: Option<String>,
    /// The author's web page.
    pub url: Option<String>,
}

impl PluginAuthor {
    /// Parses npm's form `Name <email> (url)`; email and URL are optional.
    pub fn parse(text: &str) -> Self {
        let part = |open: char, close: char| {
            let (_, rest) = text.split_once(open)?;
            let (inner, _) = rest.split_once(close)?;
            Some(inner.trim().to_owned()).filter(|inner| !inner.is_empty())
        };
        let name = text.split(['<', '(']).next().unwrap_or_default().trim().to_owned();
        Self { name, email: part('<', '>'), url: part('(', ')') }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0015:C-PLUGIN-SOURCE
    #[test]
    fn an_author_is_written_as_in_npm() {
        let some = |text: &str| Some(text.to_owned());
        for (text, name, email, url) in [
            ("Ada", "Ada", None, None),
            ("Ada Lovelace <a@b.c>", "Ada Lovelace", some("a@b.c"), None),
            ("Ada (https://x.y)", "Ada", None, some("https://x.y")),
            ("Ada <a@b.c> (https://x.y)", "Ada", some("a@b.c"), some("https://x.y")),
            ("<>", "", None, None),
        ] {
            assert_eq!(PluginAuthor::parse(text), PluginAuthor { name: name.into(), email, url }, "{text}");
        }
    }

    #[test]
    fn each_manifest_has_a_word() {
        assert!(PluginManifest::ALL.iter().all(|manifest| MANIFEST_WORDS.contains(&manifest.word())));
    }

    /// RFC-0015:C-PLUGIN
    #[test]
    fn each_manifest_is_at_the_path_where_its_client_reads_it() {
        let paths = [
            "plugin.json",
            "mcp.json",
            ".claude-plugin/plugin.json",
            ".claude-plugin/marketplace.json",
            ".codex-plugin/plugin.json",
            "gemini-extension.json",
        ];
        assert_eq!(PluginManifest::ALL.map(PluginManifest::path), paths);
        let words = ["agent-plugins", "agent-plugins", "claude", "marketplace", "codex", "gemini"];
        assert_eq!(PluginManifest::ALL.map(PluginManifest::word), words);
    }
}
