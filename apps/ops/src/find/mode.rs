//! The search mode as callers name it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::discovery::find::SearchMode;

/// How skills are ranked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FindMode {
    /// By words and meaning; by words alone without a model.
    #[default]
    Auto,
    /// By exact name, prefix and shared words.
    Rule,
    /// By words.
    Lexical,
    /// By meaning.
    Semantic,
    /// By words and meaning.
    Hybrid,
}

impl FindMode {
    /// The mode; `None` if it depends on whether there is a model.
    pub fn chosen(self) -> Option<SearchMode> {
        match self {
            Self::Auto => None,
            Self::Rule => Some(SearchMode::Rule),
            Self::Lexical => Some(SearchMode::Lexical),
            Self::Semantic => Some(SearchMode::Semantic),
            Self::Hybrid => Some(SearchMode::Hybrid),
        }
    }
}
