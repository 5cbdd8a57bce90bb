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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::EventTime;
    use crate::time::Timestamp;

    /// RFC-0014:C-STATS
    #[test]
    fn reads_are_counted_by_file_and_section_and_nothing_else_is() {
        let event = |command: &str, file: Option<&str>, section: Option<&str>| AccessEvent {
            timestamp: EventTime::At(Timestamp::of(0)),
            command: command.to_owned(),
            skill: "s".to_owned(),
            file: file.map(str::to_owned),
            section: section.map(str::to_owned),
            ..AccessEvent::default()
        };
        let events = [
            event("read", Some("b.md"), Some("Two")),
            event("read", Some("a.md"), None),
            event("read", Some("b.md"), Some("Two")),
            event("read", Some("b.md"), Some("One")),
            event("read", None, Some("One")),
            event("ran", Some("b.md"), Some("One")),
        ];
        let details = |_: &AccessEvent| HistoryDetails { agent: "codex".into(), ..HistoryDetails::default() };
        let reads = section_reads(&events, &UsageFilter::default(), &details);
        let told: Vec<_> =
            reads.iter().map(|read| (&*read.file, read.section.as_deref(), read.count)).collect();
        assert_eq!(told, [("a.md", None, 1), ("b.md", Some("One"), 1), ("b.md", Some("Two"), 2)]);
    }
}
