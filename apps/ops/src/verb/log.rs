//! `skc log` (RFC-0003:C-PRIVACY): what users can do with the log itself.

use crate::app::App;
use crate::failure::Failure;
use crate::local_logs::{HISTORY, fallback_names, is_in_place, runtime_logs, unreadable};
use crate::operation::{Operation, Surface};
use crate::policy::{admit_name, is_refusal};
use crate::render::{Render, View, counted, line, plain};
use crate::resolve::resolve;
use crate::run::Run;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::Fault;
use skillc_domain::name::SkillName;
use skillc_domain::time::Timestamp;
use skillc_domain::usage::filter::instant;
use skillc_domain::usage::{SkillFilter, UsageFilter};
use skillc_ports::{Forget, ForgottenSpan, PortError, RepairedLog};
use std::path::PathBuf;

/// What to do with the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LogAction {
    /// Delete events permanently.
    Forget,
    /// Repair damaged logs: keep the events that can be read, and set the damaged files aside.
    Repair,
}

/// Delete what this machine has logged, or repair damaged logs. A team's store is not changed.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogRequest {
    /// The action.
    #[arg(value_enum)]
    pub action: LogAction,
    /// Only this skill, by name or path.
    pub skill: Option<String>,
    /// With forget: only events before this date (2026-01-31), time (2026-01-31T12:00:00Z) or span back from now (90d).
    #[arg(long, value_name = "TIME")]
    pub before: Option<String>,
}

/// A log from which something was deleted.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ForgottenLog {
    /// Name of the skill.
    pub skill: String,
    /// The log's file.
    pub path: PathBuf,
    /// Events that were deleted.
    pub events: u64,
}

/// A log that was repaired.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RepairedSkillLog {
    /// Name of the skill.
    pub skill: String,
    /// The log's file.
    pub path: PathBuf,
    /// Events that could be read.
    pub events: u64,
    /// Where the damaged file is now.
    pub aside: PathBuf,
}

/// What was deleted or repaired.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LogReply {
    /// Events that were deleted.
    pub forgotten: u64,
    /// The logs from which something was deleted.
    pub logs: Vec<ForgottenLog>,
    /// The logs that were repaired; of `repair`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repaired: Option<Vec<RepairedSkillLog>>,
}

/// Implements `skc log`.
pub struct Log;

impl Operation for Log {
    const NAME: &'static str = "log";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = false;
    const EXAMPLES: &'static str = "skc log forget my-skill\nskc log forget --before 2026-01-01\nskc log forget my-skill --before 90d\nskc log repair my-skill";
    type Request = LogRequest;
    type Reply = LogReply;

    async fn run(run: &mut Run<'_>, request: LogRequest) -> Result<LogReply, Failure> {
        if request.action == LogAction::Repair {
            return repair(run, &request).await;
        }
        let before = request.before.as_deref();
        let before = before
            .map(|value| instant("before", value, run.app.ports.clock.now()).map(Timestamp::of))
            .transpose()?;
        if request.skill.is_none() && before.is_none() {
            return Err(Fault::invalid_option("name a skill, or give '--before' with a date").into());
        }
        let (name, skill_path) = match request.skill.as_deref() {
            Some(given) => subject(run, given).await?,
            None => (None, None),
        };
        forget(run, name.as_deref(), &Forget { skill_path, skill: None, before }).await
    }
}

/// Name and path of the skill whose events are selected. A deleted skill is identified by its name only.
async fn subject(run: &Run<'_>, given: &str) -> Result<(Option<String>, Option<String>), Failure> {
    match resolve(run.app, given) {
        Ok(skill) => Ok((Some(skill.name.clone()), Some(skill.path_text()))),
        Err(fault) if is_refusal(&fault) => Err(fault.into()),
        Err(fault) => {
            let name = SkillName::parse(given)?;
            admit_name(run.app, name.as_str())?;
            let is_known = !runtime_logs(run.app, Some(name.as_str()))?.is_empty()
                || is_in_history(run.app, name.as_str()).await;
            if !is_known { Err(fault.into()) } else { Ok((Some(name.as_str().to_owned()), None)) }
        }
    }
}

/// Whether a skill of this name was imported from the history of an agent.
async fn is_in_history(app: &App, name: &str) -> bool {
    let filter = UsageFilter { skill: SkillFilter::Name(name.to_owned()), ..UsageFilter::default() };
    app.ports
        .logs
        .at(&app.call.places.history_log())
        .history(&filter)
        .await
        .is_ok_and(|found| !found.is_empty())
}

/// The logs of a skill, or of all skills: name and file. Fallback logs come first, so that a concurrent sync does not
/// move their events past a deletion.
async fn logs_of(app: &App, name: Option<&str>) -> Result<Vec<(String, PathBuf)>, Failure> {
    let mut logs: Vec<(String, PathBuf)> = Vec::new();
    for skill in fallback_names(app).await? {
        if name.is_none_or(|name| name == skill) && is_in_place(app, &skill) {
            let path = app.call.places.fallback_log(&skill);
            logs.push((skill, path));
        }
    }
    logs.extend(runtime_logs(app, name)?.into_iter().map(|log| (log.skill, log.path)));
    Ok(logs)
}

async fn forget(run: &mut Run<'_>, name: Option<&str>, what: &Forget) -> Result<LogReply, Failure> {
    let app = run.app;
    let mut reply = LogReply { forgotten: 0, logs: Vec::new(), repaired: None };
    for (skill, path) in logs_of(app, name).await? {
        match app.ports.logs.at(&path).forget(what).await {
            Ok(0) => {}
            Ok(events) => {
                reply.forgotten += events;
                reply.logs.push(ForgottenLog { skill, path, events });
            }
            Err(error) => run.part_failed(unreadable(&skill, &path, error)),
        }
    }
    match forget_history(app, name, what).await {
        Ok(0) => {}
        Ok(events) => {
            reply.forgotten += events;
            let path = app.call.places.history_log();
            reply.logs.push(ForgottenLog { skill: name.unwrap_or(HISTORY).to_owned(), path, events });
        }
        Err(error) => run.part_failed(unreadable(HISTORY, &app.call.places.history_log(), error)),
    }
    Ok(reply)
}

/// Deletes imported events, and records that they must not be imported again.
async fn forget_history(app: &App, name: Option<&str>, what: &Forget) -> Result<u64, PortError> {
    let log = app.ports.logs.at(&app.call.places.history_log());
    if log.written_at().await.is_none() {
        return Ok(0);
    }
    // All skills share this log, so a deleted skill is selected by its name.
    let skill = name.filter(|_| what.skill_path.is_none()).map(str::to_owned);
    let meant = Forget { skill: skill.clone(), ..what.clone() };
    let now = app.ports.clock.now();
    // `--before` is the first second that stays.
    let before = |before: Timestamp| before.unix_s().saturating_mul(1_000_000_000).saturating_sub(1);
    let until = what.before.map_or(now, before);
    let span = ForgottenSpan { skill: what.skill_path.clone().or(skill), until };
    app.ports.bookmarks.add_forgotten(&span)?;
    log.forget(&meant).await
}

async fn repair(run: &mut Run<'_>, request: &LogRequest) -> Result<LogReply, Failure> {
    if request.before.is_some() {
        return Err(Fault::invalid_option("'--before' is for 'forget'").into());
    }
    let app = run.app;
    let name = match request.skill.as_deref() {
        Some(given) => subject(run, given).await?.0,
        None => None,
    };
    let mut repaired = Vec::new();
    let mut logs = logs_of(app, name.as_deref()).await?;
    logs.push((HISTORY.to_owned(), app.call.places.history_log()));
    for (skill, path) in logs {
        match app.ports.logs.at(&path).repair().await {
            Ok(None) => {}
            Ok(Some(RepairedLog { events, aside })) => {
                repaired.push(RepairedSkillLog { skill, path, events, aside });
            }
            Err(error) => run.part_failed(error.into()),
        }
    }
    Ok(LogReply { forgotten: 0, logs: Vec::new(), repaired: Some(repaired) })
}

impl Render for LogReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        if let Some(repaired) = &self.repaired {
            return render_repaired(repaired, view, out);
        }
        for log in &self.logs {
            let path = view.faint(format!("({})", view.path(&log.path)));
            let events = counted(log.events, "event");
            line(out, format!("Forgot {events} of '{}' {path}", plain(&log.skill)));
        }
        if self.logs.is_empty() {
            line(out, "Nothing to forget");
        }
    }
}

fn render_repaired(repaired: &[RepairedSkillLog], view: &View, out: &mut Vec<u8>) {
    for log in repaired {
        let path = view.faint(format!("({})", view.path(&log.path)));
        let events = counted(log.events, "event");
        line(out, format!("Repaired the log of '{}', {events} kept {path}", plain(&log.skill)));
        line(out, format!("  the damaged file is now {}", view.path(&log.aside)));
    }
    if repaired.is_empty() {
        line(out, "Nothing to repair");
    }
}
