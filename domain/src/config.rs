//! Settings as decided values. Where they come from is the command line's affair.

use crate::lint::settings::LintSettings;
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

/// A target that the configuration adds or overrides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfiguredTarget {
    /// Its name.
    pub name: String,
    /// Its folder, absolute.
    pub folder: PathBuf,
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
    /// `[targets]`.
    pub targets: Vec<ConfiguredTarget>,
    /// Each setting with its value and origin, in the order of the reference.
    pub origins: Vec<SettingOrigin>,
}
