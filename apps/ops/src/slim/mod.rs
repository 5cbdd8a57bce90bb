//! What would make skills cost less, by what happened (RFC-0014:C-SLIM): proposals, their replay, and applying them.

mod apply;
mod disable;
mod move_sections;
mod proposal;
mod recorded;
mod shorten;

pub use apply::apply;
pub use proposal::SlimProposal;

use crate::app::App;
use crate::failure::Failure;
use crate::local_logs::{HISTORY, unreadable};
use crate::policy::is_admitted;
use crate::run::Run;
use crate::skill::Skill;
use proposal::SlimEvidence;
use recorded::recorded_reads;
use skillc_domain::usage::UsageFilter;
use std::path::Path;

/// All proposals, for one skill or for every one that the histories name, those that save most first.
///
/// # Errors
/// E032 for a damaged log of histories.
pub async fn proposals(run: &mut Run<'_>, only: Option<&Skill>) -> Result<Vec<SlimProposal>, Failure> {
    let app = run.app;
    let evidence = evidence(app, only).await?;
    let mut found = disable::proposals(app, &evidence);
    found.extend(shorten::proposals(app, &evidence).await?);
    found.extend(move_sections::proposals(app, &evidence)?);
    found.sort_by_key(|proposal| std::cmp::Reverse(proposal.tokens * proposal.times));
    Ok(found)
}

async fn evidence(app: &App, only: Option<&Skill>) -> Result<SlimEvidence, Failure> {
    let path = app.call.places.history_log();
    let log = app.ports.logs.at(&path);
    let failed = |error| unreadable(HISTORY, &path, error);
    let is_meant = |name: &str, skill_path: &str| {
        is_admitted(app, name) && only.is_none_or(|skill| skill.path == Path::new(skill_path))
    };
    let mut tallies = log.history(&UsageFilter::default()).await.map_err(failed)?;
    tallies.retain(|tally| is_meant(&tally.skill, &tally.skill_path));
    let mut reads = recorded_reads(log.as_ref()).await.map_err(failed)?;
    reads.retain(|skill_path, reads| is_meant(&reads.skill, &skill_path.to_string_lossy()));
    Ok(SlimEvidence { tallies, reads })
}
