//! Finds the skills with events in a log, with one index seek each. A log has few skills but many rows.

use super::conditions::Conditions;
use super::row::{text, valid_text};
use super::schema::{BY_TIME, IS_ACCESS, VALID_TIME};
use rusqlite::{Connection, OptionalExtension, Row, params_from_iter};
use skillc_domain::usage::{SkillFilter, UsageFilter};

/// A skill with its first and last event that match a filter.
pub struct Owner {
    pub path: String,
    pub name: String,
    pub start: String,
    pub end: String,
}

impl Owner {
    /// Selects the rows of this skill that match a filter. Every index begins with path and name.
    pub fn conditions(&self, filter: &UsageFilter) -> Conditions {
        conditions(&self.path, &self.name, filter)
    }
}

fn conditions(path: &String, name: &String, filter: &UsageFilter) -> Conditions {
    let mut conditions = Conditions::default();
    conditions.and("skill_path = ?", [path]);
    conditions.and("skill = ?", [name]);
    conditions.valid_time();
    conditions.time(filter);
    conditions.projects(&filter.projects);
    conditions
}

/// All skills with rows that match a filter; `None` if a path or name is not text, since queries could not compare
/// with it.
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

/// Path and name; `None` for values that are not text.
type Pair = (Option<String>, Option<String>);

/// The next path and name in index order. Comparing both columns at once would read all rows of the previous skill.
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

/// The first path and name that match a condition.
fn first(db: &Connection, term: &str, values: &[&String]) -> rusqlite::Result<Option<Pair>> {
    let sql = format!(
        "SELECT skill_path, skill FROM access_log INDEXED BY {BY_TIME} WHERE {VALID_TIME} AND {term}
         ORDER BY skill_path, skill LIMIT 1"
    );
    let pair = |row: &Row<'_>| Ok((valid_text(row, 0)?, valid_text(row, 1)?));
    db.prepare_cached(&sql)?.query_row(params_from_iter(values), pair).optional()
}

/// First and last access, by one seek each. A project filter may have to skip rows.
fn period(db: &Connection, own: &Conditions) -> rusqlite::Result<Option<(String, String)>> {
    let end = |order: &str| {
        let sql = format!(
            "SELECT timestamp FROM access_log INDEXED BY {BY_TIME} WHERE {own} AND {IS_ACCESS}
             ORDER BY timestamp {order} LIMIT 1"
        );
        let found = db.prepare_cached(&sql)?.query_row(own.values(), |row| text(row, 0)).optional()?;
        Ok::<_, rusqlite::Error>(found.flatten())
    };
    Ok(end("ASC")?.zip(end("DESC")?))
}
