//! The settings with a word or a text as value, and the settings that a project may set.

use super::project_rule::ProjectRule;
use super::setting;
use skillc_domain::model::{MINILM, SKILLS};

/// A setting with a fixed set of words as values.
pub struct Choice {
    pub section: &'static str,
    /// The key in the table.
    pub key: &'static str,
    /// The word that applies if no source sets it.
    pub default: &'static str,
    /// The valid words.
    pub words: &'static [&'static str],
}

/// A setting that accepts any text.
pub struct Text {
    pub section: &'static str,
    /// The key in the table.
    pub key: &'static str,
    /// The text that applies if no source sets it.
    pub default: &'static str,
}

/// Sections that only the user's own file may set: they decide where data is sent to or loaded from.
pub const USER_SECTIONS: &[&str] = &["log", "model", "team"];

/// The settings that accept any text. Add one as a line here.
pub const TEXTS: &[Text] = &[
    Text { section: "team", key: "url", default: "" },
    Text { section: "team", key: "org", default: "default" },
    Text { section: "team", key: "machine", default: "" },
    Text { section: "team", key: "password_file", default: "" },
    Text { section: "model", key: "url", default: "" },
];

/// The settings with a fixed set of words as values. Add one as a line here.
pub static CHOICES: &[Choice] = &[
    Choice { section: "search", key: "tokenizer", default: "ascii", words: &["ascii", "cjk"] },
    Choice { section: "index", key: "on_stale", default: "error", words: &["error", "rebuild"] },
    Choice {
        section: "lint",
        key: "profile",
        default: "spec",
        words: &["spec", "claude-code", "codex", "vscode", "opencode", "gemini", "cursor", "all"],
    },
    Choice { section: "log", key: "store", default: "local", words: &["local", "postgres"] },
    Choice { section: "model", key: "name", default: "auto", words: &["auto", MINILM.name, SKILLS.name] },
];

/// The environment variable for the first choice, `search.tokenizer`.
pub const TOKENIZER_VARIABLE: &str = "SKILLC_TOKENIZER";
/// The environment variable for `team.url`.
pub const TEAM_URL_VARIABLE: &str = "SKILLC_TEAM_URL";
/// The environment variable for `model.url`.
pub const MODEL_URL_VARIABLE: &str = "SKILLC_MODEL_URL";

/// Every setting of a configuration file, with the rule for projects.
pub fn project_rules() -> Vec<(String, ProjectRule)> {
    let rule =
        |section: &str| if USER_SECTIONS.contains(&section) { ProjectRule::No } else { ProjectRule::Yes };
    let choices = CHOICES.iter().map(|c| (format!("{}.{}", c.section, c.key), rule(c.section)));
    let texts = TEXTS.iter().map(|t| (format!("{}.{}", t.section, t.key), rule(t.section)));
    let others = [
        ("version", ProjectRule::Yes),
        ("lint.rules.<rule>", ProjectRule::Yes),
        ("targets.<name>", ProjectRule::Inside),
    ];
    let others = others.into_iter().map(|(key, rule)| (key.to_owned(), rule));
    others.chain(choices).chain(texts).chain(setting::project_rules()).collect()
}
