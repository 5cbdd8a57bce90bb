//! How the specification and each client treat a linted skill.

use super::skill::LintedSkill;
use schemars::JsonSchema;
use serde::Serialize;
use skillc_domain::text::lines;
use skillc_lint::verdict::{Compatibility, PROFILES, Profile, SkillMdFacts};
use skillc_lint::view::LintFile;

/// A reason for a verdict.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LintReason {
    /// The consequence.
    #[serde(rename = "standing")]
    pub compatibility: &'static str,
    /// The fact.
    pub message: String,
    /// 1-based line of SKILL.md, if it concerns one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The source of this behavior.
    pub source: &'static str,
}

/// How the specification or a client treats the skill.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LintVerdict {
    /// As `--profile` takes it.
    pub profile: &'static str,
    /// `valid` or `invalid` for the specification; `loads`, `degraded` or `dropped` for a client.
    #[serde(rename = "standing")]
    pub compatibility: &'static str,
    /// Why.
    pub reasons: Vec<LintReason>,
    /// Whether the skill can be used.
    #[serde(skip)]
    pub is_usable: bool,
}

/// A client that does not load the skill.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LintDrop {
    /// As `--profile` takes it.
    pub client: &'static str,
    /// Why.
    pub why: String,
}

/// How each profile treats a skill; empty without a readable SKILL.md.
pub fn verdicts(linted: &LintedSkill, profiles: &[&'static Profile]) -> Vec<LintVerdict> {
    let skill_md = linted.skill_md();
    profiles.iter().filter_map(|profile| verdict(profile, &linted.context.folder, skill_md?)).collect()
}

/// The clients among these profiles that do not load a skill; all clients are considered if there are none among
/// them.
pub fn drops(linted: &LintedSkill, profiles: &[&'static Profile]) -> Vec<LintDrop> {
    let skill_md = linted.skill_md();
    clients(profiles).filter_map(|profile| drop_by(profile, &linted.context.folder, skill_md?)).collect()
}

fn verdict(profile: &'static Profile, folder: &str, file: &LintFile) -> Option<LintVerdict> {
    let (text, markup) = (file.text.as_deref()?, file.markup.as_ref()?);
    let facts = SkillMdFacts {
        folder,
        text,
        span: markup.front_matter.clone(),
        front: &file.front,
        body: &text[markup.body_start()..],
    };
    let verdict = (profile.judge)(&facts);
    let line = |at: usize| u32::try_from(lines::breaks(&text.as_bytes()[..at]) + 1).unwrap_or(u32::MAX);
    let reasons = verdict.reasons.iter().map(|reason| LintReason {
        compatibility: reason.compatibility.word(),
        message: reason.message.clone(),
        line: reason.at.as_ref().map(|at| line(at.start)),
        source: reason.source,
    });
    Some(LintVerdict {
        profile: profile.id,
        compatibility: verdict.compatibility.word(),
        reasons: reasons.collect(),
        is_usable: !matches!(verdict.compatibility, Compatibility::Invalid | Compatibility::Dropped),
    })
}

/// The clients to report: the requested ones, or all.
fn clients(chosen: &[&'static Profile]) -> impl Iterator<Item = &'static Profile> {
    let is_client = |profile: &&&'static Profile| profile.id != "spec";
    let all = if chosen.iter().any(|profile| profile.id != "spec") { chosen } else { PROFILES };
    all.iter().filter(is_client).copied().collect::<Vec<_>>().into_iter()
}

fn drop_by(profile: &'static Profile, folder: &str, file: &LintFile) -> Option<LintDrop> {
    let verdict = verdict(profile, folder, file).filter(|verdict| !verdict.is_usable)?;
    let reasons =
        verdict.reasons.iter().filter(|reason| reason.compatibility == Compatibility::Dropped.word());
    let why: Vec<&str> = reasons.map(|reason| reason.message.as_str()).collect();
    Some(LintDrop { client: profile.id, why: why.join("; ") })
}
