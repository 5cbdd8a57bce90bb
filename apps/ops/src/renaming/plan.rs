//! Checks a rename before anything is changed (RFC-0007:C-RENAME).

use super::RenamePlan;
use super::record::{RenameRecord, RuntimeRecord};
use crate::app::App;
use crate::compile::{DeployedPlace, NameEdit, deployed_places, read_deployments};
use crate::failure::Failure;
use crate::policy::{admit_name, is_disabled};
use crate::resolve::{place_in_store, resolve_as_typed, shadowing};
use crate::runtime::{is_of, manifest, of_name, source_of};
use crate::settings_file::{Whose, disabled};
use crate::skill::Skill;
use skillc_domain::deploy::{Occupant, is_ours};
use skillc_domain::fault::Fault;
use skillc_domain::name::SkillName;
use skillc_domain::text::shell::argument;
use skillc_ports::Found;
use std::path::{Path, PathBuf};

impl RenamePlan {
    /// Plans the rename of a skill named by the user.
    ///
    /// # Errors
    /// Any refusal of RFC-0007:C-RENAME.
    pub fn new(app: &App, given: &str, name: &str) -> Result<Self, Failure> {
        let skill = resolve_as_typed(app, given)?;
        let name = SkillName::for_new(name)?;
        admit_name(app, name.as_str())?;
        let place = movable_place(app, &skill, &name)?;
        refuse_taken(app, &skill, &name)?;
        let is_shadowed = shadowing(app, &skill).is_some();
        let runtimes = if is_shadowed { Vec::new() } else { runtimes(app, &skill, &name)? };
        let edit = NameEdit::of(app, &skill.path, name.as_str())?;
        let front_name = edit.as_ref().and_then(|edit| edit.old_name.clone());
        let record = RenameRecord {
            place,
            path: skill.path.clone(),
            name: name.to_string(),
            runtimes,
            is_shadowed,
            is_off: is_disabled(app, &skill),
            switched_off_by: switched_off_by(app, [Some(&skill.name), front_name.as_ref()], name.as_str()),
            edits_name: edit.is_some(),
            front_name,
        };
        let renamed = Skill {
            path: skill.path.with_file_name(name.as_str()),
            name: name.to_string(),
            given: name.to_string(),
            ..skill.clone()
        };
        Ok(Self { record, skill, renamed, edit })
    }

    /// The plan for a recorded rename; `None` if its store is not one of this call's.
    pub fn of_record(app: &App, record: RenameRecord) -> Option<Self> {
        let scope = app.call.places.scope_of(&record.place)?;
        let name = record.place.file_name()?.to_str()?.to_owned();
        let new_name = SkillName::parse(&record.name).ok()?.to_string();
        let skill = |name: String, path: PathBuf| Skill {
            given: name.clone(),
            name,
            path,
            scope: Some(scope),
            origin: None,
        };
        let renamed = skill(new_name.clone(), record.path.with_file_name(new_name));
        Some(Self { skill: skill(name, record.path.clone()), renamed, record, edit: None })
    }
}

/// The folder of a skill in its store, if it can get this name.
fn movable_place(app: &App, skill: &Skill, name: &SkillName) -> Result<PathBuf, Failure> {
    let refused = |message: String, advice: String| Err(Fault::refused_option(message, advice).into());
    let Some(place) = place_in_store(app, skill) else {
        let advice = "rename its folder and its 'name' by hand; skc renames skills in a store".to_owned();
        return refused(format!("'{}' is not in a store", skill.given), advice);
    };
    if skill.name == name.as_str() {
        return refused(format!("the skill is already called '{name}'"), "choose another name".to_owned());
    }
    if let Occupant::Link { .. } = app.ports.deployer.look(&place)? {
        let advice = format!("rename the folder it leads to, '{}'", skill.path.display());
        return refused(format!("'{}' is a link in the store", skill.name), advice);
    }
    Ok(place)
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

/// The runtimes of a skill, with their deployments. One that already has the new name may only be a remnant: E055 if
/// it belongs to another skill.
fn runtimes(app: &App, skill: &Skill, name: &SkillName) -> Result<Vec<RuntimeRecord>, Failure> {
    let deployed = deployed_places(app, skill)?;
    let mut own = Vec::new();
    for (scope, folder) in of_name(app, &skill.name) {
        if app.ports.deployer.look(&folder)? == Occupant::Nothing || !is_of(app, skill, scope, &folder) {
            continue;
        }
        let new = folder.with_file_name(name.as_str());
        let holder = manifest(app, &new).and_then(|manifest| source_of(app, &manifest));
        if let Some(path) = holder.filter(|source| matches!(app.look(source), Found::Skill(_))) {
            return Err(Fault::NameTaken { name: name.to_string(), path }.into());
        }
        refuse_deployed_remains(app, &new, name)?;
        let of_folder = deployed.iter().filter(|place| place.runtime == folder);
        let deployed = of_folder.map(|place| place.deployed.clone()).collect();
        own.push(RuntimeRecord { folder, deployed });
    }
    refuse_occupied(app, skill, name, &deployed)?;
    Ok(own)
}

/// E100 if a skill whose source was deleted by hand is still deployed under the new name.
fn refuse_deployed_remains(app: &App, runtime: &Path, name: &SkillName) -> Result<(), Failure> {
    for place in read_deployments(app, runtime).places {
        if is_ours(&app.ports.deployer.look(&place.path)?, runtime, |_| true) {
            let message = format!("an earlier '{name}' is still deployed at '{}'", place.path.display());
            return Err(Fault::refused_option(message, format!("run 'skc undeploy {name}' first")).into());
        }
    }
    Ok(())
}

/// E100 if a place to which the skill would be deployed under its new name is occupied.
fn refuse_occupied(
    app: &App,
    skill: &Skill,
    name: &SkillName,
    deployed: &[DeployedPlace],
) -> Result<(), Failure> {
    for place in deployed {
        if app.ports.deployer.look(&place.real.with_file_name(name.as_str()))? != Occupant::Nothing {
            let taken = place.deployed.path.with_file_name(name.as_str());
            let message = format!("'{}' already exists", taken.display());
            let advice = format!("move it away, or run 'skc undeploy {}' first", argument(&skill.name));
            return Err(Fault::refused_option(message, advice).into());
        }
    }
    Ok(())
}

/// The configurations that disable one of these names, but not yet the new one.
fn switched_off_by(app: &App, names: [Option<&String>; 2], new: &str) -> Vec<Whose> {
    let is_to_be_carried = |whose: &Whose| {
        let disabled = disabled(app, *whose);
        names.into_iter().flatten().any(|name| disabled.contains(name))
            && !disabled.iter().any(|off| off == new)
    };
    [Whose::User, Whose::Project].into_iter().filter(is_to_be_carried).collect()
}
