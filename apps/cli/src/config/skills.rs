//! `[build]`, `[skills]`, `[sources]`, `[discovery]`, `[permissions]`, `[history]`, `[output]` and `[plugin]`: flags,
//! numbers, texts, and lists that are combined from all files.

use super::place::folder;
use super::plugin;
use super::project_rule::ProjectRule;
use super::setting_value::SettingValue;
use super::source::ConfigFile;
use super::value::shown;
use figment::value::{Dict, Value};
use skillc_domain::config::{ProjectSettings, SettingOrigin, Settings};
use skillc_domain::discovery::roots::Which;
use skillc_domain::discovery::settings::PermissionRule;
use skillc_domain::history::ModelPrice;
use skillc_domain::limits::{CONFIGURED_FOLDERS_MAX, WHOLE_BYTES_MAX_SETTING};
use skillc_domain::listing::Scope;
use skillc_domain::places::{META_DIR, SKILLC_DIR, SourceRoot};
use skillc_domain::plugin::MANIFEST_WORDS;
use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

/// The sections read by this module.
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
enum SettingKind {
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

struct Setting {
    key: &'static str,
    kind: SettingKind,
    default: &'static str,
    /// Whether a project's file may set it.
    is_for_projects: bool,
}

/// The settings. Add one as a line here, in `apply` and in `value`.
#[rustfmt::skip]
const SETTINGS: &[Setting] = &[
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
const DEFAULT_ROOTS: &[&str] = &["standard", "default", "all"];

/// The setting with the folders that are stores.
const SOURCE_ROOTS: &str = "sources.roots";

/// The setting with the names that mark a root.
const MARKERS: &str = "discovery.markers";

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

/// A problem of a setting.
#[derive(Debug, PartialEq, Eq)]
pub enum SettingIssue {
    /// No setting has this key.
    Unknown(String),
    /// The value is not valid for the setting.
    Invalid { key: String, value: String },
    /// It lists too many folders; the first ones are used.
    TooMany { key: String, count: usize },
    /// Only the user's own file may set it.
    NotInProject(String),
    /// It names a folder outside the project.
    Outside { key: String, value: String },
}

/// The values of all files, in the order they were read.
#[derive(Debug, Default)]
pub struct CollectedSettings {
    given: Vec<GivenSetting>,
}

/// A value of one source.
#[derive(Debug)]
struct GivenSetting {
    key: &'static str,
    value: SettingValue,
    origin: String,
    scope: Scope,
}

impl CollectedSettings {
    /// Collects the settings in a section; unusable values are skipped and returned as issues.
    pub fn take(&mut self, source: &ConfigFile<'_>, section: &str, inner: &Dict) -> Vec<SettingIssue> {
        let mut flaws = Vec::new();
        for (key, value) in inner {
            let key = format!("{section}.{}", snake_case(key));
            match value {
                Value::Dict(_, deeper) if SETTINGS.iter().all(|setting| setting.key != key) => {
                    flaws.extend(self.take(source, &key, deeper));
                }
                value => flaws.extend(self.setting(source, key, value).err()),
            }
        }
        flaws
    }

    /// Sets the root of the repository from an environment variable.
    pub fn agents_root(&mut self, variable: &str, folder: &Path) {
        let folder = folder.to_string_lossy().into_owned();
        let value = SettingValue::Texts(vec![folder]);
        let (key, origin) = ("discovery.agents_root", variable.to_owned());
        self.given.push(GivenSetting { key, value, origin, scope: Scope::Global });
    }

    fn setting(&mut self, source: &ConfigFile<'_>, key: String, value: &Value) -> Result<(), SettingIssue> {
        let Some(setting) = SETTINGS.iter().find(|setting| setting.key == key) else {
            return Err(SettingIssue::Unknown(key));
        };
        if !source.is_users && !setting.is_for_projects {
            return Err(SettingIssue::NotInProject(key));
        }
        // Must precede the resolution of folders.
        let (bounded, count) = bounded(setting.kind, value);
        let value = bounded.as_ref().unwrap_or(value);
        if let (false, Some(place)) = (source.is_users, outside(source, setting, value)) {
            return Err(SettingIssue::Outside { key, value: place });
        }
        let invalid = || SettingIssue::Invalid { key: key.clone(), value: shown(value) };
        let taken = taken(source, setting.kind, value).filter(|taken| !names_own_folder(setting, taken));
        self.given.push(GivenSetting {
            key: setting.key,
            value: taken.ok_or_else(invalid)?,
            origin: source.path.to_string_lossy().into_owned(),
            scope: if source.is_users { Scope::Global } else { Scope::Project },
        });
        if count > CONFIGURED_FOLDERS_MAX { Err(SettingIssue::TooMany { key, count }) } else { Ok(()) }
    }

    /// Applies the values: the last one of a single value, all of them for lists.
    pub fn finish(self, settings: &mut Settings) {
        for setting in SETTINGS {
            let given: Vec<_> = self.given.iter().filter(|given| given.key == setting.key).collect();
            let is_list = matches!(
                setting.kind,
                SettingKind::Texts
                    | SettingKind::Folders
                    | SettingKind::Rules
                    | SettingKind::Prices
                    | SettingKind::Servers
            );
            let counting = if is_list { &given[..] } else { &given[given.len().saturating_sub(1)..] };
            let mut origins: Vec<&str> = counting.iter().map(|given| given.origin.as_str()).collect();
            origins.dedup();
            let origin = if origins.is_empty() { "default".to_owned() } else { origins.join(", ") };
            for given in counting {
                apply(settings, given);
            }
            let value =
                if given.is_empty() { setting.default.to_owned() } else { value(settings, setting.key) };
            settings.origins.push(SettingOrigin { key: setting.key.to_owned(), value, origin });
        }
        settings.of_project = self.of_project();
    }

    fn of_project(&self) -> ProjectSettings {
        let mut own = Settings::default();
        self.given
            .iter()
            .filter(|given| given.scope == Scope::Project)
            .for_each(|given| apply(&mut own, given));
        let Settings { skills, discovery, permissions, .. } = own;
        ProjectSettings { skills, is_lenient: discovery.lenient, permissions }
    }
}

/// `maxEntries` as `max_entries`.
pub fn snake_case(key: &str) -> String {
    let mut snake = String::with_capacity(key.len() + 2);
    for c in key.chars() {
        if c.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

fn taken(source: &ConfigFile<'_>, kind: SettingKind, value: &Value) -> Option<SettingValue> {
    match kind {
        SettingKind::Flag => value.to_bool().map(SettingValue::Flag),
        SettingKind::Number { least, most } => {
            let number = u32::try_from(value.to_i128()?).ok()?;
            (least..=most).contains(&number).then_some(SettingValue::Number(number))
        }
        SettingKind::Text => {
            let text = value.as_str().filter(|text| !text.trim().is_empty())?;
            Some(SettingValue::Texts(vec![text.trim().to_owned()]))
        }
        SettingKind::Texts => texts(value).map(SettingValue::Texts),
        SettingKind::Words(words) => {
            let given = texts(value)?;
            given.iter().all(|word| words.contains(&word.as_str())).then_some(SettingValue::Texts(given))
        }
        SettingKind::Servers => plugin::servers(value).map(SettingValue::Servers),
        SettingKind::Word(words) => {
            let word = value.as_str().filter(|word| words.contains(word))?;
            Some(SettingValue::Texts(vec![word.to_owned()]))
        }
        SettingKind::Folder => {
            let folder = named(source, value.as_str()?)?;
            Some(SettingValue::Texts(vec![folder]))
        }
        SettingKind::Folders => {
            let folders = texts(value)?.iter().map(|text| named(source, text)).collect::<Option<_>>()?;
            Some(SettingValue::Texts(folders))
        }
        SettingKind::Rules => {
            let rules = value.as_array()?.iter().map(rule).collect::<Option<_>>()?;
            Some(SettingValue::Rules(rules))
        }
        SettingKind::Prices => {
            let prices = value.as_array()?.iter().map(price).collect::<Option<_>>()?;
            Some(SettingValue::Prices(prices))
        }
    }
}

/// A list of folders without duplicates and cut to the limit, and its length before the cut; `None` for other settings.
fn bounded(kind: SettingKind, value: &Value) -> (Option<Value>, usize) {
    let (SettingKind::Folders, Value::Array(tag, folders)) = (kind, value) else { return (None, 0) };
    let mut seen = HashSet::new();
    let once = folders.iter().filter(|folder| folder.as_str().is_none_or(|text| seen.insert(text)));
    let once: Vec<&Value> = once.collect();
    let first = once.iter().take(CONFIGURED_FOLDERS_MAX).map(|folder| (*folder).clone()).collect();
    (Some(Value::Array(*tag, first)), once.len())
}

fn texts(value: &Value) -> Option<Vec<String>> {
    let text = |item: &Value| item.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    value.as_array()?.iter().map(text).collect()
}

/// The first folder in a project's setting that is outside the project. A marker must be a name, since a path would
/// probe other folders.
fn outside(source: &ConfigFile<'_>, setting: &Setting, value: &Value) -> Option<String> {
    let is_outside: &dyn Fn(&&str) -> bool = match (setting.kind, setting.key) {
        (SettingKind::Folder | SettingKind::Folders, _) => &|text| folder(source, text).is_none(),
        (_, MARKERS) => &|text| text.contains(['/', '\\']) || matches!(*text, "." | ".."),
        _ => return None,
    };
    let texts = value.as_array().into_iter().flatten().chain([value]).filter_map(Value::as_str);
    texts.filter(|text| !text.is_empty()).find(is_outside).map(str::to_owned)
}

/// Whether a store would be in a folder that skc or a version control system fills.
fn names_own_folder(setting: &Setting, taken: &SettingValue) -> bool {
    let SettingValue::Texts(folders) = taken else { return false };
    let is_own = |part: Component<'_>| {
        [SKILLC_DIR, META_DIR, ".git", ".jj"].iter().any(|own| part.as_os_str() == *own)
    };
    setting.key == SOURCE_ROOTS && folders.iter().any(|folder| Path::new(folder).components().any(is_own))
}

fn named(source: &ConfigFile<'_>, text: &str) -> Option<String> {
    let folder = folder(source, text).filter(|_| !text.is_empty())?;
    Some(folder.to_string_lossy().into_owned())
}

/// A rule: a name or pattern, or a table with `tool` and `skill_name`.
fn rule(value: &Value) -> Option<PermissionRule> {
    if let Some(name) = value.as_str() {
        return Some(PermissionRule { tool: None, skill_name: Some(name.to_owned()) });
    }
    let table = value.as_dict()?;
    let mut rule = PermissionRule::default();
    for (key, value) in table {
        let text = Some(value.as_str()?.to_owned());
        match snake_case(key).as_str() {
            "tool" => rule.tool = text,
            "skill_name" => rule.skill_name = text,
            _ => return None,
        }
    }
    Some(rule)
}

/// A price: a table with `model` and the prices per million tokens; missing ones are 0.
fn price(value: &Value) -> Option<ModelPrice> {
    let mut price = ModelPrice::default();
    for (key, value) in value.as_dict()? {
        let number = || value.to_i128().map(|whole| whole as f64).or_else(|| value.to_num()?.to_f64());
        let written = || ModelPrice::millionths(number()?);
        match snake_case(key).as_str() {
            "model" => price.model = value.as_str()?.to_owned(),
            "input" => price.input = written()?,
            "output" => price.output = written()?,
            "cache_read" => price.cache_read = written()?,
            "cache_write" => price.cache_write = written()?,
            _ => return None,
        }
    }
    (!price.model.is_empty()).then_some(price)
}

fn apply(settings: &mut Settings, given: &GivenSetting) {
    let (skills, discovery, permissions) =
        (&mut settings.skills, &mut settings.discovery, &mut settings.permissions);
    match (given.key, &given.value) {
        (SOURCE_ROOTS, SettingValue::Texts(paths)) => {
            let root = |path| SourceRoot { scope: given.scope, folder: PathBuf::from(path) };
            settings.source_roots.extend(paths.iter().map(root));
        }
        ("build.whole_bytes_max", SettingValue::Number(number)) => settings.build.whole_bytes_max = *number,
        ("skills.enabled", SettingValue::Flag(flag)) => skills.enabled = *flag,
        ("skills.disabled", SettingValue::Texts(names)) => skills.disabled.extend_from_slice(names),
        ("skills.initial.max_entries", SettingValue::Number(number)) => skills.max_entries = *number,
        ("skills.initial.max_bytes", SettingValue::Number(number)) => skills.max_bytes = *number,
        ("skills.search.default_limit", SettingValue::Number(number)) => skills.default_limit = *number,
        ("skills.search.max_limit", SettingValue::Number(number)) => skills.max_limit = *number,
        ("discovery.roots", SettingValue::Texts(paths)) => {
            discovery.roots.extend(paths.iter().map(PathBuf::from))
        }
        ("discovery.python_roots", SettingValue::Texts(paths)) => {
            discovery.python_roots.extend(paths.iter().map(PathBuf::from));
        }
        ("discovery.markdown_roots", SettingValue::Texts(paths)) => {
            let named = discovery.markdown_roots.get_or_insert_default();
            named.extend(paths.iter().map(PathBuf::from));
        }
        ("discovery.default_roots", SettingValue::Texts(words)) => {
            discovery.default_roots = which(words.first().map(String::as_str));
        }
        ("discovery.markers", SettingValue::Texts(names)) => discovery.markers.extend_from_slice(names),
        ("discovery.agents_root", SettingValue::Texts(paths)) => {
            discovery.agents_root = paths.first().map(PathBuf::from);
        }
        ("discovery.lenient", SettingValue::Flag(flag)) => discovery.lenient = *flag,
        ("history.auto", SettingValue::Flag(flag)) => settings.history.auto = *flag,
        ("history.prices", SettingValue::Prices(prices)) => settings.history.prices.extend_from_slice(prices),
        ("team.share_history", SettingValue::Flag(flag)) => settings.history.is_shared = *flag,
        ("output.pager", SettingValue::Flag(flag)) => settings.output.has_pager = *flag,
        ("permissions.allow", SettingValue::Rules(rules)) => permissions.allow.extend_from_slice(rules),
        ("permissions.deny", SettingValue::Rules(rules)) => permissions.deny.extend_from_slice(rules),
        ("permissions.confirm", SettingValue::Rules(rules)) => permissions.confirm.extend_from_slice(rules),
        // The kind of each key determines its value.
        (key, value) => plugin::apply(&mut settings.plugin, key, value),
    }
}

/// The roots that a word of `DEFAULT_ROOTS` selects.
fn which(word: Option<&str>) -> Which {
    match word {
        Some("standard") => Which::Standard,
        Some("all") => Which::All,
        _ => Which::Default,
    }
}

/// The value of a setting as written in a file.
fn value(settings: &Settings, key: &str) -> String {
    let (skills, discovery, permissions) = (&settings.skills, &settings.discovery, &settings.permissions);
    let list = |items: &[String]| format!("[{}]", items.join(", "));
    let quoted = |text: &str| format!("{text:?}");
    let texts = |items: &[String]| list(&items.iter().map(|text| quoted(text)).collect::<Vec<_>>());
    let folders =
        |items: &[PathBuf]| list(&items.iter().map(|p| quoted(&p.to_string_lossy())).collect::<Vec<_>>());
    let rules = |items: &[PermissionRule]| list(&items.iter().map(rule_text).collect::<Vec<_>>());
    match key {
        "build.whole_bytes_max" => settings.build.whole_bytes_max.to_string(),
        "skills.enabled" => skills.enabled.to_string(),
        "skills.disabled" => texts(&skills.disabled),
        "skills.initial.max_entries" => skills.max_entries.to_string(),
        "skills.initial.max_bytes" => skills.max_bytes.to_string(),
        "skills.search.default_limit" => skills.default_limit.to_string(),
        "skills.search.max_limit" => skills.max_limit.to_string(),
        SOURCE_ROOTS => {
            let roots: Vec<PathBuf> = settings.source_roots.iter().map(|root| root.folder.clone()).collect();
            folders(&roots)
        }
        "discovery.roots" => folders(&discovery.roots),
        "discovery.python_roots" => folders(&discovery.python_roots),
        "discovery.markdown_roots" => {
            discovery.markdown_roots.as_deref().map_or_else(|| "the stores".to_owned(), folders)
        }
        "discovery.default_roots" => DEFAULT_ROOTS[discovery.default_roots as usize].to_owned(),
        "discovery.markers" => texts(&discovery.markers),
        "discovery.agents_root" => {
            discovery.agents_root.as_deref().unwrap_or(Path::new("")).to_string_lossy().into_owned()
        }
        "discovery.lenient" => discovery.lenient.to_string(),
        "history.auto" => settings.history.auto.to_string(),
        "history.prices" => price_list(&settings.history.prices),
        "team.share_history" => settings.history.is_shared.to_string(),
        "output.pager" => settings.output.has_pager.to_string(),
        "permissions.allow" => rules(&permissions.allow),
        "permissions.deny" => rules(&permissions.deny),
        "permissions.confirm" => rules(&permissions.confirm),
        "plugin.keywords" => texts(&settings.plugin.keywords),
        key => plugin::value(&settings.plugin, key),
    }
}

fn price_list(prices: &[ModelPrice]) -> String {
    let written = |millionths: u64| millionths as f64 / 1e6;
    let price = |price: &ModelPrice| {
        let ModelPrice { model, input, output, cache_read, cache_write } = price;
        let [input, output, cache_read, cache_write] =
            [input, output, cache_read, cache_write].map(|price| written(*price));
        format!(
            "{{ model = {model:?}, input = {input}, output = {output}, cache_read = {cache_read}, cache_write = {cache_write} }}"
        )
    };
    format!("[{}]", prices.iter().map(price).collect::<Vec<_>>().join(", "))
}

fn rule_text(rule: &PermissionRule) -> String {
    let part = |key: &str, text: &Option<String>| text.as_ref().map(|text| format!("{key} = {text:?}"));
    let parts = [part("tool", &rule.tool), part("skill_name", &rule.skill_name)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", parts.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use figment::Figment;
    use figment::providers::{Format, Toml};

    fn read(toml: &str, is_users: bool) -> (Settings, Vec<SettingIssue>) {
        let all = Figment::from(Toml::string(toml)).extract::<Dict>().unwrap();
        let source =
            ConfigFile { path: Path::new("/p/.skillc/config.toml"), home: Path::new("/h"), is_users };
        let (mut gathered, mut flaws) = (CollectedSettings::default(), Vec::new());
        for (section, value) in &all {
            flaws.extend(gathered.take(&source, section, value.as_dict().unwrap()));
        }
        let mut settings = Settings::default();
        gathered.finish(&mut settings);
        (settings, flaws)
    }

    /// RFC-0009:C-SKILLS
    #[test]
    fn settings_of_skills_are_taken_in_snake_and_camel_case() {
        for toml in [
            "[skills.initial]\nmax_entries = 3\nmax_bytes = 2000",
            "[skills.initial]\nmaxEntries = 3\nmaxBytes = 2000",
        ] {
            let (settings, flaws) = read(toml, true);
            assert_eq!((settings.skills.max_entries, settings.skills.max_bytes, flaws), (3, 2000, vec![]));
        }
        let (settings, flaws) = read("[skills.initial]\nmax_entries = 0\nmin = 1", true);
        assert_eq!(settings.skills.max_entries, 200);
        let invalid = SettingIssue::Invalid { key: "skills.initial.max_entries".into(), value: "0".into() };
        assert_eq!(flaws, [invalid, SettingIssue::Unknown("skills.initial.min".into())]);
    }

    /// L8, RFC-0009:C-SKILLS
    #[test]
    fn a_list_of_folders_is_cut_at_its_bound_without_doubles() {
        let list = |names: &[String]| format!("[discovery]\nroots = {names:?}");
        let mut names: Vec<String> = (0..CONFIGURED_FOLDERS_MAX).map(|n| format!("r{n}")).collect();
        names.extend(names.clone());
        let (settings, flaws) = read(&list(&names), false);
        assert_eq!((settings.discovery.roots.len(), flaws), (CONFIGURED_FOLDERS_MAX, Vec::new()));
        names.push("one-more".to_owned());
        let (settings, flaws) = read(&list(&names), true);
        assert_eq!(settings.discovery.roots.len(), CONFIGURED_FOLDERS_MAX);
        let (key, count) = ("discovery.roots".to_owned(), CONFIGURED_FOLDERS_MAX + 1);
        assert_eq!(flaws, [SettingIssue::TooMany { key, count }]);
    }

    /// RFC-0009:C-SKILLS, RFC-0009:C-PROJECT
    #[test]
    fn a_project_names_no_folder_outside_itself_and_allows_nothing() {
        let toml = "[discovery]\nroots = ['~/x', '/y', 'tools/skills']";
        assert_eq!(read(toml, true).0.discovery.roots, ["/h/x", "/y", "/p/tools/skills"].map(PathBuf::from));
        for outside in ["/y", "../x", "a/../../x", "/p/../x", "~", "~/x"] {
            let (settings, flaws) = read(&format!("[discovery]\nroots = ['{outside}']"), false);
            let flaw = SettingIssue::Outside { key: "discovery.roots".into(), value: outside.into() };
            assert_eq!((settings.discovery.roots.len(), flaws), (0, vec![flaw]), "{outside}");
        }
        let rules = "[permissions]\nallow = ['x']\ndeny = [{ tool = 'skill_load', skill_name = 'a-*' }]";
        let (settings, flaws) = read(rules, false);
        assert_eq!(flaws, [SettingIssue::NotInProject("permissions.allow".into())]);
        assert_eq!(settings.permissions.deny[0].skill_name.as_deref(), Some("a-*"));
        assert_eq!(read(rules, true).0.permissions.allow.len(), 1);
    }
}
