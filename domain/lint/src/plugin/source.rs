//! The expected content of a plugin's manifests, from `[plugin]` and the folders of its skills.

use super::rules::{MCP_SCHEMA, PLUGIN_SCHEMA};
use super::servers;
use super::view::SKILLS_FOLDER;
use skillc_domain::json::JsonValue;
use skillc_domain::plugin::{PluginAuthor, PluginManifest, PluginSettings};
use std::collections::BTreeSet;

/// A plugin as its author describes it.
#[derive(Clone, Debug, Default)]
pub struct PluginSource {
    /// `[plugin]`.
    pub settings: PluginSettings,
    /// The folders of its skills, sorted by path.
    pub skills: Vec<SkillFolder>,
}

/// The folder of a skill, relative to the plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillFolder {
    /// The path by which clients reach it.
    pub path: String,
    /// The path with links resolved.
    pub real: String,
}

impl PluginSource {
    /// The requested manifests.
    pub fn manifests(&self) -> Vec<PluginManifest> {
        let is_requested = |manifest: &PluginManifest| {
            let has_servers = *manifest != PluginManifest::Mcp || !self.settings.servers.is_empty();
            has_servers && self.settings.manifests.iter().any(|word| word == manifest.word())
        };
        PluginManifest::ALL.into_iter().filter(is_requested).collect()
    }

    /// Whether a manifest is requested.
    pub fn asks_for(&self, manifest: PluginManifest) -> bool {
        self.settings.manifests.iter().any(|word| word == manifest.word())
    }

    /// Generates a manifest.
    pub fn document(&self, manifest: PluginManifest) -> JsonValue {
        let members = match manifest {
            PluginManifest::AgentPlugin => self.agent_plugin(),
            PluginManifest::Mcp => self.mcp(),
            PluginManifest::Claude => self.claude(),
            PluginManifest::Marketplace => self.marketplace(),
            PluginManifest::Codex => self.codex(),
            PluginManifest::Gemini => self.gemini(),
        };
        JsonValue::object(members)
    }

    fn agent_plugin(&self) -> Vec<(&'static str, JsonValue)> {
        [vec![("$schema", JsonValue::text(PLUGIN_SCHEMA))], self.metadata()].concat()
    }

    fn mcp(&self) -> Vec<(&'static str, JsonValue)> {
        let servers = JsonValue::object(self.settings.servers.clone());
        vec![("$schema", JsonValue::text(MCP_SCHEMA)), ("mcpServers", servers)]
    }

    fn claude(&self) -> Vec<(&'static str, JsonValue)> {
        let mut members = self.metadata();
        let folders = self.other_folders();
        if !folders.is_empty() {
            members.push(("skills", JsonValue::texts(folders)));
        }
        self.push_servers(&mut members, servers::for_claude);
        members
    }

    fn codex(&self) -> Vec<(&'static str, JsonValue)> {
        let is_read =
            |(key, _): &(&str, JsonValue)| ["name", "version", "description", "keywords"].contains(key);
        let mut members: Vec<(&str, JsonValue)> = self.metadata().into_iter().filter(is_read).collect();
        match &self.folders()[..] {
            [] => {}
            [one] => members.push(("skills", JsonValue::text(one))),
            more => members.push(("skills", JsonValue::texts(more))),
        }
        self.push_servers(&mut members, servers::for_codex);
        members
    }

    fn gemini(&self) -> Vec<(&'static str, JsonValue)> {
        let is_read = |(key, _): &(&str, JsonValue)| ["name", "version", "description"].contains(key);
        let mut members: Vec<(&str, JsonValue)> = self.metadata().into_iter().filter(is_read).collect();
        self.push_servers(&mut members, servers::for_gemini);
        members
    }

    fn push_servers(
        &self,
        members: &mut Vec<(&'static str, JsonValue)>,
        translate: fn(&JsonValue) -> Option<JsonValue>,
    ) {
        let servers = self.settings.servers.iter();
        let translated: Vec<(String, JsonValue)> =
            servers.filter_map(|(name, server)| Some((name.clone(), translate(server)?))).collect();
        if !translated.is_empty() {
            members.push(("mcpServers", JsonValue::object(translated)));
        }
    }

    fn marketplace(&self) -> Vec<(&'static str, JsonValue)> {
        let name = self.settings.name.as_deref().unwrap_or_default();
        let author = self.settings.author.as_deref().map(PluginAuthor::parse).unwrap_or_default();
        let owner_name = Some(author.name.as_str()).filter(|name| !name.is_empty()).unwrap_or(name);
        let mut owner = vec![("name", JsonValue::text(owner_name))];
        owner.extend(author.email.as_deref().map(|email| ("email", JsonValue::text(email))));
        vec![
            ("name", JsonValue::text(name)),
            ("owner", JsonValue::object(owner)),
            ("plugins", JsonValue::List(vec![JsonValue::object(self.marketplace_entry()).into()])),
        ]
    }

    /// The marketplace entry. If the plugin has no manifest of its own, the entry describes the plugin completely.
    pub(super) fn marketplace_entry(&self) -> Vec<(&'static str, JsonValue)> {
        let text =
            |key: &'static str, value: &Option<String>| Some((key, JsonValue::text(value.as_deref()?)));
        let mut entry: Vec<_> = text("name", &self.settings.name).into_iter().collect();
        entry.push(("source", JsonValue::text("./")));
        entry.extend(text("description", &self.settings.description));
        entry.extend(text("version", &self.settings.version));
        if !self.asks_for(PluginManifest::Claude) {
            entry.push(("strict", JsonValue::Flag(false)));
            entry.push((
                "skills",
                JsonValue::texts(self.skills.iter().map(|skill| format!("./{}", skill.path))),
            ));
        }
        entry
    }

    /// The members that most manifests have in common.
    fn metadata(&self) -> Vec<(&'static str, JsonValue)> {
        let settings = &self.settings;
        let text =
            |key: &'static str, value: &Option<String>| Some((key, JsonValue::text(value.as_deref()?)));
        let mut members = Vec::new();
        members.extend(text("name", &settings.name));
        members.extend(text("version", &settings.version));
        members.extend(text("description", &settings.description));
        members.extend(
            settings.author.as_deref().map(|author| ("author", written(&PluginAuthor::parse(author)))),
        );
        members.extend(text("homepage", &settings.homepage));
        members.extend(text("repository", &settings.repository));
        members.extend(text("license", &settings.license));
        if !settings.keywords.is_empty() {
            members.push(("keywords", JsonValue::texts(&settings.keywords)));
        }
        members
    }

    /// The folders that contain skills, as paths for manifests.
    fn folders(&self) -> Vec<String> {
        let parent = |skill: &SkillFolder| match skill.path.rsplit_once('/') {
            Some((parent, _)) => format!("./{parent}/"),
            None => format!("./{}/", skill.path),
        };
        self.skills.iter().map(parent).collect::<BTreeSet<String>>().into_iter().collect()
    }

    /// The folders in which Claude Code does not look by default.
    fn other_folders(&self) -> Vec<String> {
        let own = format!("./{SKILLS_FOLDER}/");
        self.folders().into_iter().filter(|folder| *folder != own).collect()
    }
}

fn written(author: &PluginAuthor) -> JsonValue {
    let text = |key: &'static str, value: &Option<String>| Some((key, JsonValue::text(value.as_deref()?)));
    let name = Some(author.name.clone()).filter(|name| !name.is_empty());
    let parts = [text("name", &name), text("email", &author.email), text("url", &author.url)];
    JsonValue::object(parts.into_iter().flatten())
}
