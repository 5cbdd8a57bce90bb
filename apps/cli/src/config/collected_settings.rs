//! Collects the settings of all files and combines them: the last value of a setting counts, and lists are joined.

use super::setting::{SETTINGS, SettingKind};
use super::setting_effect::{apply, value};
use super::setting_parser::{bounded, names_own_folder, outside, parse, snake_case};
use super::setting_value::{GivenSetting, SettingValue};
use super::source::ConfigFile;
use super::value::shown;
use figment::value::{Dict, Value};
use skillc_domain::config::{ProjectSettings, SettingOrigin, Settings};
use skillc_domain::limits::CONFIGURED_FOLDERS_MAX;
use skillc_domain::listing::Scope;
use std::path::Path;

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

impl CollectedSettings {
    /// Collects the settings in a section; unusable values are skipped and returned as issues.
    pub fn take(&mut self, source: &ConfigFile<'_>, section: &str, inner: &Dict) -> Vec<SettingIssue> {
        let mut issues = Vec::new();
        for (key, value) in inner {
            let key = format!("{section}.{}", snake_case(key));
            match value {
                Value::Dict(_, deeper) if SETTINGS.iter().all(|setting| setting.key != key) => {
                    issues.extend(self.take(source, &key, deeper));
                }
                value => issues.extend(self.setting(source, key, value).err()),
            }
        }
        issues
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
        let parsed = parse(source, setting.kind, value).filter(|parsed| !names_own_folder(setting, parsed));
        self.given.push(GivenSetting {
            key: setting.key,
            value: parsed.ok_or_else(invalid)?,
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

#[cfg(test)]
mod tests {
    use super::*;
    use figment::Figment;
    use figment::providers::{Format, Toml};
    use std::path::PathBuf;

    fn read(toml: &str, is_users: bool) -> (Settings, Vec<SettingIssue>) {
        let all = Figment::from(Toml::string(toml)).extract::<Dict>().unwrap();
        let source =
            ConfigFile { path: Path::new("/p/.skillc/config.toml"), home: Path::new("/h"), is_users };
        let (mut collected, mut issues) = (CollectedSettings::default(), Vec::new());
        for (section, value) in &all {
            issues.extend(collected.take(&source, section, value.as_dict().unwrap()));
        }
        let mut settings = Settings::default();
        collected.finish(&mut settings);
        (settings, issues)
    }

    /// RFC-0009:C-SKILLS
    #[test]
    fn settings_of_skills_are_taken_in_snake_and_camel_case() {
        for toml in [
            "[skills.initial]\nmax_entries = 3\nmax_bytes = 2000",
            "[skills.initial]\nmaxEntries = 3\nmaxBytes = 2000",
        ] {
            let (settings, issues) = read(toml, true);
            assert_eq!((settings.skills.max_entries, settings.skills.max_bytes, issues), (3, 2000, vec![]));
        }
        let (settings, issues) = read("[skills.initial]\nmax_entries = 0\nmin = 1", true);
        assert_eq!(settings.skills.max_entries, 200);
        let invalid = SettingIssue::Invalid { key: "skills.initial.max_entries".into(), value: "0".into() };
        assert_eq!(issues, [invalid, SettingIssue::Unknown("skills.initial.min".into())]);
    }

    /// L8, RFC-0009:C-SKILLS
    #[test]
    fn a_list_of_folders_is_cut_at_its_bound_without_doubles() {
        let list = |names: &[String]| format!("[discovery]\nroots = {names:?}");
        let mut names: Vec<String> = (0..CONFIGURED_FOLDERS_MAX).map(|n| format!("r{n}")).collect();
        names.extend(names.clone());
        let (settings, issues) = read(&list(&names), false);
        assert_eq!((settings.discovery.roots.len(), issues), (CONFIGURED_FOLDERS_MAX, Vec::new()));
        names.push("one-more".to_owned());
        let (settings, issues) = read(&list(&names), true);
        assert_eq!(settings.discovery.roots.len(), CONFIGURED_FOLDERS_MAX);
        let (key, count) = ("discovery.roots".to_owned(), CONFIGURED_FOLDERS_MAX + 1);
        assert_eq!(issues, [SettingIssue::TooMany { key, count }]);
    }

    /// RFC-0009:C-SKILLS, RFC-0009:C-PROJECT
    #[test]
    fn a_project_names_no_folder_outside_itself_and_allows_nothing() {
        let toml = "[discovery]\nroots = ['~/x', '/y', 'tools/skills']";
        assert_eq!(read(toml, true).0.discovery.roots, ["/h/x", "/y", "/p/tools/skills"].map(PathBuf::from));
        for outside in ["/y", "../x", "a/../../x", "/p/../x", "~", "~/x"] {
            let (settings, issues) = read(&format!("[discovery]\nroots = ['{outside}']"), false);
            let issue = SettingIssue::Outside { key: "discovery.roots".into(), value: outside.into() };
            assert_eq!((settings.discovery.roots.len(), issues), (0, vec![issue]), "{outside}");
        }
        let rules = "[permissions]\nallow = ['x']\ndeny = [{ tool = 'skill_load', skill_name = 'a-*' }]";
        let (settings, issues) = read(rules, false);
        assert_eq!(issues, [SettingIssue::NotInProject("permissions.allow".into())]);
        assert_eq!(settings.permissions.deny[0].skill_name.as_deref(), Some("a-*"));
        assert_eq!(read(rules, true).0.permissions.allow.len(), 1);
    }
}
