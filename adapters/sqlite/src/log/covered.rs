//! Counting over the indexes of a log of ours, which hold all that is counted in the order in which it is counted.
//!
//! Each statement names its index: left to itself, SQLite would go from an index to the table and back for every row, nine
//! times slower than going through the table. Only the rows of a short time are looked up so.

use super::conditions::Conditions;
use super::owners::{Owner, owners};
use super::scan::{self, Scan, reads};
use super::schema::{BY_READ, BY_TIME, ERRORS, SEARCHES};
use super::select::{number, plain, text};
use super::tallies::Tallies;
use rusqlite::{Connection, OptionalExtension};
use skillc_domain::usage::fold::belongs_to_a_skill;
use skillc_domain::usage::{Grouping, SkillFilter, UsageFilter, UsageQuery};

/// Which part of the rows is looked up in the table one by one at most: more would cost more than going through an index.
const LOOK_UP_PART: u64 = 10;

/// Counts rows.
pub fn count(db: &Connection, query: &UsageQuery, tallies: &mut Tallies) -> rusqlite::Result<()> {
    let filter = &query.filter;
    let Some(owners) = owners(db, filter)? else { return go_through(db, query, tallies) };
    owners.iter().for_each(|owner| tallies.widen(&owner.start, &owner.end));
    let is_part = filter.since.is_some() || filter.until.is_some();
    let is_looked_up = is_part && are_few(db, &owners, filter)?;
    owners.iter().try_for_each(|owner| match is_looked_up {
        true => look_up(db, owner, query, tallies),
        false => count_own(db, owner, query, tallies),
    })
}

/// For a log whose owners cannot be told apart by the index.
fn go_through(db: &Connection, query: &UsageQuery, tallies: &mut Tallies) -> rusqlite::Result<()> {
    let from = "access_log NOT INDEXED".to_owned();
    let scan = Scan { from, conditions: Conditions::of(&query.filter), is_period_known: false };
    scan::count(db, &scan, query, tallies)
}

fn indexed(index: &str) -> String {
    format!("access_log INDEXED BY {index}")
}

/// Whether the rows are so few that each may be looked up. Counts no further than to the answer.
fn are_few(db: &Connection, owners: &[Owner], filter: &UsageFilter) -> rusqlite::Result<bool> {
    let last = db.query_row("SELECT ifnull(max(id), 0) FROM access_log", [], |row| number(row, 0))?;
    let mut left = last / LOOK_UP_PART;
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

fn look_up(
    db: &Connection,
    owner: &Owner,
    query: &UsageQuery,
    tallies: &mut Tallies,
) -> rusqlite::Result<()> {
    let scan =
        Scan { from: indexed(BY_TIME), conditions: owner.conditions(&query.filter), is_period_known: true };
    scan::count(db, &scan, query, tallies)
}

fn count_own(
    db: &Connection,
    owner: &Owner,
    query: &UsageQuery,
    tallies: &mut Tallies,
) -> rusqlite::Result<()> {
    let own = owner.conditions(&query.filter);
    let (index, counted, keys, order) = match query.grouping {
        Grouping::Summary => return sum_up(db, owner, query, tallies),
        Grouping::Sections => {
            (BY_READ, "file >= '' AND section IS NOT NULL", "file, section", "file, section")
        }
        Grouping::Files => (BY_READ, "file >= ''", "file", "file"),
        Grouping::Commands => (BY_READ, "TRUE", "command", "file, section, command"),
        // By time they are in no order that helps, but far less is read than in the table.
        Grouping::Projects => (BY_TIME, "TRUE", "cwd", "cwd"),
        Grouping::Errors => {
            (ERRORS, "error IS NOT NULL", "ifnull(target, ''), command, error", "target, command, error")
        }
        Grouping::Search => (SEARCHES, "command = 'search' AND target IS NOT NULL", "target", "target"),
    };
    let from = indexed(index);
    let sql = format!("SELECT count(*), {keys} FROM {from} WHERE {own} AND {counted} GROUP BY {order}");
    let names_skill = query.filter.skill == SkillFilter::Any && belongs_to_a_skill(query.grouping);
    let mut grouped = db.prepare_cached(&sql)?;
    let parts = 1..grouped.column_count();
    let mut rows = grouped.query(own.values())?;
    while let Some(row) = rows.next()? {
        let key = parts.clone().map(|at| Ok(text(row, at)?.unwrap_or_default()));
        let key = key.collect::<rusqlite::Result<Vec<String>>>()?;
        tallies.add(names_skill.then(|| owner.name.clone()), key, number(row, 0)?);
    }
    Ok(())
}

fn sum_up(db: &Connection, owner: &Owner, query: &UsageQuery, tallies: &mut Tallies) -> rusqlite::Result<()> {
    let own = owner.conditions(&query.filter);
    let failed = format!("SELECT count(*) FROM {} WHERE {own} AND error IS NOT NULL", indexed(ERRORS));
    tallies.errors(db.prepare_cached(&failed)?.query_row(own.values(), |row| number(row, 0))?);
    days(db, owner, query, tallies)?;
    reads(db, &Scan { from: indexed(BY_READ), conditions: own, is_period_known: true }, tallies)
}

/// Counts day after day: SQLite does not know that what is in order by time is in order by day, and would sort.
fn days(db: &Connection, owner: &Owner, query: &UsageQuery, tallies: &mut Tallies) -> rusqlite::Result<()> {
    let skill = (query.filter.skill == SkillFilter::Any).then(|| owner.name.clone());
    let mut start = Some(owner.start.clone());
    while let Some(first) = start {
        let day = first.get(..10).unwrap_or(&first).to_owned();
        // Times of a day go on with `T`, before `U`; anything else is a day of its own.
        let end = format!("{day}U").max(format!("{first}\0"));
        let mut within = owner.conditions(&query.filter);
        within.and("timestamp >= ?", [&first]);
        within.and("timestamp < ?", [&end]);
        let sql = format!("SELECT count(*) FROM {} WHERE {within}", indexed(BY_TIME));
        let count = db.prepare_cached(&sql)?.query_row(within.values(), |row| number(row, 0))?;
        tallies.day(skill.clone(), day, count);
        let mut later = owner.conditions(&query.filter);
        later.and("timestamp >= ?", [&end]);
        let sql =
            format!("SELECT timestamp FROM {} WHERE {later} ORDER BY timestamp LIMIT 1", indexed(BY_TIME));
        // What is not text comes after every text, and so would come for ever.
        start = db.prepare_cached(&sql)?.query_row(later.values(), |row| plain(row, 0)).optional()?.flatten();
    }
    Ok(())
}
