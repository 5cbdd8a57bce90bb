//! `skc build` (RFC-0001).

use crate::app::App;
use crate::approval;
use crate::compile::{BuildOptions, BuiltAndDeployed, Deployed, Import, build, import};
use crate::diagnostic::Diagnostic;
use crate::failure::Failure;
use crate::lint::chosen::named;
use crate::one_or_many::one_or_many;
use crate::operation::{Operation, Surface};
use crate::render::{Render, View, line, plain};
use crate::resolve::{resolve, shadowing, source_or_itself, typed};
use crate::run::Run;
use crate::skill::Skill;
use crate::stores::{folders_of, same_names, skipped};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::listing::Scope;
use skillc_domain::name::SkillName;
use skillc_domain::reader::Wording;
use std::path::{Path, PathBuf};

/// Compile a skill to a short stub with a search index, and deploy it to agents.
///
/// A folder outside of all stores is imported first. Building again updates only what changed.
#[derive(Debug, Default, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BuildRequest {
    /// Names or paths of skills; a SKILL.md stands for its skill.
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    #[serde(default, deserialize_with = "one_or_many")]
    pub skill: Vec<String>,
    /// Build every skill of the project, or of the global store outside a project or with --global.
    #[arg(long)]
    #[serde(default)]
    pub all: bool,
    /// Build into the global runtime and deploy for the user, wherever the source is.
    #[arg(short, long)]
    #[serde(default)]
    pub global: bool,
    /// Agents to deploy to, as `skc targets` lists them [default: claude-code].
    #[arg(short, long, value_name = "TARGETS", value_delimiter = ',')]
    #[serde(default)]
    pub target: Vec<String>,
    /// Deploy a copy instead of a link.
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
    /// What was copied into the store for it; null for a skill that was built where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imported: Option<ImportedFolder>,
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

/// The folder outside the stores from which the source was copied.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ImportedFolder {
    /// The folder.
    pub from: PathBuf,
    /// `copied`; `updated`, with the former copy in the trash; or `unchanged`.
    pub change: String,
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
    /// In the order of names, or as they were given.
    pub built: Vec<BuiltSkill>,
    /// Of several skills, those that could not be built.
    pub failed: Vec<FailedSkill>,
}

/// Implements `skc build`.
pub struct Build;

impl Operation for Build {
    const NAME: &'static str = "build";
    const SURFACE: Surface = Surface::Everywhere;
    const IS_READ_ONLY: bool = false;
    const IS_DESTRUCTIVE: bool = true;
    const EXAMPLES: &'static str = "skc build my-skill\nskc build skills/*\nskc build my-skill --target claude,cursor\nskc build ./downloads/my-skill --global\nskc build --all";
    type Request = BuildRequest;
    type Reply = BuildReply;

    async fn run(run: &mut Run<'_>, request: BuildRequest) -> Result<BuildReply, Failure> {
        let options = BuildOptions {
            is_global: request.global,
            targets: request.target,
            is_copy: request.copy,
            is_forced: request.force,
        };
        match (request.skill.as_slice(), request.all) {
            ([_, ..], true) => Err(Fault::invalid_option(Wording::new(|to| {
                format!("give skills or {}, not both", to.argument("all"))
            }))
            .into()),
            ([], false) => Err(Fault::NothingToBuild {}.into()),
            ([given], false) => {
                let built = vec![build_one(run, given, &options).await?];
                Ok(BuildReply { built, failed: Vec::new() })
            }
            (several, false) => build_several(run, several, &options).await,
            ([], true) => build_all(run, &options).await,
        }
    }
}

/// A skill to build, and the import that brought it into a store.
struct Prepared {
    skill: Skill,
    imported: Option<ImportedFolder>,
}

/// Finds a skill, and imports it if it is not in a store.
fn prepare(run: &mut Run<'_>, given: &str, options: &BuildOptions) -> Result<Prepared, Failure> {
    let found = match named(run.app, given)?.as_slice() {
        [found] => source_or_itself(run.app, found.clone())?,
        _ => resolve(run.app, given)?,
    };
    refuse_odd_name(run.app, &found)?;
    refuse_taken_name(run.app, &found)?;
    if found.scope.is_some() {
        return Ok(Prepared { skill: found, imported: None });
    }
    let Import { skill, from, change } = import(run, &found, store_for(run.app, options), options.is_forced)?;
    Ok(Prepared { skill, imported: Some(ImportedFolder { from, change: change.word().to_owned() }) })
}

/// Refuses a skill whose name is taken, since the runtime belongs to the skill that has the name.
fn refuse_taken_name(app: &App, skill: &Skill) -> Result<(), Fault> {
    match shadowing(app, skill) {
        Some(path) => Err(taken(&skill.name, &path)),
        None => Ok(()),
    }
}

fn taken(name: &str, path: &Path) -> Fault {
    Fault::NameTaken { name: name.to_owned(), path: path.to_owned() }
}

async fn build_several(
    run: &mut Run<'_>,
    given: &[String],
    options: &BuildOptions,
) -> Result<BuildReply, Failure> {
    if options.is_forced {
        approval::demand(run.app)?;
    }
    run.app.call.progress.begin("building skills", given.len() as u64);
    let mut reply = BuildReply { built: Vec::new(), failed: Vec::new() };
    for word in given {
        match prepare(run, word, options) {
            Ok(prepared) if reply.built.iter().any(|done| done.source == prepared.skill.path) => {}
            Ok(prepared) => build_part(run, prepared, options, &mut reply).await,
            // `skills/*` matches more than skills.
            Err(_) if run.app.ports.stores.is_file(&typed(run.app, word)) => {
                run.warn(Warning::FileInNoSkill { path: word.clone() });
            }
            Err(failure) => {
                reply.failed.push(FailedSkill::new(word, &failure));
                run.part_refused(failure);
            }
        }
        run.app.call.progress.advance(1);
    }
    run.app.call.progress.end();
    Ok(reply)
}

/// Builds one of several skills.
async fn build_part(run: &mut Run<'_>, prepared: Prepared, options: &BuildOptions, all: &mut BuildReply) {
    let Prepared { skill, imported } = prepared;
    run.uses(&skill);
    match build(run, &skill, options).await {
        Ok(done) => all.built.push(reply(done, imported)),
        Err(failure) => {
            all.failed.push(FailedSkill::new(&skill.name, &failure));
            run.part_failed(failure);
        }
    }
}

async fn build_one(run: &mut Run<'_>, given: &str, options: &BuildOptions) -> Result<BuiltSkill, Failure> {
    // Until it is imported, it is not one of our skills and has no runtime to log to.
    let Prepared { skill, imported } = prepare(run, given, options)?;
    run.uses(&skill);
    Ok(reply(build(run, &skill, options).await?, imported))
}

/// Refuses a folder in a store whose name is not a valid skill name. It gets no runtime, and is not imported into its
/// own store.
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
    let scope = store_for(run.app, options);
    let skills = skills_to_build(run.app, scope)?;
    for (folder, holder) in same_names(run.app, scope)? {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        run.warn(skipped(&folder, taken(&name, &holder).to_string()));
    }
    if skills.is_empty() {
        return Err(Fault::NothingToBuild {}.into());
    }
    run.app.call.progress.begin("building all skills", skills.len() as u64);
    let mut all = BuildReply { built: Vec::new(), failed: Vec::new() };
    for skill in skills {
        match refuse_odd_name(run.app, &skill) {
            Ok(()) => build_part(run, Prepared { skill, imported: None }, options, &mut all).await,
            Err(fault) => {
                run.uses(&skill);
                let failure = Failure::from(fault);
                all.failed.push(FailedSkill::new(&skill.name, &failure));
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

impl FailedSkill {
    fn new(skill: &str, failure: &Failure) -> Self {
        Self { skill: skill.to_owned(), fault: (&failure.fault).into() }
    }
}

fn reply(done: BuiltAndDeployed, imported: Option<ImportedFolder>) -> BuiltSkill {
    let BuiltAndDeployed { built, deployed } = done;
    let source_scope = built.skill.scope.unwrap_or(built.scope).word().to_owned();
    BuiltSkill {
        skill: built.skill.name,
        source_scope,
        source: built.skill.path,
        imported,
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
    /// Renders one of many skills: its folders in one line.
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
        if let Some(ImportedFolder { from, change }) = &self.imported {
            line(out, row("Import", from, change.clone()));
        }
        line(out, row("Source", &self.source, self.source_scope.clone()));
        line(out, row("Runtime", &self.runtime, self.scope.clone()));
        for place in &self.deployed {
            let agents = [&[place.target.clone()][..], &place.shared_with].concat().join(", ");
            line(out, row("Deploy", &place.path, format!("{}, {agents}, {}", self.scope, place.method)));
        }
    }
}
