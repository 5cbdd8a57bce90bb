//! The figures in the formats of RFC-0003:C-SCHEMA.

use schemars::JsonSchema;
use serde::Serialize;
use skillc_domain::usage::{DayCount, Grouping, Tally, Usage};
use std::collections::BTreeMap;

/// Totals.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SummaryData {
    /// Number of accesses.
    pub total_accesses: u64,
    /// Accesses that read the skill: outline, show, open, sources, search and load.
    pub reads: u64,
    /// Different sections that were read.
    pub unique_sections: u64,
    /// Different files that were read.
    pub unique_files: u64,
    /// Accesses that failed.
    pub error_count: u64,
}

/// A section that was read.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SectionCount {
    /// Its skill, where several were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill: Option<String>,
    /// Its heading.
    pub section: String,
    /// Its file, relative to the skill.
    pub file: String,
    /// Number of accesses.
    pub count: u64,
}

/// A file that was read, whole or a section of it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FileCount {
    /// Its skill, where several were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill: Option<String>,
    /// Path relative to the skill.
    pub file: String,
    /// Number of accesses.
    pub count: u64,
}

/// A folder from which skills were used.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProjectCount {
    /// The working directory.
    pub project: String,
    /// Number of accesses.
    pub count: u64,
}

/// Accesses that failed in the same way.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ErrorCount {
    /// Its skill, where several were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill: Option<String>,
    /// The requested heading, path or query; empty for a command without one.
    pub target: String,
    /// The command.
    pub command: String,
    /// The error.
    pub error: String,
    /// Number of accesses.
    pub count: u64,
}

/// A query and its searches.
#[derive(Debug, Serialize, JsonSchema)]
pub struct QueryCount {
    /// As it was typed.
    pub query: String,
    /// Searches.
    pub count: u64,
    /// Searches that found nothing.
    pub without_hit: u64,
}

/// The figures. `query` determines their form.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Data {
    /// `summary`
    Summary(SummaryData),
    /// `sections`
    Sections(Vec<SectionCount>),
    /// `files`
    Files(Vec<FileCount>),
    /// `commands`: accesses of each.
    Commands(BTreeMap<String, u64>),
    /// `projects`
    Projects(Vec<ProjectCount>),
    /// `errors`
    Errors(Vec<ErrorCount>),
    /// `search`
    Search(Vec<QueryCount>),
}

/// The accesses of one day.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Day")]
pub struct DailyAccesses {
    /// `YYYY-MM-DD`, UTC.
    pub day: String,
    /// Number of accesses.
    pub count: u64,
}

impl From<&DayCount> for DailyAccesses {
    fn from(day: &DayCount) -> Self {
        Self { day: day.day.to_string(), count: day.count }
    }
}

/// Accesses of a skill.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SkillCount {
    /// Its name.
    pub skill: String,
    /// Number of accesses.
    pub count: u64,
}

/// A section of a skill.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SectionName {
    /// Its heading.
    pub section: String,
    /// Its file, relative to the skill.
    pub file: String,
}

/// Converts the usage of a log to the format of its grouping.
pub fn data(grouping: Grouping, usage: &Usage) -> Data {
    let tallies = usage.tallies.iter();
    match grouping {
        Grouping::Summary => Data::Summary(SummaryData {
            total_accesses: usage.summary.total_accesses,
            reads: usage.summary.reads,
            unique_sections: usage.summary.unique_sections,
            unique_files: usage.summary.unique_files,
            error_count: usage.summary.error_count,
        }),
        Grouping::Sections => Data::Sections(
            tallies
                .map(|t| SectionCount {
                    skill: t.skill.clone(),
                    section: part(t, 1),
                    file: part(t, 0),
                    count: t.count,
                })
                .collect(),
        ),
        Grouping::Files => Data::Files(
            tallies.map(|t| FileCount { skill: t.skill.clone(), file: part(t, 0), count: t.count }).collect(),
        ),
        Grouping::Commands => Data::Commands(tallies.map(|t| (part(t, 0), t.count)).collect()),
        Grouping::Projects => {
            Data::Projects(tallies.map(|t| ProjectCount { project: part(t, 0), count: t.count }).collect())
        }
        Grouping::Errors => Data::Errors(tallies.map(error_count).collect()),
        Grouping::Search => {
            let search =
                |t: &Tally| QueryCount { query: part(t, 0), count: t.count, without_hit: t.without_hit };
            Data::Search(tallies.map(search).collect())
        }
    }
}

fn error_count(tally: &Tally) -> ErrorCount {
    ErrorCount {
        skill: tally.skill.clone(),
        target: part(tally, 0),
        command: part(tally, 1),
        error: part(tally, 2),
        count: tally.count,
    }
}

/// A component of a tally's key; there are as many as the grouping defines.
fn part(tally: &Tally, at: usize) -> String {
    tally.key.get(at).cloned().unwrap_or_default()
}
