//! Rules and disabled names that match no skill.

use crate::catalog::{CatalogFilter, read_with_hidden};
use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding};
use crate::doctor::scene::HealthScene;
use crate::policy::{has_rules, rules_without_skill};
use skillc_domain::discovery::roots::Which;
use skillc_domain::fault::Warning;
use skillc_domain::text::shell::argument;

pub static CHECK: HealthCheck = HealthCheck {
    id: "idle-rule",
    title: "rules that match no skill",
    why: "a misspelled rule restricts nothing",
    find,
};

/// How a warning refers to the list from which `skc enable` removes a name.
const DISABLED: &str = "[skills] disabled";

fn find(scene: &HealthScene) -> Vec<HealthFinding> {
    let app = &scene.app;
    if !has_rules(app) || !app.call.settings.skills.enabled {
        return Vec::new();
    }
    let every = read_with_hidden(app, CatalogFilter { roots: Which::All, ..CatalogFilter::default() });
    let names = every.skills.iter().map(|skill| skill.name.as_str());
    rules_without_skill(app, names).iter().map(|warning| finding(scene, warning)).collect()
}

fn finding(scene: &HealthScene, warning: &Warning) -> HealthFinding {
    let path = scene.app.call.places.own.join("config.toml");
    let fix = match warning {
        Warning::RuleWithoutSkill { rule, setting } if setting == DISABLED => {
            format!("skc enable {}", argument(rule))
        }
        _ => "skc config edit --global".to_owned(),
    };
    HealthFinding::new(FindingSeverity::Warning, &path, warning.to_string(), fix)
}
