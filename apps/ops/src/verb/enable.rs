//! `skc enable` and `skc disable` (RFC-0010:C-ENABLE).

use crate::app::App;
use crate::catalog::{CatalogFilter, catalog};
use crate::compile::{bring_back, withdraw, withdraw_deserted};
use crate::failure::Failure;
use crate::load::{SkillSelector, allowing, name_of, not_in_catalog};
use crate::operation::{Operation, Surface};
use crate::policy::{admit_name, with_policy};
use crate::render::{Render, View, line, plain};
use crate::resolve::resolve_without_policy;
use crate::run::Run;
use crate::settings_file::{Whose, change, disabled, file};
use crate::skill::Skill;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::discovery::place::is_single_file;
use skillc_domain::discovery::policy::PolicyDecision;
use skillc_domain::discovery::roots::Which;
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::places::SKILL_FILE;
use skillc_ports::SettingsChange;
use std::path::PathBuf;

/// Switch a skill on again, so that agents see it and may load it.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnableRequest {
    /// Name or path of the skill.
    pub skill: String,
    /// Change the project's configuration instead of the user's.
    #[arg(long)]
    #[serde(default)]
    pub project: bool,
    /// Allow loading it without asking from now on.
    #[arg(long, conflicts_with = "project")]
    #[serde(default)]
    pub allow: bool,
}

/// Switch a skill off: agents do not see it, find it or load it.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DisableRequest {
    /// Name or path of the skill.
    pub skill: String,
    /// Change the project's configuration instead of the user's.
    #[arg(long)]
    #[serde(default)]
    pub project: bool,
}

/// The change.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SwitchReply {
    /// The name; the change applies to every skill of this name.
    pub skill: String,
    /// `enable` or `disable`.
    pub asked: &'static str,
    /// Whether the configuration files leave it enabled.
    pub enabled: bool,
    /// The configuration file.
    pub file: PathBuf,
    /// Whether the file was changed.
    pub changed: bool,
    /// Whether a rule that allows it was added.
    pub allowed: bool,
    /// SKILL.md files with this name.
    pub paths: Vec<PathBuf>,
    /// Deployed links and copies that were removed or restored.
    pub deployed: Vec<PathBuf>,
    /// The rule that denies it, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub denied_by: Option<String>,
}

/// Implements `skc enable`.
pub struct Enable;

impl Operation for Enable {
    const NAME: &'static str = "enable";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = false;
    const EXAMPLES: &'static str =
        "skc enable my-skill\nskc enable my-skill --project\nskc enable my-skill --allow";
    type Request = EnableRequest;
    type Reply = SwitchReply;

    async fn run(run: &mut Run<'_>, request: EnableRequest) -> Result<SwitchReply, Failure> {
        if request.project && request.allow {
            let message = "--allow changes the user's own configuration, --project the project's; give only one of them";
            return Err(Fault::invalid_option(message).into());
        }
        let mut reply = switch(run, &request.skill, whose(request.project), true)?;
        if request.allow {
            reply.allowed = change(run.app, Whose::User, &allowing(&reply.skill))?;
        }
        for other in [Whose::User, Whose::Project] {
            let Ok(path) = file(run.app, other) else { continue };
            if disabled(run.app, other).contains(&reply.skill) {
                run.warn(Warning::StillDisabled { skill: reply.skill.clone(), path });
                reply.enabled = false;
            }
        }
        if reply.enabled {
            reply.deployed = for_each_skill(run.app, &reply.paths, bring_back)?;
        }
        Ok(reply)
    }
}

/// Implements `skc disable`.
pub struct Disable;

impl Operation for Disable {
    const NAME: &'static str = "disable";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = false;
    const EXAMPLES: &'static str = "skc disable my-skill\nskc disable my-skill --project";
    type Request = DisableRequest;
    type Reply = SwitchReply;

    async fn run(run: &mut Run<'_>, request: DisableRequest) -> Result<SwitchReply, Failure> {
        let mut reply = switch(run, &request.skill, whose(request.project), false)?;
        reply.deployed = for_each_skill(run.app, &reply.paths, withdraw)?;
        reply.deployed.extend(withdraw_deserted(run.app, &reply.skill)?);
        Ok(reply)
    }
}

/// Calls a function for each of the skills that have these files.
fn for_each_skill(
    app: &App,
    files: &[PathBuf],
    act: impl Fn(&App, &Skill) -> Result<Vec<PathBuf>, Failure>,
) -> Result<Vec<PathBuf>, Failure> {
    let mut places = Vec::new();
    // A single-file skill is never deployed.
    for folder in files.iter().filter(|file| !is_single_file(file)).filter_map(|file| file.parent()) {
        if let Ok(skill) = resolve_without_policy(app, &folder.to_string_lossy()) {
            places.extend(act(app, &skill)?);
        }
    }
    Ok(places)
}

fn whose(is_projects: bool) -> Whose {
    if is_projects { Whose::Project } else { Whose::User }
}

fn switch(run: &mut Run<'_>, given: &str, whose: Whose, is_on: bool) -> Result<SwitchReply, Failure> {
    let app = run.app;
    let file = file(app, whose)?;
    let (name, paths) = meant(run, given, is_on)?;
    // An agent could otherwise permit itself.
    admit_name(app, &name)?;
    let asked = match is_on {
        true => SettingsChange::Enable(name.clone()),
        false => SettingsChange::Disable(name.clone()),
    };
    let changed = change(app, whose, &asked)?;
    let denied_by = with_policy(app, |policy| match policy.verdict(&name) {
        PolicyDecision::Denied(rule) => Some(rule.skill_name.clone().unwrap_or_else(|| "*".to_owned())),
        _ => None,
    });
    let asked = if is_on { Enable::NAME } else { Disable::NAME };
    Ok(SwitchReply {
        skill: name,
        asked,
        enabled: is_on,
        file,
        changed,
        allowed: false,
        paths,
        deployed: Vec::new(),
        denied_by,
    })
}

/// The named skill, and all skills with that name. To enable a disabled skill, it need not exist.
fn meant(run: &mut Run<'_>, given: &str, is_on: bool) -> Result<(String, Vec<PathBuf>), Failure> {
    let app = run.app;
    let is_listed =
        || [Whose::User, Whose::Project].iter().any(|whose| disabled(app, *whose).iter().any(|n| n == given));
    let selector = SkillSelector::of(Some(given), None, None)?;
    let ask = CatalogFilter {
        roots: Which::All,
        with_hidden: true,
        with_builtin: true,
        ..CatalogFilter::default()
    };
    let catalog = catalog(run, &ask)?;
    let named = |name: &str| {
        let of_name = catalog.skills.iter().filter(|skill| skill.name == name);
        of_name.map(|skill| skill.path.clone()).collect::<Vec<PathBuf>>()
    };
    if let Some(name) = name_of(app, &catalog, &selector) {
        return Ok((name.clone(), named(&name)));
    }
    // A skill that the catalog omits can be built and deployed nevertheless.
    match resolve_without_policy(app, given).ok() {
        Some(skill) => Ok((skill.name, vec![skill.path.join(SKILL_FILE)])),
        None if is_on && is_listed() => Ok((given.to_owned(), Vec::new())),
        None if !app.call.settings.skills.enabled => Ok((given.to_owned(), Vec::new())),
        None => Err(not_in_catalog(app, given, &catalog).into()),
    }
}

impl Render for SwitchReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        let (name, file) = (plain(&self.skill), view.path(&self.file));
        let is_on = self.asked == Enable::NAME;
        let word = if is_on { "on" } else { "off" };
        line(
            out,
            match self.changed {
                true => format!("{name} is switched {word} in {file}"),
                false if is_on => format!("{name} is not switched off in {file}; nothing to do"),
                false => format!("{name} is already switched {word} in {file}"),
            },
        );
        for place in &self.deployed {
            let word = if is_on { "Deployed" } else { "Removed" };
            line(out, format!("{} {}", view.good(word), view.path(place)));
        }
        if self.allowed {
            line(out, format!("{name} is now loaded without asking"));
        }
    }

    fn diagnostics(&self, _: &View, out: &mut Vec<u8>) {
        if self.paths.len() > 1 {
            line(out, format!("{} skills are called '{}'", self.paths.len(), plain(&self.skill)));
        }
        if let (Some(rule), true) = (&self.denied_by, self.asked == Enable::NAME) {
            line(out, format!("'{}' in [permissions] deny still prevents loading it", plain(rule)));
        }
    }
}
