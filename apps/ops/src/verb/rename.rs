//! `skc rename` (RFC-0007:C-RENAME).

use crate::app::App;
use crate::compile::{NameEdit, bring_back, compile, rename_places, taken_under_name, withdraw};
use crate::failure::Failure;
use crate::mentioning::skills_mentioning;
use crate::operation::{Operation, Surface};
use crate::policy::{admit_name, is_disabled};
use crate::render::{Render, View, line, plain};
use crate::resolve::{place_in_store, resolve, resolve_without_policy, shadowing};
use crate::run::Run;
use crate::runtime::{index_of, is_of, manifest, of_name, source_built};
use crate::settings_file::{Whose, change, disabled};
use crate::skill::{ImportOrigin, Skill};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::deploy::Occupant;
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::listing::Scope;
use skillc_domain::name::SkillName;
use skillc_domain::places::log_file;
use skillc_ports::{ErrorKind, EventLabel, Found, PortError, SettingsChange};
use std::path::{Path, PathBuf};

/// Rename a skill in its store, with its builds, its log, and what was deployed of it.
///
/// Changes the name of the folder and 'name' in SKILL.md, and nothing else in it. Texts that mention the old name are listed.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RenameRequest {
    /// Name or path of the skill.
    pub skill: String,
    /// Its new name: lowercase letters, digits and hyphens.
    pub name: String,
}

/// The renamed skill.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RenameReply {
    /// Its new name.
    pub skill: String,
    /// Its old name.
    pub old: String,
    /// Its new place in the store.
    pub source: PathBuf,
    /// New folders of its builds.
    pub runtimes: Vec<PathBuf>,
    /// Deployed links and copies of the old name, which were removed.
    pub removed: Vec<PathBuf>,
    /// The same under the new name.
    pub deployed: Vec<PathBuf>,
    /// Other skills whose text mentions the old name.
    pub mentioned_by: Vec<String>,
}

/// The operation.
pub struct Rename;

impl Operation for Rename {
    const NAME: &'static str = "rename";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = false;
    const EXAMPLES: &'static str = "skc rename my-skill release-notes";
    type Request = RenameRequest;
    type Reply = RenameReply;

    async fn run(run: &mut Run<'_>, request: RenameRequest) -> Result<RenameReply, Failure> {
        let app = run.app;
        let plan = Plan::of(app, &request)?;
        let removed = if plan.is_shadowed { Vec::new() } else { withdraw(app, &plan.skill)? };
        if let Err(failure) = plan.rename_source(app) {
            if !plan.is_off {
                bring_back(app, &plan.skill)?;
            }
            return Err(failure);
        }
        plan.carry_rules(run);
        let mut is_built = false;
        for runtime in &plan.runtimes {
            is_built |= match plan.rename_runtime(run, runtime).await {
                Ok(()) => runtime.is_built,
                Err(failure) => {
                    run.part_failed(failure);
                    false
                }
            };
        }
        let is_back = is_built && !plan.is_off && !is_disabled(app, &plan.renamed);
        let deployed = if is_back { bring_back(app, &plan.renamed)? } else { Vec::new() };
        let mentioned_by = skills_mentioning(app, &plan.skill.name, &plan.renamed.path);
        Ok(RenameReply {
            source: plan.place.with_file_name(&plan.renamed.name),
            runtimes: plan.runtimes.into_iter().map(|runtime| runtime.new).collect(),
            skill: plan.renamed.name,
            old: plan.skill.name,
            removed,
            deployed,
            mentioned_by,
        })
    }
}

/// What is to be done, found before anything is changed.
struct Plan {
    skill: Skill,
    /// The same with its new name and path.
    renamed: Skill,
    /// Its folder in the store.
    place: PathBuf,
    edit: Option<NameEdit>,
    runtimes: Vec<OwnRuntime>,
    /// Whether another skill of its name has runtime and deployments.
    is_shadowed: bool,
    /// Whether it is switched off.
    is_off: bool,
}

/// A runtime of the skill.
struct OwnRuntime {
    scope: Scope,
    old: PathBuf,
    new: PathBuf,
    is_built: bool,
    origin: Option<ImportOrigin>,
}

impl Plan {
    fn of(app: &App, request: &RenameRequest) -> Result<Self, Failure> {
        let skill = resolve(app, &request.skill)?;
        let name = SkillName::for_new(&request.name)?;
        admit_name(app, name.as_str())?;
        let refused = |message: String| Err(Fault::invalid_option(message).into());
        let Some(place) = place_in_store(app, &skill) else {
            return refused(format!(
                "'{}' is in no store, and only a skill of a store is renamed",
                request.skill
            ));
        };
        if skill.name == name.as_str() {
            return refused(format!("'{name}' is the name of the skill already"));
        }
        if let Occupant::Link { .. } = app.ports.deployer.look(&place)? {
            let to = skill.path.display();
            return refused(format!(
                "'{}' is a link in the store; rename the folder it leads to, '{to}'",
                skill.name
            ));
        }
        refuse_taken(app, &skill, &name)?;
        let is_shadowed = shadowing(app, &skill).is_some();
        let runtimes = if is_shadowed { Vec::new() } else { runtimes(app, &skill, &name)? };
        let taken = if is_shadowed { None } else { taken_under_name(app, &skill, name.as_str())? };
        if let Some(taken) = taken {
            let (taken, old) = (taken.display(), &skill.name);
            return refused(format!("'{taken}' is there already; move it away, or undeploy '{old}' first"));
        }
        let renamed = Skill {
            path: skill.path.with_file_name(name.as_str()),
            name: name.to_string(),
            given: name.to_string(),
            ..skill.clone()
        };
        let edit = NameEdit::of(app, &skill.path, name.as_str())?;
        let is_off = is_disabled(app, &skill);
        Ok(Self { skill, renamed, place, edit, runtimes, is_shadowed, is_off })
    }

    /// Renames the folder and edits its SKILL.md: both or neither.
    fn rename_source(&self, app: &App) -> Result<(), Failure> {
        let name = &self.renamed.name;
        app.ports.stores.rename(&self.place, name).map_err(|error| match error.kind {
            ErrorKind::AlreadyExists => Failure::because(Fault::SkillExists { skill: name.clone() }, error),
            _ => error.into(),
        })?;
        let edited = self.edit.as_ref().map_or(Ok(()), |edit| edit.write(app, &self.renamed.path));
        if edited.is_err() {
            app.ports.stores.rename(&self.place.with_file_name(name), &self.skill.name)?;
        }
        edited
    }

    /// Switches the skill off under its new name where it is off under the old one, and warns of rules that name the old one. A
    /// rule of the old name stays: other skills may have it.
    fn carry_rules(&self, run: &mut Run<'_>) {
        let (old, new) = (&self.skill.name, &self.renamed.name);
        let front_name = self.edit.as_ref().and_then(|edit| edit.old_name.as_ref());
        for whose in [Whose::User, Whose::Project] {
            let is_off = disabled(run.app, whose).iter().any(|name| name == old || Some(name) == front_name);
            if is_off && let Err(failure) = change(run.app, whose, &SettingsChange::Disable(new.clone())) {
                run.part_failed(failure);
            }
        }
        if resolve_without_policy(run.app, old).is_ok() {
            return;
        }
        let rules = &run.app.call.settings.permissions;
        for (rules, setting) in [
            (&rules.deny, "[permissions] deny"),
            (&rules.confirm, "[permissions] confirm"),
            (&rules.allow, "[permissions] allow"),
        ] {
            if rules.iter().any(|rule| rule.skill_name.as_ref() == Some(old)) {
                run.warn(Warning::RuleWithoutSkill { rule: old.clone(), setting: setting.to_owned() });
            }
        }
    }

    /// Moves a runtime with its log to the new name, and builds it there.
    async fn rename_runtime(&self, run: &mut Run<'_>, runtime: &OwnRuntime) -> Result<(), Failure> {
        let app = run.app;
        let OwnRuntime { old, new, .. } = runtime;
        if app.ports.deployer.look(new)? != Occupant::Nothing {
            app.ports.trash.put(new)?;
        }
        app.ports.stores.rename(old, &self.renamed.name)?;
        rename_places(app, new, &self.renamed.name)?;
        // The index is named by the path of the source.
        match app.ports.trash.put(&index_of(app, new, &self.skill)) {
            Ok(index) => app.ports.trash.delete(&index)?,
            Err(error) if error.kind == ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        self.relabel(app, &log_file(new)).await?;
        if runtime.is_built {
            let skill = Skill { origin: runtime.origin.clone(), ..self.renamed.clone() };
            compile(run, &skill, runtime.scope).await?;
        }
        Ok(())
    }

    async fn relabel(&self, app: &App, log: &Path) -> Result<u64, PortError> {
        let skill_path = self.renamed.path_text();
        let label = EventLabel { skill: &self.renamed.name, skill_path: &skill_path };
        app.ports.logs.at(log).relabel(&self.skill.path_text(), label).await
    }
}

/// E050 if anything in a store of the skill's scope has the name.
fn refuse_taken(app: &App, skill: &Skill, name: &SkillName) -> Result<(), Failure> {
    for store in skill.scope.map(|scope| app.call.places.stores(scope)).unwrap_or_default() {
        if app.ports.deployer.look(&store.join(name.as_str()))? != Occupant::Nothing {
            return Err(Fault::SkillExists { skill: name.to_string() }.into());
        }
    }
    Ok(())
}

/// The runtimes of a skill. One with the new name may only be left over: E055 if it is that of another skill.
fn runtimes(app: &App, skill: &Skill, name: &SkillName) -> Result<Vec<OwnRuntime>, Failure> {
    let mut own = Vec::new();
    for (scope, old) in of_name(app, &skill.name) {
        if app.ports.deployer.look(&old)? == Occupant::Nothing || !is_of(app, skill, scope, &old) {
            continue;
        }
        let new = old.with_file_name(name.as_str());
        let holder = source_built(app, &new);
        if let Some(holder) = holder.filter(|source| matches!(app.look(source), Found::Skill(_))) {
            let path = holder.to_string_lossy().into_owned();
            return Err(Fault::NameTaken { name: name.to_string(), path }.into());
        }
        let built = manifest(app, &old);
        let is_built = built.is_some();
        let origin =
            built.and_then(|built| Some(ImportOrigin { path: built.origin?, hash: built.origin_hash? }));
        own.push(OwnRuntime { scope, old, new, is_built, origin });
    }
    Ok(own)
}

impl Render for RenameReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        let (old, new) = (plain(&self.old), plain(&self.skill));
        line(out, format!("{} {old} to {new} in {}", view.good("Renamed"), view.path(&self.source)));
        for place in &self.removed {
            line(out, format!("{} {}", view.good("Removed"), view.path(place)));
        }
        for place in &self.deployed {
            line(out, format!("{} {}", view.good("Deployed"), view.path(place)));
        }
        if !self.mentioned_by.is_empty() {
            line(out, format!("still mention '{old}': {}", plain(&self.mentioned_by.join(", "))));
        }
        line(out, view.faint(format!("'skc rename {new} {old}' renames it back")));
    }
}
