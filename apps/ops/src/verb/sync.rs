//! `skc sync` (RFC-0007:C-SYNC): moves events from fallback logs to their runtimes' logs, and sends those to the
//! team.

use crate::app::App;
use crate::failure::Failure;
use crate::fallback_logs::{MergedLog, merge};
use crate::local_logs::{HISTORY, RuntimeLog, fallback_names, is_in_place, places_from, runtime_logs};
use crate::operation::{Operation, Surface};
use crate::policy::admit_name;
use crate::render::{Render, View, line, plain};
use crate::resolve::typed;
use crate::run::Run;
use crate::team::TeamConnection;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::event::AccessEvent;
use skillc_domain::fault::Fault;
use skillc_domain::limits::SYNC_BATCH_EVENTS;
use skillc_domain::name::SkillName;
use skillc_ports::LogPosition;

/// Move the events of fallback logs below the working directory to their runtimes' logs.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SyncRequest {
    /// Only the logs of this skill.
    pub skill: Option<String>,
    /// Search below this folder instead of the working directory.
    #[arg(long, value_name = "PATH")]
    pub project: Option<String>,
    /// Show what would be done, without doing it.
    #[arg(long)]
    #[serde(default)]
    pub dry_run: bool,
    /// Then send the events of project and home that the team store lacks.
    #[arg(long)]
    #[serde(default)]
    pub team: bool,
}

/// A fallback log.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SyncedLog {
    /// Name of the skill.
    pub skill: String,
    /// Events in it.
    pub entries: u64,
    /// Whether its files were deleted.
    pub removed: bool,
}

/// The events of one log that were sent to the team.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SentLog {
    /// Name of the skill.
    pub skill: String,
    /// Events that were sent, or would be.
    pub entries: u64,
    /// Those that were new to the team.
    pub new: u64,
}

/// What was sent to the team.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SentToTeam {
    /// The server.
    pub address: String,
    /// One entry per log that had something to send.
    pub logs: Vec<SentLog>,
    #[serde(skip)]
    is_any_failed: bool,
}

/// What was moved.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SyncReply {
    /// Whether this was a dry run.
    pub dry_run: bool,
    /// The fallback logs, by name; those that failed are omitted.
    pub synced: Vec<SyncedLog>,
    /// With `--team`.
    pub team: Option<SentToTeam>,
    #[serde(skip)]
    is_any_failed: bool,
}

/// Implements `skc sync`.
pub struct Sync;

impl Operation for Sync {
    const NAME: &'static str = "sync";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = false;
    const EXAMPLES: &'static str = "skc sync\nskc sync my-skill --dry-run\nskc sync --team";
    type Request = SyncRequest;
    type Reply = SyncReply;

    async fn run(run: &mut Run<'_>, request: SyncRequest) -> Result<SyncReply, Failure> {
        let named = request.skill.as_deref().map(SkillName::parse).transpose()?;
        let named = named.as_ref().map(SkillName::as_str);
        named.map_or(Ok(()), |name| admit_name(run.app, name))?;
        let app = &at_project(run.app, request.project.as_deref())?;
        let team = if request.team { Some(TeamConnection::of(run.app)?) } else { None };
        let mut names = fallback_names(app).await?;
        names.retain(|name| named.is_none_or(|named| named == name));
        if named.is_some() && names.is_empty() && team.is_none() {
            return Err(Fault::NoLocalLogs {}.into());
        }
        let mut reply =
            SyncReply { dry_run: request.dry_run, synced: Vec::new(), team: None, is_any_failed: false };
        for name in names {
            match sync(run, app, &name, request.dry_run).await {
                Ok(synced) => reply.synced.push(synced),
                Err(failure) => {
                    reply.is_any_failed = true;
                    run.part_failed(failure);
                }
            }
        }
        if let Some(team) = team {
            // Events moved and sent before a failure are still reported.
            reply.team = Some(send(run, app, &team, named, request.dry_run).await);
        }
        Ok(reply)
    }
}

/// The app in another working directory.
fn at_project(app: &App, project: Option<&str>) -> Result<App, Fault> {
    let Some(project) = project else { return Ok(app.clone()) };
    let cwd = app.ports.stores.real_path(&typed(app, project));
    if !app.ports.stores.is_folder(&cwd) {
        return Err(Fault::invalid_option(format!("--project {project} is not a folder")));
    }
    let mut there = app.clone();
    there.call.places = places_from(app, &cwd);
    Ok(there)
}

/// Moves one fallback log, or counts its events.
async fn sync(run: &mut Run<'_>, app: &App, name: &str, is_dry: bool) -> Result<SyncedLog, Failure> {
    if !is_dry {
        let MergedLog { entries, is_removed } = merge(run, app, name).await?;
        return Ok(SyncedLog { skill: name.to_owned(), entries, removed: is_removed });
    }
    let path = app.call.places.fallback_log(name);
    let unreadable = || Fault::SyncSource { path: path.to_path_buf() };
    if !is_in_place(app, name) {
        return Err(unreadable().into());
    }
    let counted = app.ports.logs.at(&path).count(LogPosition::MIN).await;
    let entries = counted.map_err(|e| Failure::because(unreadable(), e))?;
    Ok(SyncedLog { skill: name.to_owned(), entries, removed: false })
}

/// Sends events that the team has not confirmed, log by log. An unreadable log is skipped; a failing server ends the
/// sync.
async fn send(
    run: &mut Run<'_>,
    app: &App,
    team: &TeamConnection<'_>,
    named: Option<&str>,
    is_dry: bool,
) -> SentToTeam {
    let mut sent = SentToTeam { address: team.store.address(), logs: Vec::new(), is_any_failed: false };
    let logs = runtime_logs(app, named).map_err(Failure::from).map(|mut logs| {
        // Unless the user shares it, what agents recorded stays on this machine.
        if app.call.settings.history.is_shared && named.is_none() {
            logs.push(RuntimeLog { skill: HISTORY.to_owned(), path: app.call.places.history_log() });
        }
        logs
    });
    let store = team.store.status().await.map(|status| status.store).map_err(|e| team.failure(e));
    let (logs, store) = match (logs, store) {
        (Ok(logs), Ok(store)) => (logs, store),
        (Err(failure), _) | (_, Err(failure)) => {
            sent.fails(run, failure);
            return sent;
        }
    };
    for local in logs {
        let mut one = SentLog { skill: local.skill.clone(), entries: 0, new: 0 };
        let done = send_log(app, team, &store, &local, is_dry, &mut one).await;
        app.call.detail(|| format!("team: {} events of {}", one.entries, local.path.display()));
        if one.entries > 0 {
            sent.logs.push(one);
        }
        match done {
            Ok(()) => {}
            Err(Stop::ThisLog(failure)) => sent.fails(run, failure),
            Err(Stop::All(failure)) => {
                sent.fails(run, failure);
                break;
            }
        }
    }
    sent
}

/// A failure that ends sending.
enum Stop {
    ThisLog(Failure),
    All(Failure),
}

/// Sends the events of one log, batch by batch, and counts them.
async fn send_log(
    app: &App,
    team: &TeamConnection<'_>,
    store: &str,
    local: &RuntimeLog,
    is_dry: bool,
    sent: &mut SentLog,
) -> Result<(), Stop> {
    let unreadable = |e| Stop::ThisLog(Failure::because(Fault::SyncSource { path: local.path.clone() }, e));
    let log = app.ports.logs.at(&local.path);
    let mut last = log.acknowledged(store).await.map_err(unreadable)?;
    if is_dry {
        sent.entries = log.count(last).await.map_err(unreadable)?;
        return Ok(());
    }
    loop {
        let rows = log.events(last, SYNC_BATCH_EVENTS).await.map_err(unreadable)?;
        let Some(end) = rows.last().map(|row| row.position) else { return Ok(()) };
        // Events that are not accesses are meaningless to a team.
        let events = rows.into_iter().map(|row| row.event).filter(|event| !event.is_supplement);
        let events: Vec<AccessEvent> = events.collect();
        sent.new += team.log().append(&events).await.map_err(|e| Stop::All(team.failure(e)))?;
        sent.entries += events.len() as u64;
        log.acknowledge(store, end).await.map_err(|e| Stop::ThisLog(e.into()))?;
        last = end;
    }
}

impl Render for SyncReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        for log in &self.synced {
            let (name, entries) = (plain(&log.skill), log.entries);
            match (self.dry_run, log.removed) {
                (true, _) => line(out, format!("Would sync {entries} entries for '{name}'")),
                (false, true) => {
                    line(out, format!("Synced {entries} entries for '{name}' (local logs removed)"));
                }
                (false, false) => line(out, format!("Synced {entries} entries for '{name}'")),
            }
        }
        if self.synced.is_empty() && !self.is_any_failed {
            line(out, "No local logs to sync");
        }
        if let Some(team) = &self.team {
            team.render(self.dry_run, view, out);
        }
    }
}

impl SentToTeam {
    fn fails(&mut self, run: &mut Run<'_>, failure: Failure) {
        self.is_any_failed = true;
        run.part_failed(failure);
    }

    fn render(&self, is_dry: bool, view: &View, out: &mut Vec<u8>) {
        let address = view.strong(plain(&self.address));
        for log in &self.logs {
            let (name, entries) = (plain(&log.skill), log.entries);
            let known = entries.saturating_sub(log.new);
            let note = if known > 0 { format!(" ({known} were already there)") } else { String::new() };
            match is_dry {
                true => line(out, format!("Would send {entries} entries for '{name}' to {address}")),
                false => line(out, format!("Sent {entries} entries for '{name}' to {address}{note}")),
            }
        }
        if self.logs.is_empty() && !self.is_any_failed {
            line(out, format!("Nothing new for {address}"));
        }
    }
}
