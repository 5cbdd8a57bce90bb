//! `WHERE` clauses with their values.

use super::schema::VALID_TIME;
use rusqlite::{ParamsFromIter, params_from_iter};
use skillc_domain::usage::{SkillFilter, UsageFilter};
use std::fmt;

/// Terms joined by `AND`; all rows match if there are none.
#[derive(Clone, Default)]
pub struct Conditions {
    terms: Vec<String>,
    values: Vec<String>,
}

impl Conditions {
    /// Selects the rows that match a filter.
    pub fn of(filter: &UsageFilter) -> Self {
        let mut conditions = Self::default();
        conditions.valid_time();
        conditions.skill(&filter.skill);
        conditions.time(filter);
        conditions.projects(&filter.projects);
        conditions
    }

    /// Adds a term, with one value per `?`.
    pub fn and<'v>(&mut self, term: &str, values: impl IntoIterator<Item = &'v String>) {
        self.terms.push(term.to_owned());
        self.values.extend(values.into_iter().cloned());
    }

    /// Excludes invalid timestamps.
    pub fn valid_time(&mut self) {
        self.and(VALID_TIME, []);
    }

    pub fn skill(&mut self, skill: &SkillFilter) {
        match skill {
            SkillFilter::Any => {}
            SkillFilter::Path(path) => self.and("skill_path = ?", [path]),
            SkillFilter::Name(name) => self.and("skill = ?", [name]),
        }
    }

    /// Restricts the time. All timestamps have the same format, so they can be compared as texts.
    pub fn time(&mut self, filter: &UsageFilter) {
        filter.since.iter().for_each(|since| self.and("timestamp >= ?", [&since.to_string()]));
        filter.until.iter().for_each(|until| self.and("timestamp <= ?", [&until.to_string()]));
    }

    /// Matches these folders and everything below them.
    pub fn projects(&mut self, projects: &[String]) {
        if projects.is_empty() {
            return;
        }
        let term = vec!["cwd = ? OR (cwd >= ? AND cwd < ?)"; projects.len()].join(" OR ");
        // Texts that begin with `/a/` sort between `/a/` and `/a0`, since `0` is the character after `/`.
        let bounds = projects.iter().flat_map(|project| {
            let base = project.trim_end_matches('/');
            [base.to_owned(), format!("{base}/"), format!("{base}0")]
        });
        self.and(&format!("({term})"), &bounds.collect::<Vec<_>>());
    }

    /// The values of these terms, then of others.
    pub fn followed_by<'a>(&'a self, others: &'a Self) -> ParamsFromIter<impl Iterator<Item = &'a String>> {
        params_from_iter(self.values.iter().chain(&others.values))
    }

    /// The values in the order of the `?`.
    pub fn values(&self) -> ParamsFromIter<&[String]> {
        params_from_iter(self.values.as_slice())
    }
}

impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.is_empty() {
            return f.write_str("TRUE");
        }
        f.write_str(&self.terms.join(" AND "))
    }
}
