//! `skc list` (RFC-0007:C-LIST).

use crate::app::App;
use crate::compile::TargetFolders;
use crate::failure::Failure;
use crate::first_steps::FirstSteps;
use crate::fresh_index::is_fresh;
use crate::operation::{Operation, Surface};
use crate::pattern::parse_pattern;
use crate::policy::is_disabled;
use crate::render::{Render, View, line, plain, summary, table_of_lines};
use crate::run::Run;
use crate::runtime::{index_of, manifest, reading, roll_forward};
use crate::skill::Skill;
use crate::source::{current_survey, hash_of};
use crate::stores::{described_skills_of, skipped};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::Fault;
use skillc_domain::listing::{Scope, Status};
use skillc_domain::manifest::Manifest;
use skillc_domain::survey::Survey;
use std::path::{Path, PathBuf};

/// Number of files, and of bytes in them, that are read and hashed in less than the 0.2 ms that opening an index takes.
const SMALL_FILES_MAX: usize = 12;
const SMALL_BYTES_MAX: u64 = 64 * 1024;

/// The stores to list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ScopeFilter {
    /// The project's.
    Project,
    /// The home's.
    Global,
    /// Both.
    #[default]
    All,
}

/// The skills to list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StatusFilter {
    /// Built ones.
    Normal,
    /// Those without a build.
    NotBuilt,
    /// Those whose sources changed since the build.
    Obsolete,
    /// Every one.
    #[default]
    All,
}

/// List the skills of the project and of the global store.
#[derive(Debug, Default, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListRequest {
    /// Only skills of this scope.
    #[arg(long, value_enum, default_value_t)]
    #[serde(default)]
    pub scope: ScopeFilter,
    /// Only skills of this status; `obsolete` implies --check-obsolete.
    #[arg(long, value_enum, default_value_t)]
    #[serde(default)]
    pub status: StatusFilter,
    /// Maximum number of skills.
    #[arg(short, long, value_name = "N")]
    #[schemars(range(min = 1))]
    pub limit: Option<u32>,
    /// Only skills whose name matches this glob pattern.
    #[arg(short, long, value_name = "GLOB")]
    pub pattern: Option<String>,
    /// Compare sources with what was built, to find obsolete builds.
    #[arg(long)]
    #[serde(default)]
    pub check_obsolete: bool,
}

/// A skill of a store.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ListedSkill {
    /// Its name.
    pub name: String,
    /// `project` or `global`.
    pub scope: String,
    /// `normal`, `not-built` or `obsolete`.
    pub status: String,
    /// Whether it is switched off, so that no agent sees it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub disabled: bool,
    /// Its description.
    pub description: String,
    /// The targets to which it is deployed.
    pub deployed: Vec<String>,
    /// Its source.
    pub source_path: PathBuf,
    /// Its runtime, which may not exist yet.
    pub runtime_path: PathBuf,
}

/// The skills of the stores.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ListReply {
    /// Project before global, by name within each.
    pub skills: Vec<ListedSkill>,
    /// Skills found.
    pub total: usize,
    /// Skills listed.
    pub filtered: usize,
    /// An overview, if there are none.
    #[serde(skip)]
    first_steps: Option<FirstSteps>,
}

/// Implements `skc list`.
pub struct List;

impl Operation for List {
    const NAME: &'static str = "list";
    const SURFACE: Surface = Surface::Everywhere;
    const IS_READ_ONLY: bool = true;
    const EXAMPLES: &'static str =
        "skc list\nskc list --scope project --status not-built\nskc list --check-obsolete --pattern 'rust-*'";
    type Request = ListRequest;
    type Reply = ListReply;

    async fn run(run: &mut Run<'_>, request: ListRequest) -> Result<ListReply, Failure> {
        let pattern = request.pattern.as_deref().map(parse_pattern).transpose()?;
        if request.limit == Some(0) {
            return Err(Fault::invalid_argument("limit", "must be at least 1, got 0").into());
        }
        let is_compared = request.check_obsolete || request.status == StatusFilter::Obsolete;
        let app = run.app.for_listing();
        let folders = TargetFolders::read(&app);
        let mut skills = Vec::new();
        let mut total = 0;
        for scope in [Scope::Project, Scope::Global] {
            for (skill, description) in described_skills_of(run, &app, scope)? {
                total += 1;
                let is_named = pattern.as_ref().is_none_or(|p| p.matches(&skill.name));
                if is_named && has_scope(request.scope, scope) {
                    match listed(&app, &skill, scope, is_compared).await {
                        Ok(listed) if has_status(request.status, &listed.status) => {
                            let deployed = folders.clients_of(&skill);
                            skills.push(ListedSkill { description, deployed, ..listed });
                        }
                        Ok(_) => {}
                        Err(failure) => run.warn(skipped(&skill.path, failure.fault.to_string())),
                    }
                }
            }
        }
        skills.truncate(request.limit.map_or(usize::MAX, |limit| limit as usize));
        let first_steps = if total == 0 { FirstSteps::of(run.app) } else { None };
        Ok(ListReply { filtered: skills.len(), skills, total, first_steps })
    }
}

fn has_scope(filter: ScopeFilter, scope: Scope) -> bool {
    match filter {
        ScopeFilter::Project => scope == Scope::Project,
        ScopeFilter::Global => scope == Scope::Global,
        ScopeFilter::All => true,
    }
}

fn has_status(filter: StatusFilter, status: &str) -> bool {
    match filter {
        StatusFilter::Normal => status == Status::Normal.word(),
        StatusFilter::NotBuilt => status == Status::NotBuilt.word(),
        StatusFilter::Obsolete => status == Status::Obsolete.word(),
        StatusFilter::All => true,
    }
}

/// A skill with its status, but without its description and deployments.
async fn listed(app: &App, skill: &Skill, scope: Scope, is_compared: bool) -> Result<ListedSkill, Failure> {
    let runtime = reading(app, skill);
    roll_forward(app, &runtime).await;
    let manifest = manifest(app, &runtime);
    let is_equal = match (&manifest, is_compared) {
        (Some(manifest), true) => Some(is_as_built(app, skill, &runtime, manifest).await?),
        _ => None,
    };
    let status = Status::judge(manifest.is_some(), is_equal);
    Ok(ListedSkill {
        name: skill.name.clone(),
        scope: scope.word().to_owned(),
        status: status.word().to_owned(),
        disabled: is_disabled(app, skill),
        description: String::new(),
        deployed: Vec::new(),
        source_path: skill.path.clone(),
        runtime_path: runtime,
    })
}

/// Whether the source still has the manifest's hash: confirmed by the stamps of the index if it has that hash,
/// otherwise by reading every file, which for a small skill takes less time than opening an index.
async fn is_as_built(app: &App, skill: &Skill, runtime: &Path, manifest: &Manifest) -> Result<bool, Failure> {
    let tree = app.ports.files.open(&skill.path)?;
    let survey = current_survey(tree.as_ref())?;
    if !is_small(&survey)
        && let Some(index) = app.ports.index.open(&index_of(app, runtime, skill)).await.present()
        && index.header().source_hash == manifest.source_hash
        && index.header().skill_path == skill.path_text()
        && let Ok(is_fresh) = is_fresh(index.as_ref(), tree.as_ref(), &survey).await
    {
        return Ok(is_fresh);
    }
    Ok(hash_of(app, tree.as_ref(), &survey)? == manifest.source_hash)
}

fn is_small(survey: &Survey) -> bool {
    let bytes: u64 = survey.files.iter().map(|file| file.stamp.size).sum();
    survey.files.len() <= SMALL_FILES_MAX && bytes <= SMALL_BYTES_MAX
}

impl Render for ListReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        if let Some(first_steps) = &self.first_steps {
            line(out, "No skills in the stores of this project and of your home.\n");
            return first_steps.render(view, out);
        }
        let rows: Vec<_> = self.skills.iter().map(|skill| row(view, skill)).collect();
        let heads: &[&str] = match view.is_verbose {
            true => &["SKILL", "SCOPE", "STATUS", "DEPLOYED TO", "SOURCE"],
            false => &["SKILL", "SCOPE", "STATUS", "DEPLOYED TO", "DESCRIPTION"],
        };
        line(out, table_of_lines(view, heads, &rows));
    }
}

fn row(view: &View, skill: &ListedSkill) -> Vec<String> {
    let state = match (skill.disabled, skill.status.as_str()) {
        (true, status) => view.faint(format!("{status}, disabled")),
        (false, "normal") => view.good("normal"),
        (false, "obsolete") => view.careful("obsolete"),
        (false, other) => view.faint(other),
    };
    let deployed = match skill.deployed.is_empty() {
        true => view.faint("-"),
        false => plain(&skill.deployed.join(", ")),
    };
    let mut cells = vec![plain(&skill.name), skill.scope.clone(), state, deployed];
    cells.push(match view.is_verbose {
        true => view.path(&skill.source_path),
        false => plain(&summary(&skill.description)),
    });
    cells
}
