//! Proposals that make skills cost less, based on recorded use (RFC-0014:C-SLIM): creates, replays and applies them.

mod apply;
mod disable;
mod edit_proposal;
mod join_sections;
mod move_sections;
mod proposal;
mod recorded;
mod replay;
mod shorten;
mod split_file;
mod texts;

pub use apply::apply;
pub use proposal::SlimProposal;

use crate::app::App;
use crate::failure::Failure;
use crate::local_logs::{HISTORY, unreadable};
use crate::policy::is_admitted;
use crate::run::Run;
use crate::skill::Skill;
use proposal::{SlimEvidence, present};
use recorded::recorded_reads;
use skillc_domain::usage::UsageFilter;
use std::path::Path;
use texts::SkillTexts;

/// All proposals for one skill, or for all skills in the histories, those that save the most first.
///
/// # Errors
/// E032 for a damaged history log; errors of reading a skill's folder.
pub async fn proposals(run: &mut Run<'_>, only: Option<&Skill>) -> Result<Vec<SlimProposal>, Failure> {
    let app = run.app;
    let evidence = evidence(app, only).await?;
    let mut found = disable::proposals(app, &evidence);
    found.extend(shorten::proposals(app, &evidence).await?);
    for (path, recorded) in &evidence.reads {
        let Some(skill) = present(app, path) else { continue };
        let texts = SkillTexts::of(app, &skill, recorded)?;
        found.extend(move_sections::proposals(app, &skill, &texts));
        found.extend(join_sections::proposals(app, &skill, recorded, &texts));
        found.extend(split_file::proposals(app, &skill, recorded, &texts));
    }
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
