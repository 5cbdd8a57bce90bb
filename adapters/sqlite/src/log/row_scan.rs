//! Answers usage queries by scanning rows, with any schema.

use super::conditions::Conditions;
use super::row::{number, text};
use super::schema::IS_ACCESS;
use super::usage_builder::UsageBuilder;
use rusqlite::{Connection, Row};
use skillc_domain::event::READ_COMMANDS;
use skillc_domain::usage::count::belongs_to_a_skill;
use skillc_domain::usage::{Grouping, SkillFilter, UsageQuery};

/// SQL that counts searches without results.
pub const WITHOUT_HIT: &str = "count(*) FILTER (WHERE flaws & 8)";

/// The rows for a grouping. Rows that only add a section count for sections alone.
pub fn rows_of(grouping: Grouping) -> &'static str {
    match grouping {
        Grouping::Sections => "(flaws & 16 = 0 OR section IS NOT NULL)",
        _ => IS_ACCESS,
    }
}

/// What to scan.
pub struct RowScan {
    pub from: String,
    pub conditions: Conditions,
    /// Whether the period is already known; otherwise the scan determines it.
    pub is_period_known: bool,
}

pub fn count(
    db: &Connection,
    scan: &RowScan,
    query: &UsageQuery,
    usage: &mut UsageBuilder,
) -> rusqlite::Result<()> {
    let names_skill = query.filter.skill == SkillFilter::Any && belongs_to_a_skill(query.grouping);
    if matches!(query.grouping, Grouping::Summary | Grouping::Sections) {
        whole_files(db, scan, query.filter.skill == SkillFilter::Any, usage)?;
    }
    if query.grouping == Grouping::Summary {
        days(db, scan, names_skill, usage)?;
        return reads(db, scan, usage);
    }
    let keys = keys(query.grouping, scan.is_period_known);
    let (skill, by_skill) = if names_skill { ("skill", "skill,") } else { ("NULL", "") };
    let period = if scan.is_period_known { "NULL, NULL" } else { "min(timestamp), max(timestamp)" };
    let RowScan { from, conditions, .. } = scan;
    let counted = if scan.is_period_known { counted(query.grouping) } else { "TRUE" };
    let (columns, parts) = (keys.join(", "), keys.len());
    let own = rows_of(query.grouping);
    let sql = format!(
        "SELECT count(*), {WITHOUT_HIT}, {period}, {skill}, {columns} FROM {from} WHERE {conditions} AND {own} AND {counted}
         GROUP BY {by_skill} {columns}"
    );
    let mut grouped = db.prepare_cached(&sql)?;
    let mut rows = grouped.query(conditions.values())?;
    while let Some(row) = rows.next()? {
        widen(row, 2, usage)?;
        let key: Option<Vec<String>> = (5..5 + parts).map(|at| text(row, at)).collect::<Result<_, _>>()?;
        if let Some(key) = key {
            usage.add(text(row, 4)?, key, (number(row, 0)?, without_hit(row, 1, query.grouping)?));
        }
    }
    Ok(())
}

/// The number of searches without results; 0 for other commands.
pub fn without_hit(row: &Row<'_>, at: usize, grouping: Grouping) -> rusqlite::Result<u64> {
    if grouping == Grouping::Search { number(row, at) } else { Ok(0) }
}

/// Extends the period by the first and last timestamp, which are in the column `at` and the next one.
fn widen(row: &Row<'_>, at: usize, usage: &mut UsageBuilder) -> rusqlite::Result<()> {
    if let (Some(start), Some(end)) = (text(row, at)?, text(row, at + 1)?) {
        usage.extend_period(&start, &end);
    }
    Ok(())
}

/// A condition for the rows that count in a grouping.
fn counted(grouping: Grouping) -> &'static str {
    match grouping {
        Grouping::Sections => "file IS NOT NULL AND section IS NOT NULL",
        Grouping::Files => "file IS NOT NULL",
        Grouping::Errors => "error IS NOT NULL",
        Grouping::Search => "command = 'search' AND target IS NOT NULL",
        Grouping::Summary | Grouping::Commands | Grouping::Projects => "TRUE",
    }
}

/// SQL for the parts of a key. Unless `is_counted`, they are null for rows that do not count.
fn keys(grouping: Grouping, is_counted: bool) -> Vec<String> {
    let parts: &[&str] = match grouping {
        Grouping::Summary => &[],
        Grouping::Sections => &["file", "section"],
        Grouping::Files => &["file"],
        Grouping::Commands => &["command"],
        Grouping::Projects => &["cwd"],
        Grouping::Errors => &["ifnull(target, '')", "command", "error"],
        Grouping::Search => &["target"],
    };
    let case = |part: &&str| match is_counted {
        true => (*part).to_owned(),
        false => format!("CASE WHEN {} THEN {part} END", counted(grouping)),
    };
    parts.iter().map(case).collect()
}

/// Counts rows by day, with errors and, if named, skills.
fn days(
    db: &Connection,
    scan: &RowScan,
    names_skill: bool,
    usage: &mut UsageBuilder,
) -> rusqlite::Result<()> {
    let (skill, by_skill) = if names_skill { ("skill", "skill,") } else { ("NULL", "") };
    let RowScan { from, conditions, .. } = scan;
    let sql = format!(
        "SELECT count(*), min(timestamp), max(timestamp), {skill}, substr(timestamp, 1, 10), count(error), count({})
         FROM {from} WHERE {conditions} AND {IS_ACCESS} GROUP BY {by_skill} substr(timestamp, 1, 10)",
        read_command()
    );
    let mut grouped = db.prepare_cached(&sql)?;
    let mut rows = grouped.query(conditions.values())?;
    while let Some(row) = rows.next()? {
        widen(row, 1, usage)?;
        usage.add_day(text(row, 3)?, text(row, 4)?.unwrap_or_default(), number(row, 0)?);
        usage.add_errors(number(row, 5)?);
        usage.add_reads(number(row, 6)?);
    }
    Ok(())
}

/// SQL that is not null for rows with a reading command.
pub fn read_command() -> String {
    let words: Vec<String> = READ_COMMANDS.iter().map(|word| format!("'{word}'")).collect();
    format!("CASE WHEN command IN ({}) THEN 1 END", words.join(", "))
}

/// Counts the rows that returned a whole file, by skill if it is named.
pub fn whole_files(
    db: &Connection,
    scan: &RowScan,
    names_skill: bool,
    usage: &mut UsageBuilder,
) -> rusqlite::Result<()> {
    let RowScan { from, conditions, .. } = scan;
    let sql = format!(
        "SELECT count(*), skill, file FROM {from} WHERE {conditions} AND file >= '' AND section IS NULL
             AND command <> 'show' AND flaws & 4 = 0 AND {IS_ACCESS}
         GROUP BY skill, file"
    );
    let mut grouped = db.prepare_cached(&sql)?;
    let mut rows = grouped.query(conditions.values())?;
    while let Some(row) = rows.next()? {
        let (skill, file) = (text(row, 1)?.unwrap_or_default(), text(row, 2)?.unwrap_or_default());
        usage.add_whole_file(names_skill.then_some(skill), file, number(row, 0)?);
    }
    Ok(())
}

/// Collects the distinct files and sections that were read.
pub fn reads(db: &Connection, scan: &RowScan, usage: &mut UsageBuilder) -> rusqlite::Result<()> {
    let RowScan { from, conditions, .. } = scan;
    let sql = format!("SELECT DISTINCT skill, file, section FROM {from} WHERE {conditions} AND file >= ''");
    let mut different = db.prepare_cached(&sql)?;
    let mut rows = different.query(conditions.values())?;
    while let Some(row) = rows.next()? {
        let (skill, file) = (text(row, 0)?.unwrap_or_default(), text(row, 1)?.unwrap_or_default());
        usage.add_read(skill, file, text(row, 2)?);
    }
    Ok(())
}
