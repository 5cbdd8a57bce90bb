//! A run of an operation: its warnings, the skills it used, and the log, which is only written here.

use crate::app::App;
use crate::context::Caller;
use crate::failure::Failure;
use crate::git_ignore;
use crate::policy::hidden_warning;
use crate::render::plain;
use crate::runtime;
use crate::skill::Skill;
use crate::team::TeamConnection;
use serde_json::{Map, Value};
use skillc_domain::config::LogStore;
use skillc_domain::event::{AccessEvent, EventId, EventTime, run_id};
use skillc_domain::fault::Warning;
use skillc_domain::limits::FALLBACK_LOG_AGE_S;
use skillc_domain::places::log_file;
use skillc_domain::text::shell::argument;
use skillc_domain::time::Timestamp;
use skillc_ports::{ErrorKind, PortError};
use std::path::{Path, PathBuf};
use std::slice;
use std::time::Instant;

/// The use of a skill by an operation, and its outcome.
#[derive(Debug)]
struct Use {
    skill: Skill,
    error: Option<String>,
    target: Option<String>,
    read: Option<(String, Option<String>)>,
    is_partial: bool,
    is_without_hit: bool,
    /// The runtime to log to, if the operation has chosen one.
    runtime: Option<PathBuf>,
}

/// The state of a running operation.
pub struct Run<'a> {
    /// The ports and the context of the call.
    pub app: &'a App,
    warnings: Vec<Warning>,
    failures: Vec<Failure>,
    uses: Vec<Use>,
    notes: Map<String, Value>,
    /// Names of skills whose interrupted publish was completed in this run.
    rolled_forward: Vec<String>,
}

/// The result of a finished run.
pub struct Outcome {
    /// Warnings, in order of occurrence.
    pub warnings: Vec<Warning>,
    /// Failures of parts, although the operation returned a reply.
    pub failures: Vec<Failure>,
}

impl<'a> Run<'a> {
    /// A run that has not used any skill yet.
    pub fn new(app: &'a App) -> Self {
        let (warnings, failures, uses, notes, rolled_forward) = Default::default();
        Self { app, warnings, failures, uses, notes, rolled_forward }
    }

    /// Adds a warning, without duplicates.
    pub fn warn(&mut self, warning: Warning) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Adds the failure of a part, without duplicates; the operation continues.
    pub fn part_failed(&mut self, failure: Failure) {
        if self.failures.iter().any(|known| known.fault == failure.fault) {
            return;
        }
        if let Some(last) = self.uses.last_mut() {
            last.error = Some(failure.fault.line());
        }
        self.failures.push(failure);
    }

    /// Records the use of a skill, which is logged as an event. Warns the user if the skill is hidden from agents.
    pub fn uses(&mut self, skill: &Skill) {
        if let Some(warning) = hidden_warning(self.app, skill).filter(|_| !self.app.call.is_agent()) {
            self.warn(warning);
        }
        self.loads(skill);
    }

    /// Like [`Self::uses`], for `load`, which refuses hidden skills to everyone.
    pub fn loads(&mut self, skill: &Skill) {
        self.uses.push(Use {
            skill: skill.clone(),
            error: None,
            target: None,
            read: None,
            is_partial: false,
            is_without_hit: false,
            runtime: None,
        });
    }

    /// Records the requested heading, path or query.
    pub fn asks_for(&mut self, target: &str) {
        if let Some(last) = self.uses.last_mut() {
            last.target = Some(target.to_owned());
        }
    }

    /// Records the file that is read, and the section if only that is read.
    pub fn reads(&mut self, file: &str, section: Option<&str>) {
        if let Some(last) = self.uses.last_mut() {
            last.read = Some((file.to_owned(), section.map(str::to_owned)));
        }
    }

    /// Records that only a part of the file is returned.
    pub fn reads_in_part(&mut self) {
        if let Some(last) = self.uses.last_mut() {
            last.is_partial = true;
        }
    }

    /// Records that a search found nothing.
    pub fn finds_nothing(&mut self) {
        if let Some(last) = self.uses.last_mut() {
            last.is_without_hit = true;
        }
    }

    /// Records a part that failed before it used a skill.
    pub fn part_refused(&mut self, failure: Failure) {
        self.failures.push(failure);
    }

    /// Sets the runtime in whose log the use is recorded; by default it is chosen at the end of the run.
    pub fn logs_in(&mut self, runtime: &Path) {
        if let Some(last) = self.uses.last_mut() {
            last.runtime = Some(runtime.to_owned());
        }
    }

    /// Adds a value that only the reply knows to the logged arguments.
    pub fn note(&mut self, key: &str, value: impl Into<Value>) {
        self.notes.insert(key.to_owned(), value.into());
    }

    /// Measures the duration of a step for `-v`.
    pub fn timed<T>(&self, what: &str, step: impl FnOnce() -> T) -> T {
        if !self.app.call.progress.wants_details() {
            return step();
        }
        let start = Instant::now();
        let done = step();
        self.app.call.progress.detail(&format!("{what}: {:.1} ms", start.elapsed().as_secs_f64() * 1e3));
        done
    }

    /// Ends the run: logs one event per skill used, with the command's error if it failed as a whole.
    pub async fn finish(
        mut self,
        command: &str,
        mut args: Map<String, Value>,
        failure: Option<&Failure>,
    ) -> Outcome {
        args.remove("skill");
        if let Caller::Agent(client) = &self.app.call.caller {
            args.insert("client".to_owned(), client.as_str().into());
        }
        args.append(&mut self.notes);
        for name in self.uses.iter().map(|used| used.skill.name.clone()).collect::<Vec<_>>() {
            self.roll_forward(&name).await;
        }
        if !self.uses.is_empty() {
            self.log(command, &Value::Object(args).to_string(), failure).await;
        }
        self.without_log()
    }

    /// Ends a part of another run, which logs the use.
    pub fn without_log(self) -> Outcome {
        Outcome { warnings: self.warnings, failures: self.failures }
    }

    /// Completes an interrupted publish of a skill, once per run. Every command that uses a skill does so, even a
    /// read-only one.
    pub async fn roll_forward(&mut self, name: &str) {
        if self.rolled_forward.iter().any(|done| done == name) {
            return;
        }
        self.rolled_forward.push(name.to_owned());
        for (_, runtime) in runtime::of_name(self.app, name) {
            runtime::roll_forward(self.app, &runtime).await;
        }
    }

    async fn log(&mut self, command: &str, args: &str, failure: Option<&Failure>) {
        let now = self.app.ports.clock.now();
        let run_id = self
            .app
            .call
            .environment
            .run_id
            .clone()
            .unwrap_or_else(|| run_id(now, self.app.ports.clock.random()));
        for used in std::mem::take(&mut self.uses) {
            let error = used.error.or_else(|| failure.map(|f| f.fault.line()));
            let (file, section) = match used.read.filter(|_| error.is_none()) {
                Some((file, section)) => (Some(file), section),
                None => (None, None),
            };
            let event = AccessEvent {
                event_id: EventId::new(now, self.app.ports.clock.random()),
                timestamp: EventTime::At(Timestamp::of(now)),
                run_id: run_id.clone(),
                command: command.to_owned(),
                skill: used.skill.name.clone(),
                skill_path: used.skill.path.to_string_lossy().into_owned(),
                cwd: self.app.call.places.cwd.to_string_lossy().into_owned(),
                args: args.to_owned(),
                is_partial: used.is_partial && file.is_some(),
                is_without_hit: used.is_without_hit && error.is_none(),
                is_supplement: false,
                error,
                target: used.target,
                file,
                section,
                has_invalid_args: false,
            };
            self.append(&used.skill, used.runtime, &event).await;
            self.remind_of_sync(&used.skill).await;
        }
    }

    /// Writes an event to the team store if that is configured, otherwise to the log of the runtime, otherwise to the
    /// fallback log, otherwise warns with W002. Logging never fails the command.
    async fn append(&mut self, skill: &Skill, runtime: Option<PathBuf>, event: &AccessEvent) {
        if self.is_with_team(event).await {
            return;
        }
        let primary = log_file(&runtime.unwrap_or_else(|| runtime::reading(self.app, skill)));
        let Err(error) = self.app.ports.logs.at(&primary).append(slice::from_ref(event)).await else {
            return;
        };
        self.app.call.detail(|| format!("log: {error}; using the fallback"));
        self.warn_if_damaged(&error, &primary, skill);
        let fallback = self.app.call.places.fallback_log(&skill.name);
        if let Err(error) = self.app.ports.logs.at(&fallback).append(slice::from_ref(event)).await {
            self.app.call.detail(|| format!("log: {error}"));
            self.warn_if_damaged(&error, &fallback, skill);
            self.warn(Warning::LoggingDisabled {});
        } else if let Some(skillc_dir) = self.app.call.places.fallback_logs().parent() {
            git_ignore::ensure(self.app, skillc_dir);
        }
    }

    fn warn_if_damaged(&mut self, error: &PortError, log: &Path, skill: &Skill) {
        if error.kind == ErrorKind::Corrupt {
            self.warn(Warning::BrokenLog { path: log.to_owned(), skill: plain(&argument(&skill.name)) });
        }
    }

    /// Whether the event went directly to the team store; otherwise a later sync sends it.
    async fn is_with_team(&self, event: &AccessEvent) -> bool {
        if self.app.call.settings.log_store != LogStore::Postgres {
            return false;
        }
        let Ok(team) = TeamConnection::of(self.app) else { return false };
        let done = team.log().append(slice::from_ref(event)).await;
        if let Err(error) = &done {
            self.app.call.detail(|| format!("log: {error}; using the local log"));
        }
        done.is_ok()
    }

    async fn remind_of_sync(&mut self, skill: &Skill) {
        let fallback = self.app.call.places.fallback_log(&skill.name);
        let Some(written_at) = self.app.ports.logs.at(&fallback).written_at().await else { return };
        let age_s = (self.app.ports.clock.now() - written_at) / 1_000_000_000;
        let is_warned = self.warnings.iter().any(|w| matches!(w, Warning::StaleLocalLogs { .. }));
        if age_s > FALLBACK_LOG_AGE_S && !is_warned {
            self.warn(Warning::StaleLocalLogs { skill: skill.name.clone() });
        }
    }
}
