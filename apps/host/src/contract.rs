//! The methods of the protocol, their parameters and their results (RFC-0012:C-METHODS).

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skillc_domain::discovery::skill::{CatalogSkill, LoadError, SkillCatalog};
use skillc_ops::catalog::ScopeWord;
use skillc_ops::find::{FindMode, FindResult};
use skillc_ops::verb::find::FindRequest;
use skillc_ops::verb::load::{LoadReply, LoadRequest};
use std::path::PathBuf;

/// A request of a client.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", content = "params")]
pub enum Command {
    /// Lists the catalog of a working directory.
    #[serde(rename = "skills.list")]
    SkillsList(SkillsListParams),
    /// Reports the state of this connection.
    #[serde(rename = "context.inspect")]
    ContextInspect(ContextInspectParams),
    /// Searches skills by words or meaning.
    #[serde(rename = "skill.search")]
    SkillSearch(SkillSearchParams),
    /// Loads the text of a skill.
    #[serde(rename = "skill.load")]
    SkillLoad(SkillLoadParams),
    /// Searches skills by meaning only.
    #[serde(rename = "skill.discovery.search")]
    SkillDiscoverySearch(SkillDiscoverySearchParams),
}

impl Command {
    /// Every method, in the order of the table in RFC-0012.
    pub const METHODS: [&'static str; 5] =
        ["skills.list", "context.inspect", "skill.search", "skill.load", "skill.discovery.search"];

    /// Parses the parameters of a known method; missing parameters count as an empty object.
    ///
    /// # Errors
    /// The reason they do not fit, on one line.
    pub fn parse(method: &str, params: Option<Value>) -> Result<Self, String> {
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
    /// An absolute working directory; that of the process by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<PathBuf>,
    /// Bypasses all caches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force_reload: Option<bool>,
}

/// A skill (skills specification 4).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillMetadata {
    /// Sixteen hexadecimal digits of the SHA-256 of `path`.
    pub id: String,
    /// From its front matter.
    pub name: String,
    /// From its front matter.
    pub description: String,
    /// The path of its SKILL.md, links resolved.
    pub path: String,
    /// The folder with SKILL.md.
    pub dir: String,
    /// `repo` or `user`.
    pub scope: String,
    /// Last change of SKILL.md, milliseconds since 1970 UTC.
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

/// An invalid skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillLoadError {
    /// The path of its SKILL.md.
    pub path: String,
    /// The reason it is invalid.
    pub message: String,
}

impl From<&LoadError> for SkillLoadError {
    fn from(error: &LoadError) -> Self {
        Self { path: error.path.to_string_lossy().into_owned(), message: error.message.clone() }
    }
}

/// Result of `skills.list`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SkillsListResult {
    /// Ordered by scope, `repo` first, and then by path.
    pub skills: Vec<SkillMetadata>,
    /// Ordered by path.
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
    /// Includes the state of skills.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_skills: Option<bool>,
    /// The working directory whose catalog is read; that of the process by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<PathBuf>,
}

/// Result of `context.inspect`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContextInspectResult {
    /// The state of skills, if it was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skills: Option<SkillsState>,
}

/// The skills that this connection has listed and loaded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SkillsState {
    /// The requested working directories, ordered by path: `skillsCatalogByCwd` of the skills specification.
    pub catalogs: Vec<CatalogState>,
    /// The loaded skills, ordered by path: `loadedSkillVersions` of the skills specification.
    pub loaded: Vec<LoadedVersion>,
}

/// The catalog of a working directory as of its last read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CatalogState {
    /// The working directory.
    pub cwd: String,
    /// Whether skills are enabled in the settings.
    pub enabled: bool,
    /// Number of skills.
    pub count: usize,
    /// Whether a limit ended the scan early.
    pub truncated: bool,
    /// Invalid skills.
    pub errors: Vec<SkillLoadError>,
}

/// The loaded version of a skill.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoadedVersion {
    /// The id in the catalog.
    pub skill_id: String,
    /// From its front matter.
    pub name: String,
    /// The path of its SKILL.md.
    pub path: String,
    /// Last change of SKILL.md when it was loaded, milliseconds since 1970 UTC.
    pub mtime_ms: i64,
}

impl From<&LoadReply> for LoadedVersion {
    fn from(reply: &LoadReply) -> Self {
        Self {
            skill_id: reply.skill_id.clone(),
            name: reply.name.clone(),
            path: reply.path.to_string_lossy().into_owned(),
            mtime_ms: reply.mtime_ms,
        }
    }
}

/// Parameters of `skill.search`: those of `skc find`, and a working directory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkillSearchParams {
    /// A task, a name or a path.
    pub query: String,
    /// Maximum number of results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Restricts the search to `repo` or `user`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<ScopeWord>,
    /// The search mode, as for `skc find --mode`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<FindMode>,
    /// An absolute working directory; that of the process by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<PathBuf>,
}

impl From<SkillSearchParams> for FindRequest {
    fn from(params: SkillSearchParams) -> Self {
        let SkillSearchParams { query, limit, scope, mode, cwd: _ } = params;
        Self { query: vec![query], limit, scope, mode: mode.unwrap_or_default(), ..Self::default() }
    }
}

/// Parameters of `skill.load`: those of `skc load`, and a working directory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkillLoadParams {
    /// The name of the skill, if it is unique.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The path of its SKILL.md or folder; takes precedence over `name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// A reference from an earlier result.
    #[serde(default, rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Sends the text again, even if it is unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<bool>,
    /// An absolute working directory; that of the process by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<PathBuf>,
}

impl From<SkillLoadParams> for LoadRequest {
    fn from(params: SkillLoadParams) -> Self {
        let SkillLoadParams { name, path, reference, force, cwd: _ } = params;
        Self { name, path, roots: Default::default(), reference, force: force.unwrap_or_default() }
    }
}

/// Parameters of `skill.discovery.search` (semantic discovery, task 4).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkillDiscoverySearchParams {
    /// A task.
    pub query: String,
    /// Maximum number of results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// Result of `skill.discovery.search`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SkillDiscoverySearchResult {
    /// Best first.
    pub results: Vec<DiscoveredSkill>,
}

/// A skill found by meaning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DiscoveredSkill {
    /// The id in the catalog.
    pub skill_id: String,
    /// From its front matter.
    pub name: String,
    /// From its front matter.
    pub description: String,
    /// Similarity, 0 to 1.
    pub score: f64,
}

impl From<FindResult> for DiscoveredSkill {
    fn from(result: FindResult) -> Self {
        let FindResult { id: skill_id, name, description, score, .. } = result;
        Self { skill_id, name, description, score }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(method: &str, params: Value) -> Command {
        Command::parse(method, Some(params)).unwrap()
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
    fn parameters_that_do_not_fit_are_reported() {
        let refused = |method: &str, params: Value| Command::parse(method, Some(params)).unwrap_err();
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
        assert_eq!(Command::parse("skills.list", None), Ok(Command::SkillsList(SkillsListParams::default())));
    }

    #[test]
    fn the_table_of_methods_is_that_of_the_commands() {
        for method in Command::METHODS {
            let refused = Command::parse(method, Some(json!({ "no": 1 }))).unwrap_err();
            assert!(refused.contains("unknown field 'no'"), "{method}: {refused}");
        }
        assert!(Command::parse("no.such", None).unwrap_err().contains("variant"));
    }
}
