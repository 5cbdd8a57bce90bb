//! Indexes the words of new and changed skills, without reading unchanged ones.

use super::skill_reader::SkillReader;
use crate::app::App;
use crate::find::matches::ids;
use skillc_domain::discovery::skill::CatalogSkill;
use skillc_ports::{IndexedSkill, PortError, SkillIndex, SkillRecord};
use std::collections::HashMap;
use std::sync::mpsc::{Receiver, sync_channel};

/// Bytes of text written in one step: large enough to be efficient, small enough for memory. Completed steps remain
/// if the process ends.
const STEP_BYTES: usize = 4 * 1024 * 1024;
/// Number of steps queued between reader and writer.
const STEPS_WAITING: usize = 2;
/// Number of skills up to which no thread is used.
const FEW_SKILLS: usize = 16;

/// Indexes skills that are new or have changed, and removes those whose file no longer exists. Returns the number
/// indexed.
///
/// # Errors
/// Errors of the index. A skill that cannot be read stays as it was indexed.
pub async fn refresh(app: &App, index: &dyn SkillIndex, skills: &[CatalogSkill]) -> Result<usize, PortError> {
    let records = index.records().await?;
    let known: HashMap<&str, &SkillRecord> = records.iter().map(|r| (r.id.as_str(), r)).collect();
    let is_new = |skill: &&CatalogSkill| {
        known.get(skill.id.as_str()).is_none_or(|record| record.digest != Some(skill.digest))
    };
    let changed: Vec<CatalogSkill> = skills.iter().filter(is_new).cloned().collect();
    let is_same = changed.is_empty() && records.len() == skills.len();
    let gone = if is_same { Vec::new() } else { gone(app, &records, skills) };
    if changed.is_empty() && gone.is_empty() {
        return Ok(0);
    }
    index.change(&[], &gone).await?;
    let total = changed.len();
    app.call.detail(|| format!("indexing {total} skills"));
    app.call.progress.begin("indexing skills", total as u64);
    let written = write(app, index, changed).await;
    app.call.progress.end();
    written
}

async fn write(app: &App, index: &dyn SkillIndex, changed: Vec<CatalogSkill>) -> Result<usize, PortError> {
    let mut written = 0;
    for step in steps(SkillReader::of(app), changed) {
        index.change(&step, &[]).await?;
        app.call.progress.advance(step.len() as u64);
        written += step.len();
    }
    Ok(written)
}

/// Reads skills ahead of the writer, in order.
fn steps(reading: SkillReader, changed: Vec<CatalogSkill>) -> Receiver<Vec<IndexedSkill>> {
    let is_few = changed.len() <= FEW_SKILLS;
    let (sender, receiver) = sync_channel(if is_few { FEW_SKILLS + 1 } else { STEPS_WAITING });
    let read = move || {
        let (mut step, mut bytes) = (Vec::new(), 0);
        // A skill that no longer exists or cannot be read is reported when it is loaded.
        for entry in changed.iter().filter_map(|skill| reading.entry(skill).ok()) {
            bytes += entry.body.len();
            step.push(entry);
            if bytes >= STEP_BYTES {
                bytes = 0;
                // The writer has failed.
                if sender.send(std::mem::take(&mut step)).is_err() {
                    return;
                }
            }
        }
        let _ = sender.send(step);
    };
    if is_few {
        read();
    } else {
        std::thread::spawn(read);
    }
    receiver
}

/// Indexed skills whose file no longer exists; skills of other projects stay.
fn gone(app: &App, records: &[SkillRecord], skills: &[CatalogSkill]) -> Vec<String> {
    let there = ids(skills);
    let others = records.iter().filter(|record| !there.contains(record.id.as_str()));
    others
        .filter(|record| record.path.has_root() && !app.ports.stores.is_file(&record.path))
        .map(|record| record.id.clone())
        .collect()
}
