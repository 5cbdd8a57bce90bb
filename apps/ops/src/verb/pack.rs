//! `skc pack` (RFC-0015).

use crate::failure::Failure;
use crate::operation::{Operation, Surface};
use crate::pack::{PackReply, Packing, check, pack};
use crate::pattern::parse_pattern;
use crate::run::Run;
use crate::written::Allowed;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::Fault;
use skillc_lint::pack::{PACK_TARGETS, PackTarget, find};

/// Pack a skill into an archive that a store accepts, or check why a store would refuse one.
///
/// The same skill yields the same bytes on every system. Nothing is written if the store would refuse it.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackRequest {
    /// Name or path of the skill.
    #[arg(required_unless_present = "check")]
    pub skill: Option<String>,
    /// What the archive is for: claude, api, gemini, well-known or all [default: claude; with --check: all].
    #[arg(long = "for", value_name = "STORE")]
    pub r#for: Option<String>,
    /// The archive to write, instead of one named after the skill in the working directory.
    #[arg(long, value_name = "FILE")]
    pub output: Option<String>,
    /// Leave out files and folders that match this pattern, relative to the skill.
    #[arg(long, value_name = "PATTERN")]
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Check this archive, and write nothing; exit with status 1 if no store accepts it.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["skill", "output", "exclude", "follow", "force"])]
    pub check: Option<String>,
    /// Write through a link that leads out of its folder, if the link and the file are yours.
    #[arg(long)]
    #[serde(default)]
    pub follow: bool,
    /// Replace a file that skc did not write.
    #[arg(long)]
    #[serde(default)]
    pub force: bool,
}

/// Implements `skc pack`.
pub struct Pack;

impl Operation for Pack {
    const NAME: &'static str = "pack";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = true;
    const EXAMPLES: &'static str = "skc pack my-skill\nskc pack my-skill --for api --output skill.zip\n\
                                    skc pack my-skill --for all --exclude 'fixtures/*'\nskc pack --check my-skill.skill";
    type Request = PackRequest;
    type Reply = PackReply;

    async fn run(run: &mut Run<'_>, request: PackRequest) -> Result<PackReply, Failure> {
        if let Some(file) = &request.check {
            return check(run, file, &targets(request.r#for.as_deref().unwrap_or("all"))?);
        }
        let excluded = request.exclude.iter().map(|pattern| parse_pattern(pattern));
        let packing = Packing {
            skill: request.skill.as_deref().unwrap_or_default(),
            targets: &targets(request.r#for.as_deref().unwrap_or("claude"))?,
            excluded: &excluded.collect::<Result<Vec<_>, _>>()?,
            output: request.output.as_deref(),
            allowed: Allowed { follows: request.follow, is_forced: request.force },
        };
        pack(run, &packing)
    }
}

fn targets(word: &str) -> Result<Vec<&'static PackTarget>, Fault> {
    if word == "all" {
        return Ok(PACK_TARGETS.to_vec());
    }
    let known = PACK_TARGETS.map(|target| target.id).join(", ");
    let unknown = || Fault::invalid_argument("for", format!("must be one of: {known}, all; got '{word}'"));
    Ok(vec![find(word).ok_or_else(unknown)?])
}
