//! Answers usage queries: from indexes for logs with the current schema, otherwise by scanning rows.

use super::conditions::Conditions;
use super::indexed;
use super::read::{LogLayout, LogSnapshot};
use super::row::number;
use super::row_scan::{self, RowScan};
use super::schema::FLAWED;
use super::usage_builder::UsageBuilder;
use skillc_domain::usage::{ParseIssues, Usage, UsageFilter, UsageQuery};

pub fn usage(log: &LogSnapshot, query: &UsageQuery) -> rusqlite::Result<Usage> {
    let mut usage = UsageBuilder::default();
    match &log.layout {
        LogLayout::Empty => {}
        LogLayout::Current => {
            let rows = format!("access_log INDEXED BY {FLAWED}");
            usage.set_issues(count_issues(log, &rows, &query.filter)?);
            indexed::count(&log.db, query, &mut usage)?;
        }
        LogLayout::Other { rows, .. } => {
            usage.set_issues(count_issues(log, rows, &query.filter)?);
            let scan = RowScan {
                from: rows.clone(),
                conditions: Conditions::of(&query.filter),
                is_period_known: false,
            };
            row_scan::count(&log.db, &scan, query, &mut usage)?;
        }
    }
    Ok(usage.finish())
}

/// Counts rows with issues. Rows with an invalid timestamp count regardless of the time span.
fn count_issues(log: &LogSnapshot, rows: &str, filter: &UsageFilter) -> rusqlite::Result<ParseIssues> {
    let mut in_time = Conditions::default();
    in_time.and("flaws & 3 = 1", []);
    in_time.time(filter);
    let mut others = Conditions::default();
    others.and("flaws > 0", []);
    others.skill(&filter.skill);
    others.projects(&filter.projects);
    let sql = format!(
        "SELECT count(*) FILTER (WHERE flaws & 2), count(*) FILTER (WHERE {in_time}) FROM {rows} WHERE {others}"
    );
    log.db.prepare_cached(&sql)?.query_row(in_time.followed_by(&others), |row| {
        Ok(ParseIssues { timestamps: number(row, 0)?, arguments: number(row, 1)? })
    })
}
