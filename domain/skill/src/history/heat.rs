//! Counts which sections of each file agents read.

use super::HistoryKind;
use super::imported::{HistoryDetails, imported};
use crate::event::AccessEvent;
use crate::usage::UsageFilter;
use std::collections::BTreeMap;

/// How often an agent read a section.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SectionReads {
    /// Name of the skill.
    pub skill: String,
    /// Its canonical path; empty if unknown.
    pub skill_path: String,
    /// The file, relative to the skill.
    pub file: String,
    /// The heading; `None` for reads of the whole file.
    pub section: Option<String>,
    /// The agent's id.
    pub agent: String,
    /// Number of reads.
    pub count: u64,
}

/// Counts reads of sections. Every store must compute the same. Sorted by skill, path, file, section and agent.
pub fn section_reads<'a>(
    events: impl IntoIterator<Item = &'a AccessEvent>,
    filter: &UsageFilter,
    details: &dyn Fn(&AccessEvent) -> HistoryDetails,
) -> Vec<SectionReads> {
    let mut counts: BTreeMap<_, u64> = BTreeMap::new();
    for (kind, event, HistoryDetails { agent, .. }) in imported(events, filter, details) {
        if let (HistoryKind::Read, Some(file)) = (kind, &event.file) {
            let key = (&event.skill, &event.skill_path, file, &event.section, agent);
            *counts.entry(key).or_default() += 1;
        }
    }
    counts
        .into_iter()
        .map(|((skill, skill_path, file, section, agent), count)| SectionReads {
            skill: skill.clone(),
            skill_path: skill_path.clone(),
            file: file.clone(),
            section: section.clone(),
            agent,
            count,
        })
        .collect()
}
