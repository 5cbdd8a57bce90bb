//! Builds a skill: import, plan, index, publish, deploy.

mod clients;
mod deploy;
mod import;
mod name_edit;
mod options;
mod owner;
mod pipeline;
mod settling;
mod skill_file;
mod source_reader;
mod stub;
mod withdrawal;

pub use clients::TargetFolders;
pub use deploy::{Deployed, Deployment, is_copy_of, read_deployments, write_deployments};
pub use import::{Import, front_matter_name, import};
pub use name_edit::NameEdit;
pub use options::BuildOptions;
pub use owner::{built_from, owner};
pub use pipeline::{Built, compile, refresh};
pub use skill_file::read_skill_file;
pub use withdrawal::{
    DeployedPlace, add_withdrawn, bring_back, bring_back_to, clear, copy_again, deployed_places,
    named_targets, rename_places, withdraw, withdraw_deserted,
};

use crate::app::App;
use crate::failure::Failure;
use crate::policy::is_disabled;
use crate::run::Run;
use crate::skill::Skill;
use skillc_domain::fault::Warning;
use skillc_domain::limits::LOAD_BYTES_MAX;
use skillc_domain::listing::Scope;
use std::path::Path;

/// The description of the skill in a folder, reached without links, whose SKILL.md is one that a build accepts.
///
/// # Errors
/// E010, E011, E012, E013.
pub fn description(app: &App, folder: &Path) -> Result<String, Failure> {
    let tree = app.ports.files.open(folder)?;
    skill_file::read_description(app, tree.as_ref(), folder)
}

/// A completed build with its deployments.
pub struct BuiltAndDeployed {
    /// The runtime that was built, and whether it changed.
    pub built: Built,
    /// Its deployments, in target order.
    pub deployed: Vec<Deployed>,
}

/// Builds a skill and deploys it. Obstacles to a deployment are found before anything is written.
///
/// # Errors
/// Any of RFC-0001:C-ERRORS; runtime and targets are then unchanged.
pub async fn build(
    run: &mut Run<'_>,
    skill: &Skill,
    options: &BuildOptions,
) -> Result<BuiltAndDeployed, Failure> {
    let scope = if options.is_global { Scope::Global } else { skill.home_scope(&run.app.call.places) };
    let plan = deploy::plan(run.app, skill, scope, options)?;
    let built = compile(run, skill, scope).await?;
    if !built.flaws.is_empty() && !run.app.call.settings.discovery.lenient {
        let (skill, message) = (skill.name.clone(), built.flaws.join("; "));
        run.warn(Warning::LeftOutOfCatalog { skill, message });
    }
    if built.skill_bytes > LOAD_BYTES_MAX {
        let (skill, bytes) = (skill.name.clone(), built.skill_bytes);
        run.warn(Warning::TooLargeToLoad { skill, bytes, limit: LOAD_BYTES_MAX });
    }
    if is_disabled(run.app, skill) {
        // It may have been disabled by editing the file, or in another clone.
        withdrawal::withdraw(run.app, skill)?;
        withdrawal::remember(run.app, &built, plan, options.is_copy)?;
        return Ok(BuiltAndDeployed { built, deployed: Vec::new() });
    }
    let deployed = deploy::carry_out(run, &built, plan, options.is_copy)?;
    Ok(BuiltAndDeployed { built, deployed })
}
