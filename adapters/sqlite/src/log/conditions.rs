//! What stands after `WHERE`, and the values in it.

use super::schema::SOUND;
use rusqlite::{ParamsFromIter, params_from_iter};
use skillc_domain::usage::{SkillFilter, UsageFilter};
use std::fmt;

/// Conditions that hold all at once; without any, everything is meant.
#[derive(Clone, Default)]
pub struct Conditions {
    terms: Vec<String>,
    values: Vec<String>,
}

impl Conditions {
    /// The rows that a filter lets through.
    pub fn of(filter: &UsageFilter) -> Self {
        let mut conditions = Self::default();
        conditions.sound();
        conditions.skill(&filter.skill);
        conditions.time(filter);
        conditions.projects(&filter.projects);
        conditions
    }

    /// One more, with a value for each `?`.
    pub fn and<'v>(&mut self, term: &str, values: impl IntoIterator<Item = &'v String>) {
        self.terms.push(term.to_owned());
        self.values.extend(values.into_iter().cloned());
    }

    /// Its time can be read.
    pub fn sound(&mut self) {
        self.and(SOUND, []);
    }

    /// It is of a skill.
    pub fn skill(&mut self, skill: &SkillFilter) {
        match skill {
            SkillFilter::Any => {}
            SkillFilter::Path(path) => self.and("skill_path = ?", [path]),
            SkillFilter::Name(name) => self.and("skill = ?", [name]),
        }
    }

    /// It lies in a time. Times of one form are in order as texts are.
    pub fn time(&mut self, filter: &UsageFilter) {
        filter.since.iter().for_each(|since| self.and("timestamp >= ?", [since]));
        filter.until.iter().for_each(|until| self.and("timestamp <= ?", [until]));
    }

    /// It comes from one of these folders or from below.
    pub fn projects(&mut self, projects: &[String]) {
        if projects.is_empty() {
            return;
        }
        let term = vec!["cwd = ? OR (cwd >= ? AND cwd < ?)"; projects.len()].join(" OR ");
        // What begins with `/a/` lies between that and `/a0`, since `0` is the character after `/`.
        let bounds = projects.iter().flat_map(|project| {
            let base = project.trim_end_matches('/');
            [base.to_owned(), format!("{base}/"), format!("{base}0")]
        });
        self.and(&format!("({term})"), &bounds.collect::<Vec<_>>());
    }

    /// The values of these, then of others.
    pub fn followed_by<'a>(&'a self, others: &'a Self) -> ParamsFromIter<impl Iterator<Item = &'a String>> {
        params_from_iter(self.values.iter().chain(&others.values))
    }

    /// The values, in the order of the marks.
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
