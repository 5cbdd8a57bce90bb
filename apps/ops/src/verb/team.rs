//! `skc team` (RFC-0003:C-TEAM): the store that a team shares.

use crate::app::App;
use crate::compile::read_skill_file;
use crate::failure::Failure;
use crate::find::{MeaningModel, SearchError, embed_missing};
use crate::headings::outline_of;
use crate::local_logs::runtime_logs;
use crate::model::embedder;
use crate::operation::{Operation, Surface};
use crate::render::{Render, View, counted, line, plain};
use crate::resolve::resolve;
use crate::run::Run;
use crate::skill::Skill;
use crate::source::source_hash;
use crate::stores::skills_of;
use crate::team;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::Fault;
use skillc_domain::limits::HEADING_LEVEL_MAX;
use skillc_domain::listing::Scope;
use skillc_domain::team::{TeamCatalogEntry, TeamCatalogHeading, TeamStatus};
use std::collections::HashSet;

/// An action on the team store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TeamAction {
    /// Create or update its tables, rights and partitions; for its owner.
    Init,
    /// Show its content, and how many events this machine has not sent.
    Status,
    /// Publish name, description, digest and headings of skills in its catalog.
    Publish,
}

/// Set up and inspect a team store in PostgreSQL, and publish skills to its catalog.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TeamRequest {
    /// The action.
    #[arg(value_enum)]
    pub action: TeamAction,
    /// Names or paths of the skills to publish.
    #[serde(default)]
    pub skill: Vec<String>,
    /// Publish every skill of project and home.
    #[arg(long, conflicts_with = "skill")]
    #[serde(default)]
    pub all: bool,
}

/// The state of the store.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TeamState {
    /// Its identity, created by `init`.
    pub store: String,
    /// Version of the server.
    pub server_version: String,
    /// Version of the tables.
    pub schema: u32,
    /// How the connection is encrypted; empty when it is not.
    pub encryption: String,
    /// Events of all machines and organizations.
    pub events: u64,
    /// Events that wait for a partition of their month, which `skc team init` creates.
    pub events_unplaced: u64,
    /// Skills in the catalog.
    pub skills: u64,
    /// Vectors of skills in the catalog, of all models.
    pub vectors: u64,
    /// How vectors are compared: `pgvector` with its version, or `arrays`.
    pub vectors_by: String,
    /// First and last month that has a partition.
    pub months: Option<(String, String)>,
    /// Whether this user may add events.
    pub may_write: bool,
    /// The organization of this machine.
    pub org: String,
    /// Name of this machine.
    pub machine: String,
    /// Events here that the store has not confirmed yet.
    pub pending: u64,
}

/// A skill that was published.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Published {
    /// Its name.
    pub skill: String,
    /// Whether that changed the catalog.
    pub changed: bool,
}

/// The result of the action.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TeamReply {
    /// The server.
    pub address: String,
    /// Its state; not for `publish`.
    pub state: Option<TeamState>,
    /// The skills that were published; for `publish` only.
    pub published: Option<Vec<Published>>,
    /// Vectors added to the catalog; only for `publish` with a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vectors_added: Option<usize>,
    #[serde(skip)]
    is_init: bool,
}

/// Implements `skc team`.
pub struct Team;

impl Operation for Team {
    const NAME: &'static str = "team";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = false;
    const EXAMPLES: &'static str =
        "skc team init\nskc team status\nskc team publish my-skill\nskc team publish --all";
    type Request = TeamRequest;
    type Reply = TeamReply;

    async fn run(run: &mut Run<'_>, request: TeamRequest) -> Result<TeamReply, Failure> {
        let app = run.app;
        let team = team::TeamConnection::of(app)?;
        let is_publish = request.action == TeamAction::Publish;
        if !is_publish && (request.all || !request.skill.is_empty()) {
            return Err(Fault::invalid_option("only 'skc team publish' takes skills").into());
        }
        let mut reply = TeamReply {
            address: team.store.address(),
            state: None,
            published: None,
            vectors_added: None,
            is_init: request.action == TeamAction::Init,
        };
        match request.action {
            TeamAction::Init => reply.state = Some(state(app, &team, team.store.init().await).await?),
            TeamAction::Status => reply.state = Some(state(app, &team, team.store.status().await).await?),
            TeamAction::Publish => {
                let published = publish(run, &team, &request).await?;
                reply.vectors_added = add_vectors(app, &team, &published).await?;
                reply.published = Some(published);
            }
        }
        Ok(reply)
    }
}

async fn state(
    app: &App,
    team: &team::TeamConnection<'_>,
    status: Result<TeamStatus, skillc_ports::PortError>,
) -> Result<TeamState, Failure> {
    let status = status.map_err(|e| team.failure(e))?;
    let mut pending = 0;
    for local in runtime_logs(app, None)? {
        let log = app.ports.logs.at(&local.path);
        // The next sync reports an unreadable log.
        if let Ok(last) = log.acknowledged(&status.store).await {
            pending += log.count(last).await.unwrap_or_default();
        }
    }
    Ok(TeamState {
        store: status.store,
        server_version: status.server_version,
        schema: status.schema,
        encryption: status.encryption,
        events: status.events,
        events_unplaced: status.events_unplaced,
        skills: status.skills,
        vectors: status.vectors,
        vectors_by: match status.pgvector.as_str() {
            "" => "arrays".to_owned(),
            version => format!("pgvector {version}"),
        },
        months: status.months,
        may_write: status.may_write,
        org: team.origin.org.clone(),
        machine: team.origin.machine.clone(),
        pending,
    })
}

async fn publish(
    run: &mut Run<'_>,
    team: &team::TeamConnection<'_>,
    request: &TeamRequest,
) -> Result<Vec<Published>, Failure> {
    let mut published = Vec::new();
    for skill in asked_for(run, request)? {
        let entry = match entry(run, &skill).await {
            Ok(entry) => entry,
            Err(failure) => {
                run.part_failed(failure);
                continue;
            }
        };
        let changed = team.store.publish(&team.origin, &entry).await.map_err(|e| team.failure(e))?;
        published.push(Published { skill: skill.name, changed });
    }
    Ok(published)
}

/// Adds missing embeddings of published skills to the catalog, if a model is installed.
async fn add_vectors(
    app: &App,
    team: &team::TeamConnection<'_>,
    published: &[Published],
) -> Result<Option<usize>, Failure> {
    let model = match MeaningModel::of(embedder(app)) {
        Ok(model) => model,
        Err(error) => {
            app.call.detail(|| format!("no vectors: {error}"));
            return Ok(None);
        }
    };
    let index = team.store.skill_index(&team.origin);
    let ids: HashSet<&str> = published.iter().map(|skill| skill.skill.as_str()).collect();
    let is_complete =
        index.without_vector(&model.id, 1, Some(&ids)).await.map_err(|e| team.failure(e))?.is_empty();
    if is_complete {
        return Ok(Some(0));
    }
    match embed_missing(index.as_ref(), &model, &ids, None, app.call.progress.as_ref()).await {
        Ok(progress) => Ok(Some(progress.embedded)),
        Err(SearchError::Index(error)) => Err(team.failure(error)),
        Err(error @ SearchError::Model(_)) => Err(error.failure(app)),
    }
}

fn asked_for(run: &mut Run<'_>, request: &TeamRequest) -> Result<Vec<Skill>, Failure> {
    if request.all {
        let mut skills: Vec<Skill> = skills_of(run, Scope::Project)?;
        for skill in skills_of(run, Scope::Global)? {
            // If both stores contain a name, it means the project's skill, as everywhere.
            if !skills.iter().any(|known| known.name == skill.name) {
                skills.push(skill);
            }
        }
        return Ok(skills);
    }
    if request.skill.is_empty() {
        return Err(Fault::invalid_option("name the skills to publish, or give '--all'").into());
    }
    request.skill.iter().map(|given| resolve(run.app, given).map_err(Failure::from)).collect()
}

/// The catalog entry of a skill.
async fn entry(run: &mut Run<'_>, skill: &Skill) -> Result<TeamCatalogEntry, Failure> {
    let tree = run.app.ports.files.open(&skill.path)?;
    let head = read_skill_file(run.app, tree.as_ref(), &skill.path)?;
    let files = outline_of(run, skill, HEADING_LEVEL_MAX).await?;
    let headings = files.into_iter().flat_map(|file| {
        let name = file.file;
        file.headings.into_iter().map(move |heading| TeamCatalogHeading {
            file: name.clone(),
            level: heading.level,
            text: heading.text,
        })
    });
    Ok(TeamCatalogEntry {
        skill: skill.name.clone(),
        name: head.name,
        description: head.description,
        digest: source_hash(run.app, &skill.path)?.to_string(),
        headings: headings.collect(),
    })
}

impl Render for TeamReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        let address = view.strong(plain(&self.address));
        for published in self.published.iter().flatten() {
            let what = if published.changed { "Published" } else { "Unchanged" };
            line(out, format!("{what} '{}' in the catalog of {address}", plain(&published.skill)));
        }
        if self.published.as_ref().is_some_and(Vec::is_empty) {
            line(out, "Nothing to publish");
        }
        if let Some(state) = &self.state {
            if self.is_init {
                line(out, format!("Team store {address} is ready"));
            } else {
                line(out, format!("Team store {address}"));
            }
            state.render(view, out);
        }
    }
}

impl TeamState {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        let encryption = if self.encryption.is_empty() { "none" } else { &self.encryption };
        let months = self.months.as_ref().map_or("none".to_owned(), |(a, b)| format!("{a} to {b}"));
        let rights = if self.may_write { "may read and write" } else { "may read only" };
        let unplaced = match self.events_unplaced {
            0 => String::new(),
            n => format!(" ({n} wait for a partition: skc team init)"),
        };
        for (name, value) in [
            ("server", format!("PostgreSQL {}, schema {}, {rights}", self.server_version, self.schema)),
            ("encryption", encryption.to_owned()),
            ("events", format!("{}{unplaced}", self.events)),
            ("months", months),
            ("skills", self.skills.to_string()),
            ("vectors", format!("{}, compared by {}", self.vectors, self.vectors_by)),
            ("this side", format!("machine '{}', organization '{}'", self.machine, self.org)),
            ("to send", counted(self.pending, "event")),
        ] {
            line(out, format!("  {} {}", view.faint(format!("{name:<10}")), plain(&value)));
        }
    }
}
