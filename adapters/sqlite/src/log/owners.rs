//! Whose events a log holds, found by a seek for each: a log has one or a few owners, and rows without end.

use super::conditions::Conditions;
use super::schema::{BY_TIME, SOUND};
use super::select::{plain, text};
use rusqlite::{Connection, OptionalExtension, Row, params_from_iter};
use skillc_domain::usage::{SkillFilter, UsageFilter};

/// A skill at a path, and its first and last use that a filter lets through.
pub struct Owner {
    /// Path of the skill.
    pub path: String,
    /// Its name.
    pub name: String,
    /// First use.
    pub start: String,
    /// Last use.
    pub end: String,
}

impl Owner {
    /// Its rows that a filter lets through. Every index of ours begins with path and name.
    pub fn conditions(&self, filter: &UsageFilter) -> Conditions {
        conditions(&self.path, &self.name, filter)
    }
}

fn conditions(path: &String, name: &String, filter: &UsageFilter) -> Conditions {
    let mut conditions = Conditions::default();
    conditions.and("skill_path = ?", [path]);
    conditions.and("skill = ?", [name]);
    conditions.sound();
    conditions.time(filter);
    conditions.projects(&filter.projects);
    conditions
}

/// Those with rows that a filter lets through. `None` where one is not text: it comes after every text, and could not be
/// asked for again.
pub fn owners(db: &Connection, filter: &UsageFilter) -> rusqlite::Result<Option<Vec<Owner>>> {
    let mut found = Vec::new();
    let mut last: Option<(String, String)> = None;
    while let Some(next) = next(db, &filter.skill, last.as_ref())? {
        let (Some(path), Some(name)) = next else { return Ok(None) };
        let is_meant = !matches!(&filter.skill, SkillFilter::Name(meant) if *meant != name);
        if is_meant && let Some((start, end)) = period(db, &conditions(&path, &name, filter))? {
            found.push(Owner { path: path.clone(), name: name.clone(), start, end });
        }
        last = Some((path, name));
    }
    Ok(Some(found))
}

/// Path and name, each if it is text.
type Pair = (Option<String>, Option<String>);

/// The next owner in the order of the index, path and name, each if it is text. A comparison of both columns at once would
/// go through all rows of the last.
fn next(
    db: &Connection,
    skill: &SkillFilter,
    last: Option<&(String, String)>,
) -> rusqlite::Result<Option<Pair>> {
    match (skill, last) {
        (SkillFilter::Path(path), None) => first(db, "skill_path = ?", &[path]),
        (_, None) => first(db, "TRUE", &[]),
        (_, Some((path, name))) => {
            let found = first(db, "skill_path = ? AND skill > ?", &[path, name])?;
            match skill {
                SkillFilter::Path(_) => Ok(found),
                _ if found.is_some() => Ok(found),
                _ => first(db, "skill_path > ?", &[path]),
            }
        }
    }
}

/// The first owner that meets a condition.
fn first(db: &Connection, term: &str, values: &[&String]) -> rusqlite::Result<Option<Pair>> {
    let sql = format!(
        "SELECT skill_path, skill FROM access_log INDEXED BY {BY_TIME} WHERE {SOUND} AND {term}
         ORDER BY skill_path, skill LIMIT 1"
    );
    let pair = |row: &Row<'_>| Ok((plain(row, 0)?, plain(row, 1)?));
    db.prepare_cached(&sql)?.query_row(params_from_iter(values), pair).optional()
}

/// First and last time, a seek each, and a walk until a project is met.
fn period(db: &Connection, own: &Conditions) -> rusqlite::Result<Option<(String, String)>> {
    let end = |order: &str| {
        let sql = format!(
            "SELECT timestamp FROM access_log INDEXED BY {BY_TIME} WHERE {own} ORDER BY timestamp {order} LIMIT 1"
        );
        let found = db.prepare_cached(&sql)?.query_row(own.values(), |row| text(row, 0)).optional()?;
        Ok::<_, rusqlite::Error>(found.flatten())
    };
    Ok(end("ASC")?.zip(end("DESC")?))
}
