//! Building a skill: import, plan, index, publish, deploy.

mod deploy;
mod import;
pub mod outline;
mod pipeline;
mod source_reader;

pub use deploy::{Deployed, Deployment, is_copy_of, read_deployments, write_deployments};
pub use import::{front_matter_name, import};
pub use pipeline::{Built, compile, refresh};

use crate::app::App;
use crate::failure::Failure;
use crate::resolve::Skill;
use crate::run::Run;
use skillc_domain::listing::Scope;

/// Whether a skill's SKILL.md is one that a build takes.
///
/// # Errors
/// E010, E011, E012, E013.
pub fn check(app: &App, skill: &Skill) -> Result<(), Failure> {
    let tree = app.files.open(&skill.path)?;
    outline::head(app, tree.as_ref(), &skill.path).map(|_| ())
}

/// What a build is asked for.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// Runtime and deployment of the user, wherever the source stands.
    pub is_global: bool,
    /// Names of targets; empty for the default.
    pub targets: Vec<String>,
    /// Copies in place of links.
    pub is_copy: bool,
    /// Replace what is in the way.
    pub is_forced: bool,
}

/// A finished build with its deployments.
pub struct BuiltAndDeployed {
    /// The build.
    pub built: Built,
    /// Where it went.
    pub deployed: Vec<Deployed>,
}

/// Builds a skill and deploys it. What is in the way of a deployment is found before anything is written.
///
/// # Errors
/// Any of RFC-0001:C-ERRORS; runtime and targets are then as they were.
pub async fn build(run: &mut Run<'_>, skill: &Skill, wish: &Wish) -> Result<BuiltAndDeployed, Failure> {
    let scope = if wish.is_global { Scope::Global } else { skill.home_scope(&run.app.places) };
    let plan = deploy::plan(run.app, skill, scope, wish)?;
    let built = compile(run, skill, scope).await?;
    let deployed = deploy::carry_out(run, &built, plan, wish.is_copy)?;
    Ok(BuiltAndDeployed { built, deployed })
}
