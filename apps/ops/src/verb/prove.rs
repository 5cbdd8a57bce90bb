//! `skc prove` (RFC-0016:C-PROVE).

use crate::failure::Failure;
use crate::operation::{Operation, Surface};
use crate::prove::{PROOF_TIME, ProofTime, ProveReply, badge, is_badge, prove};
use crate::resolve::{resolve, typed};
use crate::run::Run;
use crate::written::{self, Allowed};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::Fault;

/// Measure whether a skill works: do clients load it, is it chosen, are its sections reached, is it followed?
///
/// Runs offline within half a minute. The score is the lowest of the first three.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProveRequest {
    /// Name or path of the skill.
    pub skill: String,
    /// Fail if the score is below this, from 0 to 1.
    #[arg(long, value_name = "SCORE")]
    pub min: Option<f64>,
    /// Write a badge with the score: JSON for .json, else SVG.
    #[arg(long, value_name = "FILE")]
    pub badge: Option<String>,
    /// Write through a link that leads out of its folder, if the link and the file are yours.
    #[arg(long, requires = "badge")]
    #[serde(default)]
    pub follow: bool,
    /// Replace a file that skc did not write.
    #[arg(long, requires = "badge")]
    #[serde(default)]
    pub force: bool,
}

/// Implements `skc prove`.
pub struct Prove;

impl Operation for Prove {
    const NAME: &'static str = "prove";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = true;
    const FORMATS: &'static [&'static str] = &["text", "json", "markdown"];
    const EXAMPLES: &'static str = "skc prove my-skill\nskc prove ./skills/my-skill --min 0.9\n\
                                    skc prove my-skill --badge skill.svg\nskc prove my-skill --format markdown";
    type Request = ProveRequest;
    type Reply = ProveReply;

    async fn run(run: &mut Run<'_>, request: ProveRequest) -> Result<ProveReply, Failure> {
        if let Some(min) = request.min.filter(|min| !(0.0..=1.0).contains(min)) {
            return Err(Fault::invalid_argument("min", format!("must be between 0 and 1, got {min}")).into());
        }
        let time = ProofTime::new(PROOF_TIME);
        let skill = resolve(run.app, &request.skill)?;
        run.uses(&skill);
        let reply = prove(run, &skill, request.min, time)?;
        if let Some(file) = &request.badge {
            let path = typed(run.app, file);
            let allowed = Allowed { follows: request.follow, is_forced: request.force };
            written::write(run.app, &path, &badge(&path, reply.score), allowed, &is_badge)?;
        }
        Ok(reply)
    }
}
