//! Measures a skill with the operations that agents call (RFC-0016:C-PROVE): is it loaded, chosen, reached and
//! followed?

mod badge;
mod chosen;
mod followed;
mod loads;
mod markdown;
mod proving_agent;
mod reached;
mod reply;
mod show;
mod time;
mod worker;

pub use badge::{badge, is_badge};
pub use reply::ProveReply;
pub use time::{PROOF_TIME, ProofTime};

use crate::failure::Failure;
use crate::run::Run;
use crate::skill::Skill;
use worker::measured;

/// Measures a skill. `min` is the score to reach. The reply lists what could not be measured in time.
///
/// # Errors
/// E081 for unreadable trigger queries, E032 for a damaged history log, E016.
pub fn prove(
    run: &mut Run<'_>,
    skill: &Skill,
    min: Option<f64>,
    time: ProofTime,
) -> Result<ProveReply, Failure> {
    let (figures, missing) = measured(run, skill, time)?;
    Ok(ProveReply::new(skill, figures, &missing, min))
}
