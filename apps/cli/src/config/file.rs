//! Reads a configuration file into a layer. Unusable values are reported and skipped.

use super::collected_settings::{CollectedSettings, SettingIssue};
use super::layer::{Layer, put};
use super::problems::Problems;
use super::schema::{CHOICES, TEXTS, USER_SECTIONS};
use super::setting;
use super::source::ConfigFile;
use super::value::{raw, shown};
use super::{place, read, syntax};
use figment::value::{Dict, Value};
use skillc_domain::config::shown_part;
use skillc_domain::fault::Warning;
use skillc_domain::limits::{CONFIG_VERSION, CONFIGURED_FOLDERS_MAX};
use skillc_domain::rule_settings::{LintSettings, RuleSetting};
use skillc_lint::settings::{SettingError, read_rules};

/// Reads a file. `None` if it does not exist, or is ignored as a whole; then its permissions are unknown.
pub fn layer(
    file: &ConfigFile<'_>,
    skills: &mut CollectedSettings,
    problems: &mut Problems,
) -> Option<Layer> {
    let text = if file.is_users { read::users(file.path) } else { read::projects(file.path) };
    let mut reader = FileReader { file, skills, problems: &mut *problems };
    let layer = text.and_then(|text| match text {
        Some(text) => reader.table(syntax::table(&text)?).map(Some),
        None => Ok(None),
    });
    layer.unwrap_or_else(|message| {
        problems.broken(file.path, &message);
        problems.unreadable_policy.get_or_insert_with(|| file.path.to_owned());
        None
    })
}

/// The problems of a file with this text.
///
/// # Errors
/// The reason it would be ignored as a whole.
pub fn problems_of(file: &ConfigFile<'_>, text: &str) -> Result<Problems, String> {
    let (mut skills, mut problems) = (CollectedSettings::default(), Problems::default());
    let mut reader = FileReader { file, skills: &mut skills, problems: &mut problems };
    reader.table(syntax::table(text)?)?;
    Ok(problems)
}

struct FileReader<'a> {
    file: &'a ConfigFile<'a>,
    skills: &'a mut CollectedSettings,
    problems: &'a mut Problems,
}

impl FileReader<'_> {
    fn table(&mut self, raw: Dict) -> Result<Layer, String> {
        let warnings_before = self.problems.warnings.len();
        raw.get("version").map_or(Ok(()), |version| self.version(version))?;
        let mut values = Dict::new();
        for (section, value) in raw {
            match (setting::SECTIONS.contains(&section.as_str()), &value) {
                (true, Value::Dict(_, inner)) => self.skills(&section, inner),
                (true, other) => self.problems.invalid_in(self.file, &section, &shown(other)),
                _ if self.file.is_users || !USER_SECTIONS.contains(&section.as_str()) => {
                    self.section(&section, value, &mut values);
                }
                _ => self.problems.not_in_project(self.file.path, &section),
            }
        }
        self.problems.cap_warnings(self.file.path, warnings_before);
        Ok(Layer::new(self.file.path.to_string_lossy(), values))
    }

    fn version(&mut self, version: &Value) -> Result<(), String> {
        match version.to_i128() {
            Some(number) if number > i128::from(CONFIG_VERSION) => {
                let path = self.file.path.to_path_buf();
                self.problems.warnings.push(Warning::NewerConfig { path, version: number });
                Ok(())
            }
            Some(number) if number > 0 => Ok(()),
            _ => Err("'version' must be a positive integer".to_owned()),
        }
    }

    fn skills(&mut self, section: &str, inner: &Dict) {
        let (file, problems) = (self.file, &mut *self.problems);
        for issue in self.skills.take(file, section, inner) {
            match issue {
                SettingIssue::Unknown(key) => problems.unknown(file.path, &key),
                SettingIssue::Invalid { key, value } => problems.invalid_in(file, &key, &value),
                SettingIssue::TooMany { key, count } => {
                    let (path, limit) = (file.path.to_path_buf(), CONFIGURED_FOLDERS_MAX);
                    problems.warnings.push(Warning::TooManyFolders { key, count, path, limit });
                }
                SettingIssue::NotInProject(key) => problems.not_in_project(file.path, &key),
                SettingIssue::Outside { key, value } => problems.outside(file.path, &key, &value),
            }
        }
    }

    fn section(&mut self, section: &str, value: Value, values: &mut Dict) {
        match (section, value) {
            ("version", value) => {
                values.insert(section.to_owned(), value);
            }
            ("targets", Value::Dict(_, targets)) => self.targets(targets, values),
            ("lint", Value::Dict(_, mut inner)) => {
                match inner.remove("rules") {
                    Some(Value::Dict(_, rules)) => self.rules(rules, values),
                    Some(other) => self.problems.invalid("lint.rules", &shown(&other)),
                    None => {}
                }
                self.choices(section, inner, values);
            }
            ("team", Value::Dict(_, mut inner)) => {
                if let Some(flag) = inner.remove(setting::SHARE_HISTORY) {
                    self.skills(section, &Dict::from([(setting::SHARE_HISTORY.to_owned(), flag)]));
                }
                self.texts(section, inner, values);
            }
            ("model", Value::Dict(_, mut inner)) => {
                if let Some(name) = inner.remove("name") {
                    self.choices(section, Dict::from([("name".to_owned(), name)]), values);
                }
                self.texts(section, inner, values);
            }
            (section, Value::Dict(_, inner)) if CHOICES.iter().any(|c| c.section == section) => {
                self.choices(section, inner, values);
            }
            (section, Value::Dict(_, inner)) if TEXTS.iter().any(|t| t.section == section) => {
                self.texts(section, inner, values);
            }
            (section, _) => self.problems.unknown(self.file.path, section),
        }
    }

    fn choices(&mut self, section: &str, inner: Dict, values: &mut Dict) {
        for (key, value) in inner {
            let full_key = format!("{section}.{key}");
            let Some(choice) = CHOICES.iter().find(|c| c.section == section && c.key == key) else {
                self.problems.unknown(self.file.path, &full_key);
                continue;
            };
            match value.as_str().filter(|word| choice.words.contains(word)) {
                Some(word) => put(values, section, &key, word),
                None => self.problems.invalid(&full_key, &shown(&value)),
            }
        }
    }

    fn texts(&mut self, section: &str, inner: Dict, values: &mut Dict) {
        for (key, value) in inner {
            let full_key = format!("{section}.{key}");
            match (TEXTS.iter().any(|t| t.section == section && t.key == key), value.as_str()) {
                (true, Some(text)) => put(values, section, &key, text),
                (true, None) => self.problems.invalid(&full_key, &shown(&value)),
                (false, _) => self.problems.unknown(self.file.path, &full_key),
            }
        }
    }

    /// Lint rules, each as a table of its severity and parameters, so that files complement each other.
    fn rules(&mut self, rules: Dict, values: &mut Dict) {
        let mut read = LintSettings::default();
        let raw = rules.into_iter().map(|(rule, value)| (rule, raw(value))).collect();
        for flaw in read_rules(&mut read, "lint.rules", raw) {
            match flaw {
                SettingError::Unknown(key) => self.problems.unknown(self.file.path, &key),
                SettingError::Invalid { key, value, used } => {
                    let (value, key) = (shown_part(&value), shown_part(&key));
                    self.problems.warnings.push(Warning::InvalidSetting { value, key, used });
                }
            }
        }
        let table = |setting: RuleSetting| {
            let params = setting.params.into_iter().map(|(name, number)| (name, Value::from(number)));
            let severity = setting.severity.map(|s| ("severity".to_owned(), Value::from(s.setting())));
            Value::from(params.chain(severity).collect::<Dict>())
        };
        let rules: Dict = read.rules.into_iter().map(|(id, setting)| (id, table(setting))).collect();
        put(values, "lint", "rules", rules);
    }

    /// Folders of targets, resolved like every folder of a file.
    fn targets(&mut self, targets: Dict, values: &mut Dict) {
        for (name, value) in targets {
            let key = format!("targets.{name}");
            let Some(text) = value.as_str().filter(|folder| !folder.is_empty()) else {
                self.problems.invalid(&key, &shown(&value));
                continue;
            };
            match place::folder(self.file, text) {
                Some(folder) => put(values, "targets", &name, folder.to_string_lossy().as_ref()),
                None => self.problems.outside(self.file.path, &key, text),
            }
        }
    }
}
