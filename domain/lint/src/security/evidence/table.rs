//! The evidence for each security rule: what could happen, and when a finding is more than a hint.

use super::finding_context::FindingContext;
use super::{commands, wordings};
use crate::confidence::Confidence;

/// The evidence for a security rule.
#[derive(Clone, Copy)]
pub struct RuleEvidence {
    /// Id of the rule.
    pub rule: &'static str,
    /// Who is at risk of what, in one line.
    pub risk: &'static str,
    /// When a finding has high confidence, in words.
    pub certain: &'static str,
    /// Whether the finding is a fact about the file, regardless of whom its text addresses.
    pub is_fact: bool,
    /// Computes the confidence of a finding.
    pub(super) judge: fn(&FindingContext<'_>) -> Confidence,
}

const fn row(
    rule: &'static str,
    risk: &'static str,
    certain: &'static str,
    is_fact: bool,
    judge: fn(&FindingContext<'_>) -> Confidence,
) -> RuleEvidence {
    RuleEvidence { rule, risk, certain, is_fact, judge }
}

/// Sorted by rule id.
pub static EVIDENCE: &[RuleEvidence] = &[
    row(
        "SKL501",
        "anyone who loads the skill: the agent reads orders that no reviewer sees",
        "They spell a text, or stand in the text of a Markdown file outside quotations.",
        true,
        wordings::unseen_characters,
    ),
    row(
        "SKL502",
        "a reviewer: the line that is shown is not the line that is run",
        "A direction control without text that needs it.",
        true,
        commands::always,
    ),
    row(
        "SKL503",
        "anyone who chooses by name: the word is not the one it looks like",
        "The word is in the front matter or in a command.",
        true,
        wordings::mixed_letters,
    ),
    row(
        "SKL504",
        "anyone who loads the skill: the agent obeys text that the page does not show",
        "A comment of a Markdown file addresses an agent and asks for a deed against the user.",
        false,
        wordings::unseen,
    ),
    row(
        "SKL505",
        "anyone who loads the skill: the agent drops the rules it was given",
        "A sentence to the agent sets its instructions or its limits aside, outside quotations, tables and warnings.",
        false,
        wordings::overriding,
    ),
    row(
        "SKL506",
        "the user: the agent does something and is told not to say so",
        "A sentence to the agent keeps something that matters, or the use of the skill, from a person.",
        false,
        wordings::concealing,
    ),
    row(
        "SKL507",
        "everyone who has the skill installed: the order is in every context",
        "The description orders the agent to set its instructions aside.",
        false,
        wordings::described,
    ),
    row(
        "SKL508",
        "whoever runs it: the server decides at that moment what is run",
        "A script pipes a download into an interpreter, a command does so without TLS, or a password hides the archive.",
        false,
        commands::download,
    ),
    row(
        "SKL509",
        "anyone who loads the skill: whoever owns the address commands the agent",
        "A sentence tells the agent to follow the rules or the prompt that an address answers.",
        false,
        wordings::remote,
    ),
    row(
        "SKL510",
        "whoever runs it: nobody can tell who answers at the address",
        "A script or a command uses the address.",
        false,
        commands::number_address,
    ),
    row(
        "SKL511",
        "whoever runs it: anyone on the network can replace what comes back",
        "A script fetches from the address.",
        false,
        commands::open_address,
    ),
    row(
        "SKL512",
        "the user: what the agent knows leaves in a request",
        "A script puts private data into an address, or the agent is told to show such a picture.",
        false,
        commands::in_address,
    ),
    row(
        "SKL513",
        "the user: private data goes to another machine and cannot be recalled",
        "A script or a command of SKILL.md sends private files or the environment.",
        false,
        commands::sent,
    ),
    row(
        "SKL514",
        "the owner of the key: everyone who has the skill can use it",
        "A key in the form of a known issuer.",
        false,
        commands::secret,
    ),
    row(
        "SKL515",
        "whoever runs it: nobody could read what is run",
        "A script, or a command that the text asks for, runs what it decodes.",
        false,
        commands::decoded,
    ),
    row(
        "SKL516",
        "whoever runs it: nobody could read what is in it",
        "Never certain: data looks the same.",
        false,
        commands::hint,
    ),
    row(
        "SKL517",
        "the user: files are gone, and there may be no copy",
        "A script runs the command.",
        false,
        commands::destructive,
    ),
    row(
        "SKL518",
        "the owner of the machine: a mistake or an attack reaches all of it",
        "A script takes the rights, or makes them last.",
        false,
        commands::privileged,
    ),
    row(
        "SKL519",
        "the user: something goes on running after the skill is gone",
        "A script runs the command.",
        false,
        commands::lasting,
    ),
    row(
        "SKL520",
        "the user: the agent behaves differently in all later sessions",
        "A script changes the settings, or a command switches approvals off.",
        false,
        commands::agent_settings,
    ),
    row(
        "SKL521",
        "the user: the agent may run any command without a question",
        "The field grants it.",
        true,
        commands::always,
    ),
    row(
        "SKL522",
        "the user: a command runs before anyone has read the skill",
        "Claude Code runs it, and it fetches, writes or reads credentials.",
        true,
        commands::always,
    ),
    row(
        "SKL523",
        "whoever installs: the next release runs unseen",
        "A script installs from an address without a commit.",
        false,
        commands::unpinned,
    ),
    row(
        "SKL524",
        "a reviewer: what is inside is not looked at",
        "The bytes say so, unless a test has a stand-in.",
        true,
        commands::disguised,
    ),
    row(
        "SKL525",
        "whoever installs: files outside of the skill are read as part of it",
        "The link leads out.",
        true,
        commands::always,
    ),
    row(
        "SKL526",
        "a reviewer: text stands where nobody scrolls to",
        "The gap is there.",
        false,
        commands::always,
    ),
    row(
        "SKL527",
        "the user: keys are read, and may be shown or sent",
        "A script reads a private key, a password store or a wallet.",
        false,
        commands::credentials,
    ),
    row(
        "SKL528",
        "the user: every key in the environment is copied",
        "A script copies the whole environment and keeps or sends it.",
        false,
        commands::environment,
    ),
    row(
        "SKL529",
        "whoever runs it: data from elsewhere is run as code",
        "A script of the skill does so.",
        false,
        commands::dynamic,
    ),
    row(
        "SKL530",
        "whoever runs it: anyone on the network can read and change what is sent",
        "A script or a command does so, and no option asks for it.",
        false,
        commands::unchecked_tls,
    ),
    row(
        "SKL531",
        "whoever runs it: the file that runs is not shown in listings",
        "A script runs it.",
        false,
        commands::run_by_script,
    ),
    row(
        "SKL532",
        "whoever opens the file: a program in it runs",
        "The file holds one.",
        false,
        commands::always,
    ),
    row(
        "SKL534",
        "anyone who chooses: the skill is not from whom it says",
        "One clause makes the claim.",
        false,
        wordings::posing,
    ),
    row(
        "SKL535",
        "the user's other projects: the skill spreads to them",
        "A sentence orders the agent to do so.",
        false,
        wordings::spreading,
    ),
    row(
        "SKL536",
        "the user: the skill is loaded where another would serve better",
        "The description says so, and nothing of when not to use it.",
        false,
        commands::baiting,
    ),
    row(
        "SKL537",
        "whoever installs: the package may be an attacker's",
        "Two letters of a popular name have changed places.",
        false,
        commands::near_name,
    ),
    row(
        "SKL538",
        "whoever runs it: the host is one that attackers like to use",
        "A script sends to a collector.",
        false,
        commands::odd_host,
    ),
    row(
        "SKL539",
        "the user: the skill stops and asks, or does what it did not declare",
        "The field does not grant it.",
        true,
        commands::always,
    ),
    row(
        "SKL540",
        "whoever opens it: the address holds a program",
        "Never certain: examples look the same.",
        false,
        commands::hint,
    ),
    row(
        "SKL541",
        "the user: one skill passes on what another was given",
        "A sentence orders the agent to do so.",
        false,
        wordings::spreading,
    ),
    row(
        "SKL542",
        "the operator: the agent's own instructions are shown",
        "A sentence orders the agent to show its own instructions.",
        false,
        wordings::leaking,
    ),
    row(
        "SKL543",
        "the user: the command cannot be undone",
        "A script runs the command.",
        false,
        commands::destructive,
    ),
    row(
        "SKL544",
        "whoever runs it: files outside of the skill are used",
        "A script or a command goes there.",
        false,
        commands::climbing,
    ),
];
