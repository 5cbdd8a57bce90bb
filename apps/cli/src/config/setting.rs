//! The table of the settings in `[build]`, `[skills]`, `[sources]`, `[discovery]`, `[permissions]`, `[history]`,
//! `[output]` and `[plugin]`, and what follows from it: valid values, and what a project may set.

use super::project_rule::ProjectRule;
use skillc_domain::limits::WHOLE_BYTES_MAX_SETTING;
use skillc_domain::plugin::MANIFEST_WORDS;

/// The sections whose settings are in this table.
pub const SECTIONS: &[&str] =
    &["build", "skills", "sources", "discovery", "permissions", "history", "output", "plugin"];

/// The only flag in the section `team`; its other settings are texts.
pub const SHARE_HISTORY: &str = "share_history";

/// Prefixes of the settings that restrict agents. If one cannot be read, the restrictions are unknown.
const POLICY: &[&str] = &["permissions", "skills.disabled", "skills.enabled"];

/// Whether a setting restricts agents.
pub fn is_policy(key: &str) -> bool {
    key == "skills" || POLICY.iter().any(|start| key.starts_with(start))
}

/// The type of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKind {
    Flag,
    Number {
        least: u32,
        most: u32,
    },
    Text,
    Texts,
    Folders,
    Folder,
    Rules,
    Prices,
    Servers,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Some of these words.
    Words(&'static [&'static str]),
}

/// A setting that a file may contain.
pub struct Setting {
    pub key: &'static str,
    pub kind: SettingKind,
    pub default: &'static str,
    /// Whether a project's file may set it.
    pub is_for_projects: bool,
}

/// The settings. Add one as a line here, and in `apply` and `value` of `setting_effect.rs`.
#[rustfmt::skip]
pub const SETTINGS: &[Setting] = &[
    Setting { key: "build.whole_bytes_max", kind: SettingKind::Number { least: 0, most: WHOLE_BYTES_MAX_SETTING }, default: "10000", is_for_projects: true },
    Setting { key: "skills.enabled", kind: SettingKind::Flag, default: "true", is_for_projects: true },
    Setting { key: "skills.disabled", kind: SettingKind::Texts, default: "[]", is_for_projects: true },
    Setting { key: "skills.initial.max_entries", kind: SettingKind::Number { least: 1, most: 100_000 }, default: "200", is_for_projects: true },
    Setting { key: "skills.initial.max_bytes", kind: SettingKind::Number { least: 1_024, most: 16 * 1024 * 1024 }, default: "32768", is_for_projects: true },
    Setting { key: "skills.search.default_limit", kind: SettingKind::Number { least: 1, most: 1_000 }, default: "8", is_for_projects: true },
    Setting { key: "skills.search.max_limit", kind: SettingKind::Number { least: 1, most: 1_000 }, default: "50", is_for_projects: true },
    Setting { key: SOURCE_ROOTS, kind: SettingKind::Folders, default: "[]", is_for_projects: true },
    Setting { key: "discovery.roots", kind: SettingKind::Folders, default: "[]", is_for_projects: true },
    Setting { key: "discovery.python_roots", kind: SettingKind::Folders, default: "[]", is_for_projects: true },
    Setting { key: "discovery.markdown_roots", kind: SettingKind::Folders, default: "the stores", is_for_projects: true },
    Setting { key: "discovery.default_roots", kind: SettingKind::Word(DEFAULT_ROOTS), default: "default", is_for_projects: false },
    Setting { key: "discovery.markers", kind: SettingKind::Texts, default: "[]", is_for_projects: true },
    Setting { key: "discovery.agents_root", kind: SettingKind::Folder, default: "", is_for_projects: true },
    Setting { key: "discovery.lenient", kind: SettingKind::Flag, default: "false", is_for_projects: true },
    Setting { key: "history.auto", kind: SettingKind::Flag, default: "false", is_for_projects: false },
    Setting { key: "history.prices", kind: SettingKind::Prices, default: "[]", is_for_projects: false },
    Setting { key: "team.share_history", kind: SettingKind::Flag, default: "false", is_for_projects: false },
    Setting { key: "output.pager", kind: SettingKind::Flag, default: "true", is_for_projects: false },
    Setting { key: "permissions.allow", kind: SettingKind::Rules, default: "[]", is_for_projects: false },
    Setting { key: "permissions.deny", kind: SettingKind::Rules, default: "[]", is_for_projects: true },
    Setting { key: "permissions.confirm", kind: SettingKind::Rules, default: "[]", is_for_projects: true },
    Setting { key: "plugin.name", kind: SettingKind::Text, default: "", is_for_projects: true },
    Setting { key: "plugin.version", kind: SettingKind::Text, default: "", is_for_projects: true },
    Setting { key: "plugin.description", kind: SettingKind::Text, default: "", is_for_projects: true },
    Setting { key: "plugin.author", kind: SettingKind::Text, default: "", is_for_projects: true },
    Setting { key: "plugin.homepage", kind: SettingKind::Text, default: "", is_for_projects: true },
    Setting { key: "plugin.repository", kind: SettingKind::Text, default: "", is_for_projects: true },
    Setting { key: "plugin.license", kind: SettingKind::Text, default: "", is_for_projects: true },
    Setting { key: "plugin.keywords", kind: SettingKind::Texts, default: "[]", is_for_projects: true },
    Setting { key: "plugin.manifests", kind: SettingKind::Words(MANIFEST_WORDS), default: "[]", is_for_projects: true },
    Setting { key: "plugin.mcp", kind: SettingKind::Servers, default: "[]", is_for_projects: true },
];

/// The valid values of `discovery.default_roots`, like those of `--roots`.
pub const DEFAULT_ROOTS: &[&str] = &["standard", "default", "all"];

/// The setting with the folders that are stores.
pub const SOURCE_ROOTS: &str = "sources.roots";

/// The setting with the names that mark a root.
pub const MARKERS: &str = "discovery.markers";

/// The rule for projects of each of these settings.
pub fn project_rules() -> impl Iterator<Item = (String, ProjectRule)> {
    SETTINGS.iter().map(|setting| {
        let rule = match (setting.kind, setting.key) {
            _ if !setting.is_for_projects => ProjectRule::No,
            (SettingKind::Folder | SettingKind::Folders, _) => ProjectRule::Inside,
            (_, MARKERS) => ProjectRule::Names,
            _ => ProjectRule::Yes,
        };
        (setting.key.to_owned(), rule)
    })
}

/// The valid values of one of these settings; `None` for any other setting.
pub fn values(key: &str) -> Option<String> {
    let setting = SETTINGS.iter().find(|setting| setting.key == key)?;
    Some(match setting.kind {
        SettingKind::Flag => "true or false".to_owned(),
        SettingKind::Number { least, most } => format!("a number from {least} to {most}"),
        SettingKind::Text => "a text".to_owned(),
        SettingKind::Texts => "a list of names".to_owned(),
        SettingKind::Servers => "a table for each server".to_owned(),
        SettingKind::Words(words) => format!("a list of {}", words.join(", ")),
        SettingKind::Folders => "a list of folders".to_owned(),
        SettingKind::Folder => "a folder".to_owned(),
        SettingKind::Rules => "a list of names, patterns or tables".to_owned(),
        SettingKind::Prices => {
            "a list of tables with model, input, output, cache_read and cache_write".to_owned()
        }
        SettingKind::Word(words) => format!("one of {}", words.join(", ")),
    })
}
