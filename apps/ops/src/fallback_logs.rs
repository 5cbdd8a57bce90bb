//! Moves the events of fallback logs to the logs that they belong to (RFC-0007:C-SYNC).

use crate::app::App;
use crate::failure::Failure;
use crate::git_ignore;
use crate::local_logs::{destination, is_in_place};
use crate::run::Run;
use skillc_domain::event::AccessEvent;
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::limits::SYNC_BATCH_EVENTS;
use skillc_ports::{LocalLog, LogPosition, LoggedEvent};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A fallback log whose events were moved.
pub struct MergedLog {
    /// Number of events.
    pub entries: u64,
    /// Whether its files were deleted.
    pub is_removed: bool,
}

/// Moves one fallback log of the working directory of `app`: copies it, then deletes it if nothing was appended in
/// the meantime. If the process is killed in between, both logs contain the rows, and the next call recognizes them
/// by id.
///
/// # Errors
/// E042 if the log cannot be read, E041 for a destination that cannot be written.
pub async fn merge(run: &mut Run<'_>, app: &App, name: &str) -> Result<MergedLog, Failure> {
    let path = app.call.places.fallback_log(name);
    let unreadable = || Fault::SyncSource { path: path.to_path_buf() };
    if !is_in_place(app, name) {
        return Err(unreadable().into());
    }
    let log = app.ports.logs.at(&path);
    let mut entries = 0;
    // Another program may have written any position to the log.
    let mut last = LogPosition::MIN;
    loop {
        let rows =
            log.events(last, SYNC_BATCH_EVENTS).await.map_err(|e| Failure::because(unreadable(), e))?;
        let Some(end) = rows.last().map(|row| row.position) else {
            match removed(run, log.as_ref(), last, &path, app).await {
                Some(is_removed) => return Ok(MergedLog { entries, is_removed }),
                None => continue,
            }
        };
        entries += rows.len() as u64;
        last = end;
        deliver(app, name, rows).await?;
    }
}

/// The logs that the events of a fallback log belong to.
///
/// # Errors
/// E042 if it cannot be read.
pub async fn destinations(app: &App, name: &str) -> Result<BTreeSet<PathBuf>, Failure> {
    let path = app.call.places.fallback_log(name);
    let log = app.ports.logs.at(&path);
    let (mut found, mut last) = (BTreeSet::new(), LogPosition::MIN);
    loop {
        let rows = log.events(last, SYNC_BATCH_EVENTS).await;
        let rows = rows.map_err(|e| Failure::because(Fault::SyncSource { path: path.to_path_buf() }, e))?;
        let Some(end) = rows.last().map(|row| row.position) else { return Ok(found) };
        found.extend(rows.iter().map(|row| destination(app, name, &row.event.skill_path)));
        last = end;
    }
}

/// Appends rows to their runtimes' logs.
async fn deliver(app: &App, name: &str, rows: Vec<LoggedEvent>) -> Result<(), Failure> {
    let mut by_source: BTreeMap<String, Vec<AccessEvent>> = BTreeMap::new();
    for row in rows {
        by_source.entry(row.event.skill_path.clone()).or_default().push(row.event);
    }
    for (source, events) in by_source {
        let path = destination(app, name, &source);
        let unwritable = || Fault::SyncDestination { path: path.to_path_buf() };
        app.ports.logs.at(&path).append(&events).await.map_err(|e| Failure::because(unwritable(), e))?;
    }
    Ok(())
}

/// Deletes the files of a log that was copied; `None` if something was appended in the meantime.
async fn removed(
    run: &mut Run<'_>,
    log: &dyn LocalLog,
    last: LogPosition,
    path: &Path,
    app: &App,
) -> Option<bool> {
    if let Some(skillc_dir) = app.call.places.fallback_logs().parent() {
        git_ignore::remove_with_last_log(app, skillc_dir);
    }
    match log.retire(last, &app.call.places.cwd).await {
        Ok(true) => Some(true),
        Ok(false) => None,
        Err(error) => {
            app.call.detail(|| format!("log: {error}"));
            run.warn(Warning::LocalLogsLeft { path: path.to_path_buf() });
            Some(false)
        }
    }
}
