//! Counting in SQL: over the indexes of a log of ours, or by going through the rows.

use super::conditions::Conditions;
use super::covered;
use super::read::{Layout, Reading};
use super::scan::{self, Scan};
use super::schema::FLAWED;
use super::select::number;
use super::tallies::Tallies;
use skillc_domain::usage::{Flawed, Usage, UsageFilter, UsageQuery};

/// Counts events.
pub fn usage(log: &Reading, query: &UsageQuery) -> rusqlite::Result<Usage> {
    let mut tallies = Tallies::default();
    match &log.layout {
        Layout::Empty => {}
        Layout::Ours => {
            let rows = format!("access_log INDEXED BY {FLAWED}");
            tallies.flawed(flawed(log, &rows, &query.filter)?);
            covered::count(&log.db, query, &mut tallies)?;
        }
        Layout::Other { rows, .. } => {
            tallies.flawed(flawed(log, rows, &query.filter)?);
            let scan = Scan {
                from: rows.clone(),
                conditions: Conditions::of(&query.filter),
                is_period_known: false,
            };
            scan::count(&log.db, &scan, query, &mut tallies)?;
        }
    }
    Ok(tallies.finish())
}

/// Rows whose time cannot be read are counted whatever time is asked for.
fn flawed(log: &Reading, rows: &str, filter: &UsageFilter) -> rusqlite::Result<Flawed> {
    let mut in_time = Conditions::default();
    in_time.and("flaws = 1", []);
    in_time.time(filter);
    let mut meant = Conditions::default();
    meant.and("flaws > 0", []);
    meant.skill(&filter.skill);
    meant.projects(&filter.projects);
    let sql = format!(
        "SELECT count(*) FILTER (WHERE flaws & 2), count(*) FILTER (WHERE {in_time}) FROM {rows} WHERE {meant}"
    );
    log.db.query_row(&sql, in_time.followed_by(&meant), |row| {
        Ok(Flawed { timestamps: number(row, 0)?, arguments: number(row, 1)? })
    })
}
