//! Settings as decided values. Where they come from is the command line's affair.

use crate::discovery::settings::{DiscoverySettings, Permissions, SkillsSettings};
use crate::limits::SETTING_CHARS_MAX;
use crate::rule_settings::LintSettings;
use std::path::PathBuf;

/// How text is cut into words for the index (RFC-0009:C-TOKENIZER).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tokenizer {
    /// Words of letters and digits, with English stemming.
    #[default]
    Ascii,
    /// The same without stemming.
    Cjk,
}

impl Tokenizer {
    /// As a setting has it: `ascii` or `cjk`.
    pub fn setting(self) -> &'static str {
        match self {
            Self::Ascii => "ascii",
            Self::Cjk => "cjk",
        }
    }

    /// Reads a setting; `None` for any other word.
    pub fn from_setting(word: &str) -> Option<Self> {
        [Self::Ascii, Self::Cjk].into_iter().find(|t| t.setting() == word)
    }

    /// As an index records it: `porter` or `unicode61` (RFC-0004:C-INDEX).
    pub fn recorded(self) -> &'static str {
        match self {
            Self::Ascii => "porter",
            Self::Cjk => "unicode61",
        }
    }

    /// Reads what an index records; `None` for any other word.
    pub fn from_recorded(word: &str) -> Option<Self> {
        [Self::Ascii, Self::Cjk].into_iter().find(|t| t.recorded() == word)
    }
}

/// What `show` and `search` do when the index is stale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnStale {
    /// E002, as the RFC demands.
    #[default]
    Error,
    /// Build, then answer.
    Rebuild,
}

impl OnStale {
    /// As a setting has it.
    pub fn setting(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Rebuild => "rebuild",
        }
    }

    /// Reads a setting; `None` for any other word.
    pub fn from_setting(word: &str) -> Option<Self> {
        [Self::Error, Self::Rebuild].into_iter().find(|o| o.setting() == word)
    }
}

/// Where the use of skills is written down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogStore {
    /// Beside each runtime.
    #[default]
    Local,
    /// In the team's store; beside the runtime where that fails.
    Postgres,
}

impl LogStore {
    /// As a setting has it.
    pub fn setting(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Postgres => "postgres",
        }
    }

    /// Reads a setting; `None` for any other word.
    pub fn from_setting(word: &str) -> Option<Self> {
        [Self::Local, Self::Postgres].into_iter().find(|o| o.setting() == word)
    }
}

/// The team's store, as the user configured it.
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

/// Without hidden skills.
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
    /// Its name.
    pub name: String,
    /// Its folder, absolute.
    pub folder: PathBuf,
}

/// A key or a value of a file as far as a message shows it.
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
    /// Its value as it would stand in the file.
    pub value: String,
    /// `default`, the environment variable, or the file.
    pub origin: String,
}

/// The settings that hold for one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// `[search] tokenizer`.
    pub tokenizer: Tokenizer,
    /// `[index] on_stale`.
    pub on_stale: OnStale,
    /// `[lint.rules]`.
    pub lint: LintSettings,
    /// `[lint] profile`, if it is set.
    pub lint_profile: Option<String>,
    /// `[log] store`.
    pub log_store: LogStore,
    /// `[team]`, if it names a store.
    pub team: Option<TeamSettings>,
    /// `[model] url`: another hub than the one where the model was published.
    pub model_url: Option<String>,
    /// `[targets]`.
    pub targets: Vec<ConfiguredTarget>,
    /// `[skills]`.
    pub skills: SkillsSettings,
    /// `[discovery]`.
    pub discovery: DiscoverySettings,
    /// `[permissions]`.
    pub permissions: Permissions,
    /// The first configuration file whose denials cannot be read; while there is one, no skill is given out.
    pub unreadable_policy: Option<PathBuf>,
    /// Each setting with its value and origin, in the order of the reference.
    pub origins: Vec<SettingOrigin>,
}
