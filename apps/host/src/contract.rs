//! The methods of the protocol and what they carry, as the documents write them (RFC-0012:C-METHODS).

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skillc_domain::discovery::skill::{CatalogSkill, LoadError, SkillCatalog};
use std::path::PathBuf;

/// What a client asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", content = "params")]
pub enum Command {
    /// The catalog of a working directory.
    #[serde(rename = "skills.list")]
    SkillsList(SkillsListParams),
    /// What this connection knows and has loaded.
    #[serde(rename = "context.inspect")]
    ContextInspect(ContextInspectParams),
    /// Skills that answer a request.
    #[serde(rename = "skill.search")]
    SkillSearch(SkillSearchParams),
    /// A skill's text for a context.
    #[serde(rename = "skill.load")]
    SkillLoad(SkillLoadParams),
    /// Skills that mean something near.
    #[serde(rename = "skill.discovery.search")]
    SkillDiscoverySearch(SkillDiscoverySearchParams),
}

impl Command {
    /// Every method, in the order of the table.
    pub const METHODS: [&'static str; 5] =
        ["skills.list", "context.inspect", "skill.search", "skill.load", "skill.discovery.search"];

    /// Reads the parameters of a method that is known; none count as an empty object.
    ///
    /// # Errors
    /// What does not fit, on one line.
    pub fn read(method: &str, params: Option<Value>) -> Result<Self, String> {
        let params = params.unwrap_or_else(|| json!({}));
        if !params.is_object() {
            return Err("'params' must be an object".to_owned());
        }
        serde_json::from_value(json!({ "method": method, "params": params }))
            .map_err(|error| error.to_string().replace('`', "'"))
    }
}

/// Parameters of `skills.list`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkillsListParams {
    /// The working directory, absolute; that of the process without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<PathBuf>,
    /// Whether everything is looked at anew, whatever is remembered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force_reload: Option<bool>,
}

/// A skill (skills specification 4).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillMetadata {
    /// Sixteen hexadecimal digits of the SHA-256 of `path`.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Its SKILL.md, links resolved.
    pub path: String,
    /// The folder that holds it.
    pub dir: String,
    /// `repo` or `user`.
    pub scope: String,
    /// When its SKILL.md was changed, milliseconds since 1970 UTC.
    pub mtime_ms: i64,
}

impl From<&CatalogSkill> for SkillMetadata {
    fn from(skill: &CatalogSkill) -> Self {
        Self {
            id: skill.id.clone(),
            name: skill.name.clone(),
            description: skill.description.clone(),
            path: skill.path.to_string_lossy().into_owned(),
            dir: skill.dir.to_string_lossy().into_owned(),
            scope: skill.scope.word().to_owned(),
            mtime_ms: skill.mtime_ms,
        }
    }
}

/// A folder that looks like a skill and is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillLoadError {
    /// Its SKILL.md.
    pub path: String,
    /// What is wrong.
    pub message: String,
}

impl From<&LoadError> for SkillLoadError {
    fn from(error: &LoadError) -> Self {
        Self { path: error.path.to_string_lossy().into_owned(), message: error.message.clone() }
    }
}

/// Answer of `skills.list`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SkillsListResult {
    /// Repo before user, then by path.
    pub skills: Vec<SkillMetadata>,
    /// By path.
    pub errors: Vec<SkillLoadError>,
}

impl From<&SkillCatalog> for SkillsListResult {
    fn from(catalog: &SkillCatalog) -> Self {
        Self {
            skills: catalog.skills.iter().map(Into::into).collect(),
            errors: catalog.errors.iter().map(Into::into).collect(),
        }
    }
}

/// Parameters of `context.inspect`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContextInspectParams {
    /// Whether the state of skills is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_skills: Option<bool>,
    /// The working directory whose catalog is read for it; that of the process without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<PathBuf>,
}

/// Answer of `context.inspect`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContextInspectResult {
    /// The state of skills, where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skills: Option<SkillsState>,
}

/// What this connection knows of skills and has of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SkillsState {
    /// The working directories that were asked about, by path: `skillsCatalogByCwd` of the skills specification.
    pub catalogs: Vec<CatalogState>,
    /// What was loaded on this connection, by path: `loadedSkillVersions` of the skills specification.
    pub loaded: Vec<LoadedVersion>,
}

/// The catalog of a working directory as it was read last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CatalogState {
    /// The working directory.
    pub cwd: String,
    /// Whether there is a catalog at all.
    pub enabled: bool,
    /// Skills in it.
    pub count: usize,
    /// Whether a bound ended the search before its end.
    pub truncated: bool,
    /// What looks like a skill and is none.
    pub errors: Vec<SkillLoadError>,
}

/// A skill that was loaded, and which version of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoadedVersion {
    /// Its id.
    pub skill_id: String,
    /// Its name.
    pub name: String,
    /// Its SKILL.md.
    pub path: String,
    /// When that was changed, milliseconds since 1970 UTC.
    pub mtime_ms: i64,
}

/// Parameters of `skill.search`: those of `skc find`, and the working directory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkillSearchParams {
    /// What one wants to do, or a name or path.
    pub query: String,
    /// At most so many results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Skills of one scope only: `repo` or `user`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// How skills are looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// The working directory, absolute; that of the process without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<PathBuf>,
}

/// Parameters of `skill.load`: those of `skc load`, and the working directory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkillLoadParams {
    /// The skill's name, if it is the only one of that name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The path of its SKILL.md or folder; comes before the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// A reference that an earlier answer gave.
    #[serde(default, rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Whether the text is sent again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<bool>,
    /// The working directory, absolute; that of the process without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<PathBuf>,
}

/// Parameters of `skill.discovery.search` (semantic discovery, task 4).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkillDiscoverySearchParams {
    /// What one wants to do.
    pub query: String,
    /// At most so many results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// Answer of `skill.discovery.search`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SkillDiscoverySearchResult {
    /// Best first.
    pub results: Vec<DiscoveredSkill>,
}

/// A skill that means something near.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DiscoveredSkill {
    /// Its id.
    pub skill_id: String,
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// 0 to 1; more is better.
    pub score: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(method: &str, params: Value) -> Command {
        Command::read(method, Some(params)).unwrap()
    }

    /// RFC-0012:C-METHODS; semantic discovery, task 4: "contract round-trip for new command".
    #[test]
    fn every_command_survives_a_round_trip() {
        let cases = [
            ("skills.list", json!({ "cwd": "/w", "force_reload": true })),
            ("skills.list", json!({})),
            ("context.inspect", json!({ "include_skills": true, "cwd": "/w" })),
            (
                "skill.search",
                json!({ "query": "q", "limit": 3, "scope": "repo", "mode": "lexical", "cwd": "/w" }),
            ),
            ("skill.search", json!({ "query": "q" })),
            (
                "skill.load",
                json!({ "name": "n", "path": "/p", "ref": "skill:a@b", "force": true, "cwd": "/w" }),
            ),
            ("skill.discovery.search", json!({ "query": "send a message", "limit": 5 })),
        ];
        for (method, params) in cases {
            let command = read(method, params.clone());
            let written = serde_json::to_value(&command).unwrap();
            assert_eq!(written, json!({ "method": method, "params": params }));
            assert_eq!(serde_json::from_value::<Command>(written).unwrap(), command);
        }
    }

    /// RFC-0012:C-METHODS
    #[test]
    fn every_answer_survives_a_round_trip() {
        fn round_trip<T: Serialize + for<'a> Deserialize<'a> + PartialEq + std::fmt::Debug>(value: Value) {
            let read: T = serde_json::from_value(value.clone()).unwrap();
            assert_eq!(serde_json::to_value(&read).unwrap(), value);
        }
        let skill = json!({
            "id": "0123456789abcdef", "name": "n", "description": "d", "path": "/s/n/SKILL.md", "dir": "/s/n",
            "scope": "repo", "mtimeMs": 1,
        });
        let errors = json!([{ "path": "/s/x/SKILL.md", "message": "m" }]);
        round_trip::<SkillsListResult>(json!({ "skills": [skill], "errors": errors }));
        round_trip::<ContextInspectResult>(json!({}));
        let catalog =
            json!({ "cwd": "/w", "enabled": true, "count": 1, "truncated": false, "errors": errors });
        let loaded = json!({ "skill_id": "i", "name": "n", "path": "/p", "mtime_ms": 1 });
        round_trip::<ContextInspectResult>(
            json!({ "skills": { "catalogs": [catalog], "loaded": [loaded] } }),
        );
        let found = json!({ "skill_id": "i", "name": "n", "description": "d", "score": 0.85 });
        round_trip::<SkillDiscoverySearchResult>(json!({ "results": [found] }));
    }

    /// RFC-0012:C-ERRORS
    #[test]
    fn parameters_that_do_not_fit_are_told() {
        let refused = |method: &str, params: Value| Command::read(method, Some(params)).unwrap_err();
        assert_eq!(refused("skill.search", json!({})), "missing field 'query'");
        assert_eq!(refused("skill.search", json!(["q"])), "'params' must be an object");
        assert!(refused("skills.list", json!({ "cwd": 5 })).contains("invalid type"));
        assert!(
            refused("skill.discovery.search", json!({ "query": "q", "cwd": "/" }))
                .contains("unknown field 'cwd'")
        );
        assert!(
            refused("skill.discovery.search", json!({ "query": "q", "limit": -1 })).contains("invalid value")
        );
        assert_eq!(Command::read("skills.list", None), Ok(Command::SkillsList(SkillsListParams::default())));
    }

    #[test]
    fn the_table_of_methods_is_that_of_the_commands() {
        for method in Command::METHODS {
            let refused = Command::read(method, Some(json!({ "no": 1 }))).unwrap_err();
            assert!(refused.contains("unknown field 'no'"), "{method}: {refused}");
        }
        assert!(Command::read("no.such", None).unwrap_err().contains("variant"));
    }
}
