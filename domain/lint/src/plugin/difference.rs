//! Differences between a manifest and the plugin, each with the edit that removes it. Values that the source does not
//! specify belong to the author, as does everything that the manifest's clients do not need from it.

use super::rule::PluginRule;
use super::rules::drift;
use super::source::{PluginSource, SkillFolder};
use super::view::{PathState, inside};
use skillc_domain::json::{JsonEdit, JsonNode, JsonStep, JsonValue};
use skillc_domain::plugin::PluginManifest;
use std::ops::Range;

/// A difference between a manifest and the plugin.
#[derive(Clone, Debug)]
pub struct PluginDifference {
    /// The rule that reports it.
    pub rule: &'static PluginRule,
    /// Byte range in the manifest; `None` for something missing.
    pub at: Option<Range<usize>>,
    /// The message, in lower case, without a full stop.
    pub message: String,
    /// The edit that removes it.
    pub edit: JsonEdit,
}

/// The differences of a manifest, in the order of the source. Edits of one list are ordered so that each still finds
/// its item.
pub fn differences(
    source: &PluginSource,
    manifest: PluginManifest,
    current: &JsonNode,
    look: &dyn Fn(&str) -> PathState,
) -> Vec<PluginDifference> {
    let expected = source.document(manifest);
    let mut comparison = Comparison { source, look, found: Vec::new() };
    match manifest {
        PluginManifest::Marketplace => comparison.marketplace(&expected, current),
        // Without a source, the manifests themselves define the plugin.
        _ if source.settings.name.is_none() => {}
        _ => comparison.members(&[], &expected, current),
    }
    if manifest == PluginManifest::Claude {
        comparison.listed_skills(&[], current);
    }
    comparison.found
}

struct Comparison<'a> {
    source: &'a PluginSource,
    look: &'a dyn Fn(&str) -> PathState,
    found: Vec<PluginDifference>,
}

impl Comparison<'_> {
    /// Compares each member of an object with the source.
    fn members(&mut self, path: &[JsonStep], expected: &JsonValue, current: &JsonNode) {
        let JsonValue::Object(members) = expected else { return };
        for member in members {
            let path = [path, &[JsonStep::key(&member.key)]].concat();
            let is_listed = member.key == "skills" && current.get("skills").is_some();
            let is_server = path.len() == 2 && path[0] == JsonStep::key("mcpServers");
            match (&member.node.value, current.get(&member.key)) {
                // Compared item by item.
                _ if is_listed => {}
                (JsonValue::Object(_), Some(now))
                    if !is_server && matches!(now.value, JsonValue::Object(_)) =>
                {
                    self.members(&path, &member.node.value, now);
                }
                (expected, now) => self.value(&path, expected, now),
            }
        }
    }

    fn value(&mut self, path: &[JsonStep], expected: &JsonValue, now: Option<&JsonNode>) {
        if now.is_some_and(|now| now.value.equals(expected)) {
            return;
        }
        let shown = shown_path(path);
        let wants = shown_value(expected);
        let message = match now {
            Some(now) => format!("{shown} is {}, and the plugin has {wants}", shown_value(&now.value)),
            None => format!("{shown} is missing, and the plugin has {wants}"),
        };
        let at = now.map(|now| now.span.clone());
        let edit = JsonEdit { path: path.to_vec(), value: Some(expected.clone()) };
        self.found.push(PluginDifference { rule: rule_of(path), at, message, edit });
    }

    /// Compares the plugin's entry. A marketplace has a name and an owner of its own, and may list other plugins.
    fn marketplace(&mut self, expected: &JsonValue, current: &JsonNode) {
        let expected = JsonNode::from(expected.clone());
        let is_described = self.source.settings.name.is_some();
        for key in ["name", "owner", "plugins"].into_iter().filter(|_| is_described) {
            if let (None, Some(value)) = (current.get(key), expected.get(key)) {
                self.value(&[JsonStep::key(key)], &value.value, None);
            }
        }
        let Some(plugins) = current.get("plugins") else { return };
        let entry = JsonValue::object(self.source.marketplace_entry());
        match (self.own_entry(plugins), &self.source.settings.name) {
            (None, None) => {}
            (None, Some(name)) => {
                self.found.push(PluginDifference {
                    rule: &drift::PLUGIN_MISSING,
                    at: Some(plugins.span.clone()),
                    message: format!("plugin '{name}' is not listed"),
                    edit: JsonEdit {
                        path: vec![JsonStep::key("plugins"), JsonStep::Item(plugins.items().len())],
                        value: Some(entry),
                    },
                });
            }
            (Some(index), _) => {
                let path = [JsonStep::key("plugins"), JsonStep::Item(index)];
                self.entry(&path, &entry, &plugins.items()[index]);
            }
        }
    }

    /// The entry with the plugin's name, otherwise the only one with its folder.
    fn own_entry(&self, plugins: &JsonNode) -> Option<usize> {
        let name = self.source.settings.name.as_deref();
        let text = |entry: &JsonNode, key: &str| entry.get(key).and_then(JsonNode::text).map(str::to_owned);
        let by_name = |entry: &JsonNode| text(entry, "name").as_deref() == name;
        let is_here =
            |entry: &&JsonNode| text(entry, "source").and_then(|path| inside(&path)).as_deref() == Some("");
        let items = plugins.items();
        items.iter().position(by_name).or_else(|| {
            let only = items.iter().filter(is_here).count() == 1;
            items.iter().position(|entry| is_here(&entry)).filter(|_| only)
        })
    }

    fn entry(&mut self, path: &[JsonStep], expected: &JsonValue, current: &JsonNode) {
        let JsonValue::Object(members) = expected else { return };
        let is_owned = |key: &str| !["source", "strict"].contains(&key) || current.get(key).is_none();
        if self.source.settings.name.is_some() {
            let owned: Vec<_> = members.iter().filter(|member| is_owned(&member.key)).cloned().collect();
            self.members(path, &JsonValue::Object(owned), current);
        }
        self.listed_skills(path, current);
    }

    /// Compares a list of skills or of their folders: each skill must be covered, and each path must exist.
    fn listed_skills(&mut self, path: &[JsonStep], current: &JsonNode) {
        let path = [path, &[JsonStep::key("skills")]].concat();
        let Some(list) = current.get("skills").filter(|list| matches!(list.value, JsonValue::List(_))) else {
            return;
        };
        let is_in = |folder: &str, skill: &str| {
            folder.is_empty() || skill == folder || skill.starts_with(&format!("{folder}/"))
        };
        let covers = |item: &JsonNode, skill: &SkillFolder| {
            let listed = item.text().and_then(inside);
            listed.is_some_and(|listed| is_in(&listed, &skill.path) || is_in(&listed, &skill.real))
        };
        let is_gone = |item: &JsonNode| {
            let listed = item.text().and_then(inside);
            listed.is_some_and(|listed| (self.look)(&listed) == PathState::Missing)
        };
        // Starts with the last one, so that the positions of the others stay valid.
        let gone: Vec<usize> =
            (0..list.items().len()).rev().filter(|at| is_gone(&list.items()[*at])).collect();
        let shown = shown_path(&path);
        for at in &gone {
            let item = &list.items()[*at];
            self.found.push(PluginDifference {
                rule: &drift::PATH_GONE,
                at: Some(item.span.clone()),
                message: format!("{shown} lists '{}', which is gone", item.text().unwrap_or_default()),
                edit: JsonEdit { path: [&path[..], &[JsonStep::Item(*at)]].concat(), value: None },
            });
        }
        let missing = self.source.skills.iter();
        let missing = missing.filter(|skill| !list.items().iter().any(|item| covers(item, skill)));
        for (count, skill) in missing.enumerate() {
            let position = list.items().len() - gone.len() + count;
            self.found.push(PluginDifference {
                rule: &drift::SKILL_MISSING,
                at: Some(list.span.clone()),
                message: format!("{shown} does not list the skill './{}'", skill.path),
                edit: JsonEdit {
                    path: [&path[..], &[JsonStep::Item(position)]].concat(),
                    value: Some(JsonValue::Text(format!("./{}", skill.path))),
                },
            });
        }
    }
}

/// The rule for a value: name, version, or any other.
fn rule_of(path: &[JsonStep]) -> &'static PluginRule {
    match path.last() {
        Some(JsonStep::Key(key)) if key == "version" => &drift::VERSION,
        Some(JsonStep::Key(key)) if key == "name" => &drift::NAME,
        _ => &drift::FIELD,
    }
}

/// A path for display: `'author.name'`.
fn shown_path(path: &[JsonStep]) -> String {
    let mut shown = String::new();
    for step in path {
        match step {
            JsonStep::Key(key) if shown.is_empty() => shown.push_str(key),
            JsonStep::Key(key) => shown += &format!(".{key}"),
            JsonStep::Item(index) => shown += &format!("[{index}]"),
        }
    }
    format!("'{shown}'")
}

/// Number of characters of a value that a message shows.
const SHOWN_CHARS_MAX: usize = 60;

fn shown_value(value: &JsonValue) -> String {
    match value {
        JsonValue::Text(text) if text.chars().count() <= SHOWN_CHARS_MAX => format!("'{text}'"),
        JsonValue::Text(_) => "another text".to_owned(),
        JsonValue::List(items) if items.iter().all(|item| item.text().is_some()) => {
            let texts: Vec<&str> = items.iter().filter_map(JsonNode::text).collect();
            format!("[{}]", texts.join(", "))
        }
        JsonValue::Flag(flag) => flag.to_string(),
        JsonValue::Number(number) => number.clone(),
        other => other.kind().to_owned(),
    }
}
