//! `skc slim` (RFC-0014:C-SLIM): proposals that make skills cost less, based on what agents did.

use crate::failure::Failure;
use crate::operation::{Operation, Surface};
use crate::render::{Render, View, line, plain};
use crate::resolve::resolve;
use crate::run::Run;
use crate::slim::{SlimProposal, apply, proposals};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::Fault;

/// Propose changes that make skills cost less, based on what agents did with them.
///
/// It looks for skills that are offered and never used, descriptions that a client truncates, sections that are never
/// read or always read together, and files of which only one part is read. Nothing is changed without '--apply'; each
/// change is first replayed against the recorded reads.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlimRequest {
    /// Name or path of the skill [default: every one that the histories name].
    pub skill: Option<String>,
    /// Apply the proposal with this id, or 'all'; may be repeated.
    #[arg(long, value_name = "ID")]
    #[serde(default)]
    pub apply: Vec<String>,
}

/// Proposals, and which of them were applied.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SlimReply {
    /// The proposals, those that save the most first.
    pub proposals: Vec<SlimProposal>,
    /// Ids of the proposals that were applied.
    pub applied: Vec<String>,
}

/// The id that selects every proposal.
const ALL: &str = "all";

/// Implements `skc slim`.
pub struct Slim;

impl Operation for Slim {
    const NAME: &'static str = "slim";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = false;
    const EXAMPLES: &'static str = "skc slim\nskc slim my-skill\nskc slim --apply disable:my-skill";
    type Request = SlimRequest;
    type Reply = SlimReply;

    async fn run(run: &mut Run<'_>, request: SlimRequest) -> Result<SlimReply, Failure> {
        let skill = request.skill.as_deref().map(|given| resolve(run.app, given)).transpose()?;
        let proposals = proposals(run, skill.as_ref()).await?;
        let is_known = |id: &&String| *id == ALL || proposals.iter().any(|proposal| proposal.id == **id);
        if let Some(unknown) = request.apply.iter().find(|id| !is_known(id)) {
            let message = format!("there is no proposal '{}'", plain(unknown));
            return Err(Fault::refused_option(message, "run 'skc slim' to list them").into());
        }
        let is_all = request.apply.iter().any(|id| id == ALL);
        let selected: Vec<&str> = proposals
            .iter()
            .filter(|proposal| is_all && proposal.obstacle.is_none() || request.apply.contains(&proposal.id))
            .map(|proposal| proposal.id.as_str())
            .collect();
        let mut applied = Vec::new();
        // Applying a proposal changes the texts that the remaining ones refer to.
        let mut left = proposals.clone();
        for (at, id) in selected.iter().enumerate() {
            if at > 0 {
                left = crate::slim::proposals(run, skill.as_ref()).await?;
            }
            let Some(proposal) = left.iter().find(|proposal| proposal.id == *id) else {
                if !is_all {
                    let message =
                        format!("'{}' no longer applies after '{}'", plain(id), applied.join("', '"));
                    run.part_failed(Fault::invalid_option(message).into());
                }
                continue;
            };
            match apply(run.app, proposal) {
                Ok(()) => applied.push((*id).to_owned()),
                Err(failure) => run.part_failed(failure),
            }
        }
        Ok(SlimReply { proposals, applied })
    }
}

impl Render for SlimReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        if !self.applied.is_empty() {
            for id in &self.applied {
                line(out, format!("{} {}", view.good("Applied"), plain(id)));
            }
            return line(
                out,
                view.faint("'skc undo' reverts changes of files, 'skc enable' switches a skill on again"),
            );
        }
        for proposal in &self.proposals {
            render_proposal(proposal, view, out);
        }
        match self.proposals.is_empty() {
            true => line(out, "Nothing to propose; 'skc history import' may find more"),
            false => line(out, view.faint("Nothing was changed; 'skc slim --apply ID' applies a proposal")),
        }
    }
}

fn render_proposal(proposal: &SlimProposal, view: &View, out: &mut Vec<u8>) {
    line(out, view.strong(plain(&proposal.id)));
    line(out, format!("  {}", plain(&proposal.reason)));
    let SlimProposal { tokens, times, .. } = proposal;
    let unit = if matches!(proposal.kind, "move" | "split") { "reads of the file" } else { "sessions" };
    line(out, format!("  saves about {tokens} tokens, {} in {times} recorded {unit}", tokens * times));
    if proposal.replayed > 0 {
        line(
            out,
            format!("  {} recorded reads replayed, {} would have failed", proposal.replayed, proposal.missed),
        );
    }
    if let Some(obstacle) = &proposal.obstacle {
        line(out, view.careful(format!("  {}", plain(obstacle))));
    }
    proposal.diff.lines().for_each(|text| line(out, format!("  {}", plain(text))));
}
