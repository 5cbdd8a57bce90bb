//! Answers usage queries from covering indexes, which contain all counted columns in group order.
//!
//! Each statement names its index. SQLite itself would choose one that does not cover the query and look up every
//! row, nine times slower than a table scan. Such lookups are faster only for few rows.

use super::conditions::Conditions;
use super::owners::{Owner, owners};
use super::row::{number, text, valid_text};
use super::row_scan::{self, RowScan, WITHOUT_HIT, read_command, reads, rows_of, whole_files};
use super::schema::{BY_READ, BY_TIME, ERRORS, IS_ACCESS, SEARCHES};
use super::usage_builder::UsageBuilder;
use rusqlite::{Connection, OptionalExtension};
use skillc_domain::usage::count::belongs_to_a_skill;
use skillc_domain::usage::{Grouping, SkillFilter, UsageFilter, UsageQuery};

/// Rows are looked up individually if at most one in this many matches; for more, scanning an index is faster.
const LOOKUP_FRACTION: u64 = 10;

pub fn count(db: &Connection, query: &UsageQuery, usage: &mut UsageBuilder) -> rusqlite::Result<()> {
    let filter = &query.filter;
    let Some(owners) = owners(db, filter)? else { return count_by_table_scan(db, query, usage) };
    owners.iter().for_each(|owner| usage.extend_period(&owner.start, &owner.end));
    let is_part = filter.since.is_some() || filter.until.is_some();
    let uses_lookups = is_part && are_lookups_cheaper(db, &owners, filter)?;
    owners.iter().try_for_each(|owner| match uses_lookups {
        true => count_by_lookup(db, owner, query, usage),
        false => count_by_index(db, owner, query, usage),
    })
}

/// Counts by scanning the table, for a log with a skill path or name that is not text.
fn count_by_table_scan(
    db: &Connection,
    query: &UsageQuery,
    usage: &mut UsageBuilder,
) -> rusqlite::Result<()> {
    let from = "access_log NOT INDEXED".to_owned();
    let scan = RowScan { from, conditions: Conditions::of(&query.filter), is_period_known: false };
    row_scan::count(db, &scan, query, usage)
}

fn indexed(index: &str) -> String {
    format!("access_log INDEXED BY {index}")
}

/// Whether so few rows match that looking up each is cheaper. Stops counting as soon as that is decided.
fn are_lookups_cheaper(db: &Connection, owners: &[Owner], filter: &UsageFilter) -> rusqlite::Result<bool> {
    let last = db.query_row("SELECT ifnull(max(id), 0) FROM access_log", [], |row| number(row, 0))?;
    let mut left = last / LOOKUP_FRACTION;
    for owner in owners {
        let own = owner.conditions(filter);
        let from = indexed(BY_TIME);
        let sql = format!("SELECT count(*) FROM (SELECT 1 FROM {from} WHERE {own} LIMIT {})", left + 1);
        let found = db.query_row(&sql, own.values(), |row| number(row, 0))?;
        let Some(rest) = left.checked_sub(found) else { return Ok(false) };
        left = rest;
    }
    Ok(true)
}

fn count_by_lookup(
    db: &Connection,
    owner: &Owner,
    query: &UsageQuery,
    usage: &mut UsageBuilder,
) -> rusqlite::Result<()> {
    let scan = RowScan {
        from: indexed(BY_TIME),
        conditions: owner.conditions(&query.filter),
        is_period_known: true,
    };
    row_scan::count(db, &scan, query, usage)
}

fn count_by_index(
    db: &Connection,
    owner: &Owner,
    query: &UsageQuery,
    usage: &mut UsageBuilder,
) -> rusqlite::Result<()> {
    let own = owner.conditions(&query.filter);
    let (index, counted, keys, order) = match query.grouping {
        Grouping::Summary => return summarize(db, owner, query, usage),
        Grouping::Sections => {
            (BY_READ, "file >= '' AND section IS NOT NULL", "file, section", "file, section")
        }
        Grouping::Files => (BY_READ, "file >= ''", "file", "file"),
        Grouping::Commands => (BY_READ, "TRUE", "command", "file, section, command"),
        // Not in the order of this index, but it is much smaller than the table.
        Grouping::Projects => (BY_TIME, "TRUE", "cwd", "cwd"),
        Grouping::Errors => {
            (ERRORS, "error IS NOT NULL", "ifnull(target, ''), command, error", "target, command, error")
        }
        Grouping::Search => (SEARCHES, "command = 'search' AND target IS NOT NULL", "target", "target"),
    };
    if query.grouping == Grouping::Sections {
        count_whole_files(db, owner, query, usage)?;
    }
    let from = indexed(index);
    let rows = rows_of(query.grouping);
    let hits = if query.grouping == Grouping::Search { WITHOUT_HIT } else { "0" };
    let sql = format!(
        "SELECT count(*), {hits}, {keys} FROM {from} WHERE {own} AND {counted} AND {rows} GROUP BY {order}"
    );
    let names_skill = query.filter.skill == SkillFilter::Any && belongs_to_a_skill(query.grouping);
    let mut grouped = db.prepare_cached(&sql)?;
    let parts = 2..grouped.column_count();
    let mut rows = grouped.query(own.values())?;
    while let Some(row) = rows.next()? {
        let key = parts.clone().map(|at| Ok(text(row, at)?.unwrap_or_default()));
        let key = key.collect::<rusqlite::Result<Vec<String>>>()?;
        let counts = (number(row, 0)?, number(row, 1)?);
        usage.add(names_skill.then(|| owner.name.clone()), key, counts);
    }
    Ok(())
}

fn summarize(
    db: &Connection,
    owner: &Owner,
    query: &UsageQuery,
    usage: &mut UsageBuilder,
) -> rusqlite::Result<()> {
    let own = owner.conditions(&query.filter);
    let failed = format!("SELECT count(*) FROM {} WHERE {own} AND error IS NOT NULL", indexed(ERRORS));
    usage.add_errors(db.prepare_cached(&failed)?.query_row(own.values(), |row| number(row, 0))?);
    count_days(db, owner, query, usage)?;
    count_whole_files(db, owner, query, usage)?;
    let command = read_command();
    let read = format!("SELECT count({command}) FROM {} WHERE {own} AND {IS_ACCESS}", indexed(BY_READ));
    usage.add_reads(db.prepare_cached(&read)?.query_row(own.values(), |row| number(row, 0))?);
    reads(db, &RowScan { from: indexed(BY_READ), conditions: own, is_period_known: true }, usage)
}

fn count_whole_files(
    db: &Connection,
    owner: &Owner,
    query: &UsageQuery,
    usage: &mut UsageBuilder,
) -> rusqlite::Result<()> {
    let conditions = owner.conditions(&query.filter);
    let scan = RowScan { from: indexed(BY_READ), conditions, is_period_known: true };
    whole_files(db, &scan, query.filter.skill == SkillFilter::Any, usage)
}

/// Counts day by day. Grouping by day would make SQLite sort, although the index is in time order.
fn count_days(
    db: &Connection,
    owner: &Owner,
    query: &UsageQuery,
    usage: &mut UsageBuilder,
) -> rusqlite::Result<()> {
    let skill = (query.filter.skill == SkillFilter::Any).then(|| owner.name.clone());
    let mut start = Some(owner.start.clone());
    while let Some(first) = start {
        let day = first.get(..10).unwrap_or(&first).to_owned();
        // Timestamps of a day continue with `T`, which precedes `U`; any other text is a day of its own.
        let end = format!("{day}U").max(format!("{first}\0"));
        let mut within = owner.conditions(&query.filter);
        within.and("timestamp >= ?", [&first]);
        within.and("timestamp < ?", [&end]);
        let sql = format!("SELECT count(*) FROM {} WHERE {within} AND {IS_ACCESS}", indexed(BY_TIME));
        let count = db.prepare_cached(&sql)?.query_row(within.values(), |row| number(row, 0))?;
        usage.add_day(skill.clone(), day, count);
        let mut later = owner.conditions(&query.filter);
        later.and("timestamp >= ?", [&end]);
        let from = indexed(BY_TIME);
        let sql =
            format!("SELECT timestamp FROM {from} WHERE {later} AND {IS_ACCESS} ORDER BY timestamp LIMIT 1");
        // Values that are not text sort after every text and would be found endlessly.
        start = db
            .prepare_cached(&sql)?
            .query_row(later.values(), |row| valid_text(row, 0))
            .optional()?
            .flatten();
    }
    Ok(())
}
