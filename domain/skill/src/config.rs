//! Settings as validated values. The command line decides where they come from.

use crate::discovery::settings::{DiscoverySettings, Permissions, SkillsSettings};
use crate::history::ModelPrice;
use crate::limits::{SETTING_CHARS_MAX, WHOLE_BYTES_MAX};
use crate::model::EmbeddingModel;
use crate::places::SourceRoot;
use crate::plugin::PluginSettings;
use crate::rule_settings::LintSettings;
use std::path::PathBuf;

/// How text is split into words for the index (RFC-0009:C-TOKENIZER).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tokenizer {
    /// Words of letters and digits, with English stemming.
    #[default]
    Ascii,
    /// Words of letters and digits, without stemming.
    Cjk,
}

impl Tokenizer {
    /// The value of the setting: `ascii` or `cjk`.
    pub fn setting(self) -> &'static str {
        match self {
            Self::Ascii => "ascii",
            Self::Cjk => "cjk",
        }
    }

    /// Parses a setting; `None` for any other word.
    pub fn from_setting(word: &str) -> Option<Self> {
        [Self::Ascii, Self::Cjk].into_iter().find(|t| t.setting() == word)
    }

    /// The name in an index: `porter` or `unicode61` (RFC-0004:C-INDEX).
    pub fn recorded(self) -> &'static str {
        match self {
            Self::Ascii => "porter",
            Self::Cjk => "unicode61",
        }
    }

    /// Parses the name in an index; `None` for any other word.
    pub fn from_recorded(word: &str) -> Option<Self> {
        [Self::Ascii, Self::Cjk].into_iter().find(|t| t.recorded() == word)
    }
}

/// What `show` and `search` do if the index is stale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnStale {
    /// Fail with E002, as the RFC requires.
    #[default]
    Error,
    /// Build, then answer.
    Rebuild,
}

impl OnStale {
    /// The value of the setting.
    pub fn setting(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Rebuild => "rebuild",
        }
    }

    /// Parses a setting; `None` for any other word.
    pub fn from_setting(word: &str) -> Option<Self> {
        [Self::Error, Self::Rebuild].into_iter().find(|o| o.setting() == word)
    }
}

/// `[build]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildSettings {
    /// A skill without reference files is built as its whole text if its SKILL.md has at most this many bytes below
    /// the front matter; 0 disables that.
    pub whole_bytes_max: u32,
}

impl Default for BuildSettings {
    fn default() -> Self {
        Self { whole_bytes_max: WHOLE_BYTES_MAX }
    }
}

/// `[output]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputSettings {
    /// Whether a long reply on a terminal goes through a pager.
    pub has_pager: bool,
}

impl Default for OutputSettings {
    fn default() -> Self {
        Self { has_pager: true }
    }
}

/// Where events are logged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogStore {
    /// In each skill's runtime.
    #[default]
    Local,
    /// In the team store; in the runtime if that fails.
    Postgres,
}

impl LogStore {
    /// The value of the setting.
    pub fn setting(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Postgres => "postgres",
        }
    }

    /// Parses a setting; `None` for any other word.
    pub fn from_setting(word: &str) -> Option<Self> {
        [Self::Local, Self::Postgres].into_iter().find(|o| o.setting() == word)
    }
}

/// The configured team store.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct TeamSettings {
    /// `[team] url` or SKILLC_TEAM_URL; may hold a password.
    pub url: String,
    /// SKILLC_TEAM_PASSWORD, or the first line of `[team] password_file`.
    pub password: Option<String>,
    /// `[team] org`.
    pub org: String,
    /// `[team] machine`, or the name of this host.
    pub machine: String,
}

/// Omits the URL and the password.
impl std::fmt::Debug for TeamSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TeamSettings")
            .field("org", &self.org)
            .field("machine", &self.machine)
            .finish_non_exhaustive()
    }
}

/// A target that the configuration adds or overrides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfiguredTarget {
    /// Name for `--target`.
    pub name: String,
    /// Absolute path of the folder.
    pub folder: PathBuf,
}

/// A key or value from a file, shortened for a message.
pub fn shown_part(text: &str) -> String {
    match text.char_indices().nth(SETTING_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// One setting, for `skc config`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingOrigin {
    /// Dotted key, such as `search.tokenizer`.
    pub key: String,
    /// The value as written in a file.
    pub value: String,
    /// `default`, the environment variable, or the file.
    pub origin: String,
}

/// Settings for the import of agents' histories.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistorySettings {
    /// `[history] auto`: whether `stats` imports new history first.
    pub auto: bool,
    /// `[history] prices`: what models charge for tokens.
    pub prices: Vec<ModelPrice>,
    /// `[team] share_history`: whether imported events are sent to the team.
    pub is_shared: bool,
}

/// The settings about skills that come from the project's own file and so apply to everyone who works on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProjectSettings {
    /// `[skills]`.
    pub skills: SkillsSettings,
    /// `[discovery] lenient`.
    pub is_lenient: bool,
    /// `[permissions]`.
    pub permissions: Permissions,
}

/// How indexes of sections are built and read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexSettings {
    /// `[search] tokenizer`.
    pub tokenizer: Tokenizer,
    /// `[index] on_stale`.
    pub on_stale: OnStale,
}

/// The settings of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// For runtimes of the project.
    pub index: IndexSettings,
    /// For runtimes of the home, which the project's file does not change.
    pub home_index: IndexSettings,
    /// `[build]`.
    pub build: BuildSettings,
    /// `[lint.rules]`.
    pub lint: LintSettings,
    /// `[lint] profile`, if it is set.
    pub lint_profile: Option<String>,
    /// `[log] store`.
    pub log_store: LogStore,
    /// `[team]`, if it names a store.
    pub team: Option<TeamSettings>,
    /// `[model] name`: the model that searches use; `None` for `auto`.
    pub model: Option<&'static EmbeddingModel>,
    /// `[model] url`: the hub to download models from, instead of the one where they were published.
    pub model_url: Option<String>,
    /// `[targets]`.
    pub targets: Vec<ConfiguredTarget>,
    /// `[skills]`.
    pub skills: SkillsSettings,
    /// `[sources] roots`, from all configuration files together.
    pub source_roots: Vec<SourceRoot>,
    /// `[discovery]`.
    pub discovery: DiscoverySettings,
    /// `[history]`, and `share_history` of `[team]`.
    pub history: HistorySettings,
    /// `[output]`.
    pub output: OutputSettings,
    /// `[permissions]`.
    pub permissions: Permissions,
    /// `[plugin]`.
    pub plugin: PluginSettings,
    /// The subset of these settings that the project's own file sets.
    pub of_project: ProjectSettings,
    /// The first configuration file whose policy cannot be read. While there is one, agents are served no skills.
    pub unreadable_policy: Option<PathBuf>,
    /// Each setting with its value and origin, in the order of the reference.
    pub origins: Vec<SettingOrigin>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_choice_is_read_from_the_word_that_it_is_written_as() {
        for tokenizer in [Tokenizer::Ascii, Tokenizer::Cjk] {
            assert_eq!(Tokenizer::from_setting(tokenizer.setting()), Some(tokenizer));
            assert_eq!(Tokenizer::from_recorded(tokenizer.recorded()), Some(tokenizer));
        }
        for on_stale in [OnStale::Error, OnStale::Rebuild] {
            assert_eq!(OnStale::from_setting(on_stale.setting()), Some(on_stale));
        }
        for store in [LogStore::Local, LogStore::Postgres] {
            assert_eq!(LogStore::from_setting(store.setting()), Some(store));
        }
        assert_eq!(Tokenizer::from_setting("other"), None);
    }

    /// RFC-0009:C-TOKENIZER
    #[test]
    fn choices_have_the_words_of_the_reference_and_no_other() {
        assert_eq!([Tokenizer::Ascii, Tokenizer::Cjk].map(Tokenizer::setting), ["ascii", "cjk"]);
        assert_eq!([Tokenizer::Ascii, Tokenizer::Cjk].map(Tokenizer::recorded), ["porter", "unicode61"]);
        assert_eq!([OnStale::Error, OnStale::Rebuild].map(OnStale::setting), ["error", "rebuild"]);
        assert_eq!([LogStore::Local, LogStore::Postgres].map(LogStore::setting), ["local", "postgres"]);
        assert_eq!(Tokenizer::from_recorded("ascii"), None);
        assert_eq!((OnStale::from_setting(""), LogStore::from_setting("Local")), (None, None));
    }

    #[test]
    fn a_team_is_shown_without_its_url_and_password() {
        let secret = "secret".to_owned();
        let team = TeamSettings {
            url: secret.clone(),
            password: Some(secret),
            org: "o".into(),
            machine: "m".into(),
        };
        let shown = format!("{team:?}");
        assert!(!shown.contains("secret") && shown.contains("\"o\"") && shown.contains("\"m\""), "{shown}");
    }

    #[test]
    fn a_part_of_a_setting_is_shown_up_to_eighty_characters() {
        assert_eq!(shown_part(&"é".repeat(80)), "é".repeat(80));
        assert_eq!(shown_part(&"é".repeat(81)), format!("{}…", "é".repeat(80)));
    }

    /// RFC-0009:C-RESOLUTION
    #[test]
    fn a_pager_and_whole_texts_are_on_by_default() {
        assert!(OutputSettings::default().has_pager);
        assert_eq!(BuildSettings::default().whole_bytes_max, 10_000);
    }
}
