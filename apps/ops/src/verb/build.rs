//! `skc build` (RFC-0001).

use crate::app::App;
use crate::approval;
use crate::compile::{BuildOptions, BuiltAndDeployed, Deployed, build, import};
use crate::diagnostic::Diagnostic;
use crate::failure::Failure;
use crate::operation::{Operation, Surface};
use crate::render::{Render, View, line, plain};
use crate::resolve::resolve;
use crate::run::Run;
use crate::skill::Skill;
use crate::stores::folders_of;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::Fault;
use skillc_domain::listing::Scope;
use skillc_domain::name::SkillName;
use std::path::PathBuf;

/// Compile a skill to a short stub with a search index, and deploy it to agents.
///
/// A folder outside of all stores is imported first. Building again updates only what changed.
#[derive(Debug, Default, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BuildRequest {
    /// Name or path of the skill.
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    pub skill: Option<String>,
    /// Build every skill of the project, or of the global store outside a project or with --global.
    #[arg(long)]
    #[serde(default)]
    pub all: bool,
    /// Build into the global runtime and deploy for the user, wherever the source is.
    #[arg(short, long)]
    #[serde(default)]
    pub global: bool,
    /// Agents to deploy to, separated by commas (`skc targets` lists them), or folders [default: claude-code].
    #[arg(short, long, value_name = "TARGETS", value_delimiter = ',')]
    #[serde(default)]
    pub target: Vec<String>,
    /// Deploy a copy in place of a link.
    #[arg(long)]
    #[serde(default)]
    pub copy: bool,
    /// Replace what is in the way: a skill of the same name in the store, or anything else at the target.
    #[arg(short, long)]
    #[serde(default)]
    pub force: bool,
}

/// One skill that was built.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BuiltSkill {
    /// Its name.
    pub skill: String,
    /// `project` or `global`: the scope of its source.
    pub source_scope: String,
    /// Its source.
    pub source: PathBuf,
    /// `project` or `global`: the scope of its runtime and deployments.
    pub scope: String,
    /// Its runtime.
    pub runtime: PathBuf,
    /// Files of its source.
    pub files: usize,
    /// Whether anything had changed since the last build.
    pub changed: bool,
    /// Where it was deployed to.
    pub deployed: Vec<Deployed>,
}

/// One skill that could not be built.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FailedSkill {
    /// Its name.
    pub skill: String,
    /// The fault.
    #[serde(flatten)]
    pub fault: Diagnostic,
}

/// The built skills.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BuildReply {
    /// In the order of names.
    pub built: Vec<BuiltSkill>,
    /// With `all` only: what could not be built.
    pub failed: Vec<FailedSkill>,
}

/// The operation.
pub struct Build;

impl Operation for Build {
    const NAME: &'static str = "build";
    const SURFACE: Surface = Surface::Everywhere;
    const IS_READ_ONLY: bool = false;
    const IS_DESTRUCTIVE: bool = true;
    const EXAMPLES: &'static str = "skc build my-skill\nskc build my-skill --target claude,cursor\nskc build ./downloads/my-skill --global\nskc build --all";
    type Request = BuildRequest;
    type Reply = BuildReply;

    async fn run(run: &mut Run<'_>, request: BuildRequest) -> Result<BuildReply, Failure> {
        let options = BuildOptions {
            is_global: request.global,
            targets: request.target,
            is_copy: request.copy,
            is_forced: request.force,
        };
        match (request.skill, request.all) {
            (Some(_), true) => Err(Fault::invalid_option("give a skill or --all, not both").into()),
            (None, false) => Err(Fault::NothingToBuild {}.into()),
            (Some(given), false) => {
                let built = vec![build_one(run, &given, &options).await?];
                Ok(BuildReply { built, failed: Vec::new() })
            }
            (None, true) => build_all(run, &options).await,
        }
    }
}

async fn build_one(run: &mut Run<'_>, given: &str, options: &BuildOptions) -> Result<BuiltSkill, Failure> {
    let found = resolve(run.app, given)?;
    refuse_odd_name(run.app, &found)?;
    let skill = match found.scope {
        Some(_) => found,
        // Before the import there is no skill in a store, and no runtime in which to log.
        None => import(run, &found, store_for(run.app, options), options.is_forced)?,
    };
    run.uses(&skill);
    Ok(reply(build(run, &skill, options).await?))
}

/// A folder in a store with an invalid skill name gets no runtime, and is not imported into the store that contains it.
fn refuse_odd_name(app: &App, skill: &Skill) -> Result<(), Fault> {
    let is_odd = skill.scope.is_none() && app.call.places.scope_of(&skill.path).is_some();
    if is_odd { SkillName::parse(&skill.name).map(|_| ()) } else { Ok(()) }
}

/// The scope of an import: the project if there is one, otherwise or with `--global` the user.
fn store_for(app: &App, options: &BuildOptions) -> Scope {
    if options.is_global || app.call.places.project.is_none() { Scope::Global } else { Scope::Project }
}

async fn build_all(run: &mut Run<'_>, options: &BuildOptions) -> Result<BuildReply, Failure> {
    if options.is_forced {
        approval::demand(run.app)?;
    }
    let skills = skills_to_build(run.app, store_for(run.app, options))?;
    if skills.is_empty() {
        return Err(Fault::NothingToBuild {}.into());
    }
    run.app.call.progress.begin("building all skills", skills.len() as u64);
    let mut all = BuildReply { built: Vec::new(), failed: Vec::new() };
    for skill in &skills {
        run.uses(skill);
        let done = match refuse_odd_name(run.app, skill) {
            Ok(()) => build(run, skill, options).await,
            Err(fault) => Err(fault.into()),
        };
        match done {
            Ok(done) => all.built.push(reply(done)),
            Err(failure) => {
                all.failed.push(FailedSkill { skill: skill.name.clone(), fault: (&failure.fault).into() });
                run.part_failed(failure);
            }
        }
        run.app.call.progress.advance(1);
    }
    run.app.call.progress.end();
    Ok(all)
}

fn skills_to_build(app: &App, scope: Scope) -> Result<Vec<Skill>, Failure> {
    let mut skills = Vec::new();
    for folder in folders_of(app, scope)? {
        match resolve(app, &folder.to_string_lossy()) {
            Ok(skill) => skills.push(skill),
            Err(fault @ Fault::LinkInTheWay { .. }) => return Err(fault.into()),
            // A folder that is not a skill.
            Err(_) => {}
        }
    }
    Ok(skills)
}

fn reply(done: BuiltAndDeployed) -> BuiltSkill {
    let BuiltAndDeployed { built, deployed } = done;
    let source_scope = built.skill.scope.unwrap_or(built.scope).word().to_owned();
    BuiltSkill {
        skill: built.skill.name,
        source_scope,
        source: built.skill.path,
        scope: built.scope.word().to_owned(),
        runtime: built.runtime,
        files: built.files,
        changed: built.has_changed,
        deployed,
    }
}

impl Render for BuildReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        match self.built.as_slice() {
            [one] if self.failed.is_empty() => one.render(view, out),
            many => {
                let changed = many.iter().filter(|one| one.changed).count();
                for one in many.iter().filter(|one| one.changed || view.is_verbose) {
                    if view.is_verbose { one.render(view, out) } else { one.render_line(view, out) }
                }
                for failed in &self.failed {
                    let why = format!("error[{}]: {}", failed.fault.code, plain(&failed.fault.message));
                    line(out, format!("{} {}: {why}", view.bad("Failed"), view.strong(plain(&failed.skill))));
                }
                let failed = match self.failed.len() {
                    0 => String::new(),
                    failed => format!(", {}", view.bad(format!("{failed} failed"))),
                };
                line(out, format!("{changed} built, {} unchanged{failed}", many.len() - changed));
            }
        }
    }
}

impl BuiltSkill {
    /// One of many: its folders in one line.
    fn render_line(&self, view: &View, out: &mut Vec<u8>) {
        let places: Vec<String> = self.deployed.iter().map(|place| view.path(&place.path)).collect();
        let places = if places.is_empty() { String::new() } else { format!(": {}", places.join(", ")) };
        line(out, format!("{} {}{places}", view.good("Built"), view.strong(plain(&self.skill))));
    }

    fn render(&self, view: &View, out: &mut Vec<u8>) {
        let (done, files) = (if self.changed { "Built" } else { "Unchanged" }, self.files);
        let files = if files == 1 { "1 file".to_owned() } else { format!("{files} files") };
        line(out, format!("{} {} ({files})", view.good(done), view.strong(plain(&self.skill))));
        let row = |what: &str, path: &PathBuf, how: String| {
            format!("  {what:<8} {} {}", view.path(path), view.faint(format!("({how})")))
        };
        line(out, row("Source", &self.source, self.source_scope.clone()));
        line(out, row("Runtime", &self.runtime, self.scope.clone()));
        for place in &self.deployed {
            line(
                out,
                row("Deploy", &place.path, format!("{}, {}, {}", self.scope, place.target, place.method)),
            );
        }
    }
}
