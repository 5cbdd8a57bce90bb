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

pub use badge::{badge, is_badge};
pub use reply::ProveReply;

use crate::failure::Failure;
use crate::headings::{OutlineFile, outline_of};
use crate::lint::skill::Trust;
use crate::lint::{Engine, LintedSkill, lint_skill};
use crate::run::Run;
use crate::skill::Skill;
use reply::Figures;
use skillc_domain::limits::HEADING_LEVEL_MAX;
use skillc_domain::places::SKILL_FILE;
use skillc_domain::proof::heading_queries;

/// Measures a skill. `min` is what its score must reach.
///
/// # Errors
/// E081 for trigger queries that cannot be read, E032 for a damaged log of histories, E016.
pub async fn prove(run: &mut Run<'_>, skill: &Skill, min: Option<f64>) -> Result<ProveReply, Failure> {
    let linted = linted(run, skill)?;
    let outline = outline_of(run, skill, HEADING_LEVEL_MAX).await?;
    let figures = Figures {
        loads: loads::loads(&linted),
        chosen: chosen::chosen(run, skill, &linted, queries(&outline)).await?,
        reached: reached::reached(run.app, skill, &outline).await?,
        followed: followed::followed(run.app, skill, &linted).await?,
    };
    Ok(ProveReply::new(skill, figures, min))
}

fn linted(run: &mut Run<'_>, skill: &Skill) -> Result<LintedSkill, Failure> {
    let engine = Engine::new(run.app)?;
    lint_skill(run, &engine, &skill.path, Trust::Author, &[])
}

/// Requests made from the headings of SKILL.md, which is what a ranking knows of a skill, down to the third level: deeper ones are
/// details.
fn queries(outline: &[OutlineFile]) -> Vec<String> {
    const LEVEL_MAX: u8 = 3;
    let headings = outline.iter().filter(|file| file.file == SKILL_FILE).flat_map(|file| &file.headings);
    heading_queries(
        headings.filter(|heading| heading.level <= LEVEL_MAX).map(|heading| heading.text.as_str()),
    )
}
