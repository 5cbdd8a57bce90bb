//! The recorded reads of each skill's files.

use crate::local_logs::each_event;
use serde_json::Value;
use skillc_domain::event::AccessEvent;
use skillc_domain::history::HistoryKind;
use skillc_domain::places::SKILL_FILE;
use skillc_domain::slim::{FileReads, SectionSessions};
use skillc_ports::{LocalLog, PortError};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The recorded reads of a skill.
#[derive(Clone, Debug, Default)]
pub struct RecordedReads {
    /// Name of the skill.
    pub skill: String,
    /// Reads by file. Loading a skill reads its SKILL.md.
    pub files: BTreeMap<String, FileReads>,
    /// The sessions that read each section.
    pub sessions: SectionSessions,
}

impl RecordedReads {
    /// Total number of recorded reads.
    pub fn count(&self) -> u64 {
        self.files.values().map(FileReads::count).sum()
    }
}

/// The reads in the history log, by the skill's path; takes one pass.
///
/// # Errors
/// Errors of the log.
pub async fn recorded_reads(log: &dyn LocalLog) -> Result<BTreeMap<PathBuf, RecordedReads>, PortError> {
    let mut skills: BTreeMap<PathBuf, RecordedReads> = BTreeMap::new();
    each_event(log, |event| add(&mut skills, event)).await?;
    Ok(skills)
}

fn add(skills: &mut BTreeMap<PathBuf, RecordedReads>, event: &AccessEvent) {
    let file = match HistoryKind::from_word(&event.command) {
        Some(HistoryKind::Chosen | HistoryKind::Requested) => Some(SKILL_FILE),
        Some(HistoryKind::Read) => event.file.as_deref(),
        _ => None,
    };
    let Some(file) = file.filter(|_| event.error.is_none() && !event.skill_path.is_empty()) else { return };
    let skill = skills.entry(PathBuf::from(&event.skill_path)).or_default();
    skill.skill.clone_from(&event.skill);
    let reads = skill.files.entry(file.to_owned()).or_default();
    if let Some(section) = &event.section {
        *reads.sections.entry(section.clone()).or_default() += 1;
        skill.sessions.add(&event.run_id, file, section);
    }
    if event.is_supplement {
        return;
    }
    let args: Value = serde_json::from_str(&event.args).unwrap_or_default();
    let line = |at: usize| args["lines"][at].as_u64().and_then(|line| u32::try_from(line).ok());
    match (args.get("lines"), line(0)) {
        (None, _) => reads.whole += 1,
        (Some(_), None) => reads.of_unknown_lines += 1,
        (Some(_), Some(first)) if args["lines_only"] == true => {
            *reads.of_older_lines.entry((first, line(1))).or_default() += 1;
        }
        (Some(_), Some(_)) => reads.of_lines += 1,
    }
}
