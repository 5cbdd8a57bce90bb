//! `skc publish` (RFC-0015:C-PUBLISH, C-PUBLISH-CHECK).

use crate::failure::Failure;
use crate::lint::chosen::{LintScope, chosen};
use crate::one_or_many::one_or_many;
use crate::operation::{Operation, Surface};
use crate::pack::{PublishReply, check_site, publish};
use crate::run::Run;
use crate::written::Allowed;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::Fault;
use skillc_lint::pack::WELL_KNOWN;

/// Publish skills on a web site: an index that agents discover, with digests and archives, for any static server.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PublishRequest {
    /// Skills, or folders of skills; without any, the project's skills.
    #[serde(default, deserialize_with = "one_or_many")]
    pub skill: Vec<String>,
    /// The folder that the server serves as its root; the index is .well-known/agent-skills/index.json in it.
    #[arg(long, value_name = "DIR", required_unless_present = "check")]
    pub well_known: Option<String>,
    /// Read the skills of this site as a client does, and write nothing; exit with status 1 if one would be refused.
    #[arg(long, value_name = "URL", conflicts_with_all = ["skill", "well_known", "follow", "force"])]
    pub check: Option<String>,
    /// Write through a link that leads out of its folder, if the link and the file are yours.
    #[arg(long)]
    #[serde(default)]
    pub follow: bool,
    /// Replace files that skc did not write.
    #[arg(long)]
    #[serde(default)]
    pub force: bool,
}

/// Implements `skc publish`.
pub struct Publish;

impl Operation for Publish {
    const NAME: &'static str = "publish";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = true;
    const EXAMPLES: &'static str = "skc publish --well-known public\nskc publish my-skill ./skills/other --well-known public\n\
         skc publish --check https://skills.example";
    type Request = PublishRequest;
    type Reply = PublishReply;

    async fn run(run: &mut Run<'_>, request: PublishRequest) -> Result<PublishReply, Failure> {
        if let Some(address) = &request.check {
            let own = chosen(run, &[], LintScope::Project).unwrap_or_default();
            return check_site(run, address, &WELL_KNOWN, &own);
        }
        let missing = || Fault::invalid_argument("well-known", "must name a folder");
        let root = request.well_known.as_deref().ok_or_else(missing)?;
        let skills = chosen(run, &request.skill, LintScope::Project)?;
        let allowed = Allowed { follows: request.follow, is_forced: request.force };
        publish(run, &skills, &WELL_KNOWN, root, allowed)
    }
}
