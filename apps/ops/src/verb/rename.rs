//! `skc rename` (RFC-0007:C-RENAME).

use crate::failure::Failure;
use crate::mentioning::skills_mentioning;
use crate::operation::{Operation, Surface};
use crate::renaming::RenamePlan;
use crate::render::{Render, View, line, plain};
use crate::resolve::resolve_without_policy;
use crate::run::Run;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::{Fault, Warning};
use skillc_ports::ErrorKind;
use std::path::PathBuf;

/// Rename a skill in its store, with its builds, its log and its deployments.
///
/// Changes the name of the folder and 'name' in SKILL.md, and nothing else in it. Texts that mention the old name are
/// listed.
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
    /// Its new path in the store.
    pub source: PathBuf,
    /// New folders of its builds.
    pub runtimes: Vec<PathBuf>,
    /// Links and copies deployed under the old name, which were removed.
    pub removed: Vec<PathBuf>,
    /// Links and copies deployed under the new name.
    pub deployed: Vec<PathBuf>,
    /// Other skills whose text mentions the old name.
    pub mentioned_by: Vec<String>,
}

/// Implements `skc rename`.
pub struct Rename;

impl Operation for Rename {
    const NAME: &'static str = "rename";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = false;
    const EXAMPLES: &'static str = "skc rename my-skill release-notes";
    type Request = RenameRequest;
    type Reply = RenameReply;

    async fn run(run: &mut Run<'_>, request: RenameRequest) -> Result<RenameReply, Failure> {
        // A refused request writes nothing, not even a lock. A folder that another process moves meanwhile is looked up
        // again below. A refusal may mix the states before and after such a move, so the plan is made again.
        let plan = || RenamePlan::new(run.app, &request.skill, &request.name);
        let meant = match plan().or_else(|_| plan()) {
            Err(failure) if !failure.is(ErrorKind::NotFound) => return Err(failure),
            plan => plan.ok().map(|plan| plan.skill.path),
        };
        let _guard = run.app.ports.journal.exclusive()?;
        // Another process may have renamed or removed the skill before it released the lock.
        let rename = RenamePlan::new(run.app, &request.skill, &request.name)?;
        if meant.is_some_and(|path| path != rename.skill.path) {
            return Err(Fault::no_such_skill(&request.skill).into());
        }
        let renamed = rename.carry_out(run).await?;
        warn_of_rules(run, &rename.skill.name);
        Ok(RenameReply {
            source: rename.new_place(),
            runtimes: renamed.runtimes,
            removed: renamed.removed,
            deployed: renamed.deployed,
            mentioned_by: skills_mentioning(run.app, &rename.skill.name, &rename.renamed.path),
            skill: rename.renamed.name,
            old: rename.skill.name,
        })
    }
}

/// Warns about rules that contain the old name. They stay, since other skills may have that name.
fn warn_of_rules(run: &mut Run<'_>, old: &String) {
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
