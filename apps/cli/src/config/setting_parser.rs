//! Parses the value of a setting, as its kind in the table requires.

use super::place::folder;
use super::plugin;
use super::setting::{MARKERS, SOURCE_ROOTS, Setting, SettingKind};
use super::setting_value::SettingValue;
use super::source::ConfigFile;
use figment::value::Value;
use skillc_domain::discovery::settings::PermissionRule;
use skillc_domain::history::ModelPrice;
use skillc_domain::limits::CONFIGURED_FOLDERS_MAX;
use skillc_domain::places::{META_DIR, SKILLC_DIR};
use std::collections::HashSet;
use std::path::{Component, Path};

/// The value, if it is valid for its kind. Folders become absolute paths.
pub fn parse(source: &ConfigFile<'_>, kind: SettingKind, value: &Value) -> Option<SettingValue> {
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
pub fn bounded(kind: SettingKind, value: &Value) -> (Option<Value>, usize) {
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
pub fn outside(source: &ConfigFile<'_>, setting: &Setting, value: &Value) -> Option<String> {
    let is_outside: &dyn Fn(&&str) -> bool = match (setting.kind, setting.key) {
        (SettingKind::Folder | SettingKind::Folders, _) => &|text| folder(source, text).is_none(),
        (_, MARKERS) => &|text| text.contains(['/', '\\']) || matches!(*text, "." | ".."),
        _ => return None,
    };
    let texts = value.as_array().into_iter().flatten().chain([value]).filter_map(Value::as_str);
    texts.filter(|text| !text.is_empty()).find(is_outside).map(str::to_owned)
}

/// Whether a store would be in a folder that skc or a version control system fills.
pub fn names_own_folder(setting: &Setting, value: &SettingValue) -> bool {
    let SettingValue::Texts(folders) = value else { return false };
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
