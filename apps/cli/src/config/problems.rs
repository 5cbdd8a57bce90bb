//! Problems of configuration files, collected while they are read.

use super::project_rule::ProjectRule;
use super::schema::{TOKENIZER_VARIABLE, project_rules};
use super::setting::is_policy;
use super::source::ConfigFile;
use skillc_domain::config::{Settings, shown_part};
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::limits::SETTINGS_WARNINGS_MAX;
use skillc_domain::suggest::{list, nearest};
use skillc_lint::settings::similar_rules;
use std::path::{Path, PathBuf};

/// The problems found so far.
#[derive(Debug, Default)]
pub struct Problems {
    /// E101 for each ignored file.
    pub faults: Vec<Fault>,
    /// W030 to W033.
    pub warnings: Vec<Warning>,
    /// The first file whose permissions could not be read.
    pub unreadable_policy: Option<PathBuf>,
}

impl Problems {
    /// Caps the warnings of one file: those after `before`.
    pub fn cap_warnings(&mut self, path: &Path, before: usize) {
        let most = before + SETTINGS_WARNINGS_MAX;
        let more = self.warnings.len().saturating_sub(most);
        if more > 0 {
            self.warnings.truncate(most);
            self.warnings.push(Warning::UnknownSetting {
                key: format!("… and {more} more"),
                path: path.to_owned(),
                suggestions: String::new(),
            });
        }
    }

    /// An invalid value in a section of skills. If it belongs to the permissions, these are unreadable.
    pub fn invalid_in(&mut self, file: &ConfigFile<'_>, key: &str, value: &str) {
        if is_policy(key) {
            self.unreadable_policy.get_or_insert_with(|| file.path.to_owned());
        }
        self.invalid(key, value);
    }

    /// A setting that projects must not set.
    pub fn not_in_project(&mut self, path: &Path, key: &str) {
        self.warnings.push(Warning::NotInProject { key: shown_part(key), path: path.to_owned() });
    }

    /// A folder in a project's configuration that is outside the project.
    pub fn outside(&mut self, path: &Path, key: &str, value: &str) {
        self.not_in_project(path, &format!("{} = {:?}", shown_part(key), shown_part(value)));
    }

    /// A file that is ignored as a whole.
    pub fn broken(&mut self, path: &Path, message: &str) {
        self.faults.push(Fault::InvalidConfig { path: path.to_owned(), message: message.to_owned() });
    }

    pub fn unknown(&mut self, path: &Path, key: &str) {
        self.warnings.push(Warning::UnknownSetting {
            key: shown_part(key),
            path: path.to_owned(),
            suggestions: similar_settings(key),
        });
    }

    /// A value that is not valid for the setting. The value used instead is known only after all sources are merged.
    pub fn invalid(&mut self, key: &str, value: &str) {
        self.warnings.push(Warning::InvalidSetting {
            value: shown_part(value),
            key: shown_part(key),
            used: String::new(),
        });
    }

    /// Adds to each warning of an invalid value the value that is used instead.
    pub fn add_used_values(&mut self, settings: &Settings) {
        for warning in &mut self.warnings {
            let Warning::InvalidSetting { key, used, .. } = warning else { continue };
            if !used.is_empty() {
                continue;
            }
            let key = if key == TOKENIZER_VARIABLE { "search.tokenizer" } else { key };
            let origin = settings.origins.iter().find(|origin| origin.key == key);
            let nothing = if key.starts_with("targets.") { "no such target" } else { "nothing" };
            *used = origin.map_or_else(|| nothing.to_owned(), |origin| origin.value.clone());
        }
    }
}

/// The suggestion lines for an unknown key of a file: a setting with the same name in its section, otherwise similar
/// settings and sections.
pub fn similar_settings(key: &str) -> String {
    let rules = project_rules();
    let mut sections: Vec<&str> = single(&rules).filter_map(|key| Some(key.rsplit_once('.')?.0)).collect();
    sections.extend(["lint.rules", "targets"]);
    sections.sort_unstable();
    sections.dedup();
    similar(key, &rules, sections)
}

/// As [`similar_settings`], for a key that is to be set, which no section is.
pub fn similar_keys(key: &str) -> String {
    similar(key, &project_rules(), Vec::new())
}

fn similar(key: &str, rules: &[(String, ProjectRule)], sections: Vec<&str>) -> String {
    if key.starts_with("lint.rules.") {
        return similar_rules(key);
    }
    let is_in_section = |known: &&str| known.rsplit_once('.').is_some_and(|(_, name)| name == key);
    let same: Vec<&str> = single(rules).filter(is_in_section).collect();
    if !same.is_empty() {
        return list(same);
    }
    list(nearest(key, single(rules).chain(sections)))
}

/// The settings that have one name, not one for each rule or target.
fn single(rules: &[(String, ProjectRule)]) -> impl Iterator<Item = &str> {
    rules.iter().map(|(key, _)| key.as_str()).filter(|key| !key.contains('<'))
}
