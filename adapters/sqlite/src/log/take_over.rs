//! Migrates the rows of other programs and older versions: assigns ids, derives columns, and creates the indexes.
//!
//! A log with many such rows is rewritten. They are read in pages, each in a transaction of its own, so that no other
//! process waits. Until then, new events are appended to the unmigrated log, and counting scans its rows.

use super::append::{begin_wal, migrate_in_place};
use super::read::{LogLayout, LogSnapshot, read, rows_after};
use super::rewrite::{LogRewrite, copy_acknowledged, insert};
use super::schema::{is_large, unseen_rows};
use super::streamed_ids::StreamedIds;
use crate::connection::failure;
use skillc_fs::Identity;
use skillc_ports::{ErrorKind, LogPosition, Patience, PortError};
use std::path::Path;

/// Number of rows per transaction while others use the log.
const PAGE_ROWS: u32 = 5_000;
/// Maximum number of rows left for the moment in which the log is replaced: writing them takes less than a
/// millisecond.
const REST_ROWS_MAX: usize = 50;

/// How to migrate the rows of a log.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum MigrationPlan {
    /// There are no such rows, or so few that the next writer migrates them.
    #[default]
    None,
    /// The log is large, but few of its rows are another program's.
    InPlace,
    Rewrite,
}

/// Migrates the rows of a large log; returns their number. Returns 0 and changes nothing if there is nothing to do,
/// another process does it, or `patience` ends.
pub fn take_over(log: &Path, patience: &Patience) -> Result<u64, PortError> {
    let failed = |error| failure("write the log", log, error);
    let Some(old) = Identity::at(log) else { return Ok(0) };
    match read(log, migration_plan).map_err(failed)? {
        MigrationPlan::None => Ok(0),
        MigrationPlan::InPlace => migrate_in_place(log),
        // Other systems do not rename over an open file.
        MigrationPlan::Rewrite if !cfg!(unix) => migrate_in_place(log),
        MigrationPlan::Rewrite => match LogRewrite::begin(log) {
            Ok(Some(rewriting)) => {
                // Without WAL mode, writers wait while a page is read, and the mode can only change between two
                // pages.
                let _ = begin_wal(log);
                rewrite(log, old, &rewriting, patience)
            }
            Ok(None) => Ok(0),
            // Another user's log is only read.
            Err(error) if error.kind == ErrorKind::Denied => Ok(0),
            Err(error) => Err(error),
        },
    }
}

/// Whether `take_over` would change nothing.
pub fn has_nothing_to_do(log: &LogSnapshot) -> rusqlite::Result<bool> {
    migration_plan(log).map(|plan| plan == MigrationPlan::None)
}

fn migration_plan(log: &LogSnapshot) -> rusqlite::Result<MigrationPlan> {
    let is_outdated = matches!(log.layout, LogLayout::Other { .. });
    Ok(match is_outdated && is_large(&log.db)? {
        false => MigrationPlan::None,
        true if unseen_rows(&log.db)?.is_some() => MigrationPlan::InPlace,
        true => MigrationPlan::Rewrite,
    })
}

fn rewrite(log: &Path, old: Identity, rewriting: &LogRewrite, patience: &Patience) -> Result<u64, PortError> {
    let failed = |error| failure("write the log", log, error);
    let mut ids = read(log, StreamedIds::of).map_err(failed)?;
    let (mut count, mut last) = (0, LogPosition::MIN);
    let mut next_page = |is_enough: &dyn Fn(usize) -> bool| -> Result<_, PortError> {
        let page = read(log, |log| log.rows_after(last, PAGE_ROWS)).map_err(failed)?;
        let Some(end) = page.last().filter(|_| !is_enough(page.len())) else { return Ok(None) };
        (count, last) = (count + page.len() as u64, end.position);
        Ok(Some(ids.assign(page)))
    };
    let new = rewriting.new_log().map_err(failed)?;
    while let Some(page) = next_page(&|_| false)? {
        if patience.is_over() {
            return Ok(0);
        }
        new.insert(&page).map_err(failed)?;
    }
    let until = patience.clone();
    match new.finish(move || until.is_over()) {
        Err(_) if patience.is_over() => return Ok(0),
        finished => finished.map_err(failed)?,
    }
    // The rows that were added while the indexes were created.
    while let Some(page) = next_page(&|rows| rows <= REST_ROWS_MAX)? {
        rewriting.append(&page).map_err(failed)?;
    }
    let is_replaced = rewriting.replace(old, |db, new| {
        let mut after = last;
        loop {
            let page = ids.assign(rows_after(db, after, PAGE_ROWS)?);
            let Some(end) = page.last() else { return copy_acknowledged(db, new) };
            after = end.position;
            insert(new, &page)?;
        }
    })?;
    Ok(if is_replaced { count } else { 0 })
}
