//! Completes or undoes renames whose process was killed.

use super::RenamePlan;
use super::record::RenameRecord;
use crate::app::App;
use crate::failure::Failure;
use crate::run::Run;
use skillc_domain::fault::Warning;
use std::path::PathBuf;

/// An interrupted rename.
pub struct UnfinishedRename {
    /// The folder under its old name.
    pub place: PathBuf,
    /// The new name.
    pub new: String,
}

/// The interrupted renames in the stores of any call. Changes nothing.
pub fn unfinished(app: &App) -> Vec<UnfinishedRename> {
    let records = app.ports.journal.peek().into_iter().filter_map(|change| RenameRecord::parse(&change));
    records.map(|record| UnfinishedRename { place: record.place, new: record.name }).collect()
}

/// Completes or undoes interrupted renames in the stores of this call. Every command does so first.
pub async fn settle_interrupted(run: &mut Run<'_>) {
    let app = run.app;
    for interrupted in app.ports.journal.interrupted() {
        let record = RenameRecord::parse(&interrupted.change);
        let Some(rename) = record.and_then(|record| RenamePlan::of_record(app, record)) else { continue };
        let (old, new) = (rename.skill.name.clone(), rename.renamed.name.clone());
        let settled =
            rename.settle(run).await.and_then(|end| Ok(interrupted.record.close().map(|()| end)?));
        let warning = match settled {
            Ok(end) => Warning::RenameSettled { old, new, end: end.to_owned() },
            Err(failure) => {
                Warning::RenameUnsettled { old, new, message: failure.fault.message(app.call.reader) }
            }
        };
        // An agent should not learn of skills that may be hidden from it.
        if !app.call.is_agent() {
            run.warn(warning);
        }
    }
}

impl RenamePlan {
    /// Completes the rename if the folder has its new name, otherwise undoes it. Returns which.
    async fn settle(&self, run: &mut Run<'_>) -> Result<&'static str, Failure> {
        let app = run.app;
        if self.is_moved(app)? && self.complete(run).await.is_ok() {
            return Ok("completed");
        }
        self.take_back(run).await?;
        Ok("undone")
    }
}
