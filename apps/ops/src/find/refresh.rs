//! Bringing the words of the index up to the catalog: what is unchanged is not read.

use super::entry::Reading;
use crate::app::App;
use skillc_domain::discovery::skill::CatalogSkill;
use skillc_ports::{IndexedSkill, PortError, SkillIndex, SkillRecord};
use std::collections::{HashMap, HashSet};
use std::sync::mpsc::{Receiver, sync_channel};

/// Bytes of text that are written in one step: enough that a step costs little, few enough for memory. What was written
/// stays when the process is ended.
const STEP_BYTES: usize = 4 * 1024 * 1024;
/// Steps that wait between reader and writer.
const STEPS_WAITING: usize = 2;
/// Skills that are read without a thread.
const FEW_SKILLS: usize = 16;

/// Puts skills in that are new or changed, and takes those out whose file is gone; how many were put in.
///
/// # Errors
/// Those of the index. A skill that cannot be read is left as it was.
pub async fn refresh(app: &App, index: &dyn SkillIndex, skills: &[CatalogSkill]) -> Result<usize, PortError> {
    let records = index.records().await?;
    let known: HashMap<&str, &SkillRecord> = records.iter().map(|r| (r.id.as_str(), r)).collect();
    let is_news = |skill: &&CatalogSkill| {
        known.get(skill.id.as_str()).is_none_or(|record| record.digest != skill.digest)
    };
    let news: Vec<CatalogSkill> = skills.iter().filter(is_news).cloned().collect();
    let is_same = news.is_empty() && records.len() == skills.len();
    let gone = if is_same { Vec::new() } else { gone(app, &records, skills) };
    if news.is_empty() && gone.is_empty() {
        return Ok(0);
    }
    index.change(&[], &gone).await?;
    let total = news.len();
    app.call.detail(|| format!("indexing {total} skills"));
    app.call.progress.begin("indexing skills", total as u64);
    let written = write(app, index, news).await;
    app.call.progress.end();
    written
}

async fn write(app: &App, index: &dyn SkillIndex, news: Vec<CatalogSkill>) -> Result<usize, PortError> {
    let mut written = 0;
    for step in steps(Reading::of(app), news) {
        index.change(&step, &[]).await?;
        app.call.progress.advance(step.len() as u64);
        written += step.len();
    }
    Ok(written)
}

/// Reads ahead of the writer, in the order given.
fn steps(reading: Reading, news: Vec<CatalogSkill>) -> Receiver<Vec<IndexedSkill>> {
    let is_few = news.len() <= FEW_SKILLS;
    let (sender, receiver) = sync_channel(if is_few { FEW_SKILLS + 1 } else { STEPS_WAITING });
    let read = move || {
        let (mut step, mut bytes) = (Vec::new(), 0);
        // One that vanished, or cannot be read, says so when it is loaded.
        for entry in news.iter().filter_map(|skill| reading.entry(skill).ok()) {
            bytes += entry.body.len();
            step.push(entry);
            if bytes >= STEP_BYTES {
                bytes = 0;
                // Nobody takes it where writing failed.
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

/// Recorded skills that the catalog has not and whose file is gone: those of other projects stay.
fn gone(app: &App, records: &[SkillRecord], skills: &[CatalogSkill]) -> Vec<String> {
    let there: HashSet<&str> = skills.iter().map(|skill| skill.id.as_str()).collect();
    let others = records.iter().filter(|record| !there.contains(record.id.as_str()));
    others
        .filter(|record| record.path.has_root() && !app.ports.stores.is_file(&record.path))
        .map(|record| record.id.clone())
        .collect()
}
