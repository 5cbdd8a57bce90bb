//! What each setting changes in [`Settings`], and its value there as a file would write it.

use super::plugin;
use super::setting::{DEFAULT_ROOTS, SOURCE_ROOTS};
use super::setting_value::{GivenSetting, SettingValue};
use skillc_domain::config::Settings;
use skillc_domain::discovery::roots::Which;
use skillc_domain::discovery::settings::PermissionRule;
use skillc_domain::history::ModelPrice;
use skillc_domain::places::SourceRoot;
use std::path::{Path, PathBuf};

/// Applies one value; lists are extended.
pub fn apply(settings: &mut Settings, given: &GivenSetting) {
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
pub fn value(settings: &Settings, key: &str) -> String {
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
