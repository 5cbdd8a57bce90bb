//! `skc remove` (RFC-0007:C-REMOVE).

use crate::app::App;
use crate::compile::withdraw;
use crate::failure::Failure;
use crate::operation::{Operation, Surface};
use crate::render::{Render, View, line, plain};
use crate::resolve::{place_in_store, resolve_as_typed, shadowing};
use crate::run::Run;
use crate::runtime::{is_of, of_name};
use crate::skill::Skill;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::deploy::Occupant;
use skillc_domain::fault::Fault;
use skillc_domain::text::shell::argument;
use std::path::{Path, PathBuf};

/// Remove a skill from its store, with its builds and deployments.
///
/// It goes to the trash, from which 'skc undo' restores it.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RemoveRequest {
    /// Name or path of the skill.
    pub skill: String,
    /// Delete it permanently instead of moving it to the trash.
    #[arg(long)]
    #[serde(default)]
    pub purge: bool,
}

/// What was removed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RemoveReply {
    /// Name of the skill.
    pub skill: String,
    /// Its path in the store.
    pub source: PathBuf,
    /// Folders of its builds.
    pub runtimes: Vec<PathBuf>,
    /// Deployed links and copies.
    pub deployed: Vec<PathBuf>,
    /// Whether it was deleted permanently.
    pub purged: bool,
}

/// Implements `skc remove`.
pub struct Remove;

impl Operation for Remove {
    const NAME: &'static str = "remove";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = false;
    const EXAMPLES: &'static str = "skc remove my-skill\nskc remove my-skill --purge";
    type Request = RemoveRequest;
    type Reply = RemoveReply;

    async fn run(run: &mut Run<'_>, request: RemoveRequest) -> Result<RemoveReply, Failure> {
        let app = run.app;
        // A refused request writes nothing, not even a lock.
        let meant = resolve_as_typed(app, &request.skill)?;
        let _guard = app.ports.journal.exclusive()?;
        // Another process may have renamed or removed the skill before it released the lock.
        let skill = resolve_as_typed(app, &request.skill)?;
        // The name may mean the home's skill by now.
        if skill.path != meant.path {
            return Err(Fault::no_such_skill(&request.skill).into());
        }
        let Some(source) = place_in_store(app, &skill) else {
            let message = format!("'{}' is not in a store", request.skill);
            let advice = format!(
                "run 'skc undeploy {}' to remove its builds from agents, and delete its folder yourself",
                argument(&request.skill)
            );
            return Err(Fault::refused_option(message, advice).into());
        };
        // The build and deployments under its name belong to a skill in an earlier store.
        let is_shadowed = shadowing(app, &skill).is_some();
        let deployed = if is_shadowed { Vec::new() } else { withdraw(app, &skill)? };
        let runtimes = if is_shadowed { Vec::new() } else { runtimes(app, &skill) };
        for folder in runtimes.iter().chain([&source]) {
            let entry = app.ports.trash.put(folder)?;
            if request.purge {
                app.ports.trash.delete(&entry)?;
            }
        }
        Ok(RemoveReply { skill: skill.name, source, runtimes, deployed, purged: request.purge })
    }
}

/// The runtimes with a build of this skill.
fn runtimes(app: &App, skill: &Skill) -> Vec<PathBuf> {
    let exists =
        |runtime: &Path| app.ports.deployer.look(runtime).is_ok_and(|found| found != Occupant::Nothing);
    of_name(app, &skill.name)
        .filter(|(scope, runtime)| exists(runtime) && is_of(app, skill, *scope, runtime))
        .map(|(_, runtime)| runtime)
        .collect()
}

impl Render for RemoveReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        for place in self.deployed.iter().chain(&self.runtimes).chain([&self.source]) {
            line(out, format!("{} {}", view.good("Removed"), view.path(place)));
        }
        if !self.purged {
            line(out, view.faint(format!("'skc undo' restores {}", plain(&self.skill))));
        }
    }
}
