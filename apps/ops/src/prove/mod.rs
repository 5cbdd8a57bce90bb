//! Proving a skill (RFC-0016:C-PROVE): is it loaded, chosen, reached and followed? Measured with the operations that agents call.

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

/// Measures a skill. `min` is what its score must reach. What cannot be measured in the time is named in the reply.
///
/// # Errors
/// E081 for trigger queries that cannot be read, E032 for a damaged log of histories, E016.
pub fn prove(
    run: &mut Run<'_>,
    skill: &Skill,
    min: Option<f64>,
    time: ProofTime,
) -> Result<ProveReply, Failure> {
    let (figures, missing) = measured(run, skill, time)?;
    Ok(ProveReply::new(skill, figures, &missing, min))
}
