//! The reply of `skc prove`.

use crate::lint::client_verdicts::LintDrop;
use crate::render::{counted, plain};
use crate::skill::Skill;
use schemars::JsonSchema;
use serde::Serialize;
use skillc_domain::fault::Fault;
use skillc_domain::proof::Spread;
use std::path::PathBuf;

/// Which clients load the skill.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct LoadFigure {
    /// The share of clients that load it.
    pub score: Option<f64>,
    /// Clients whose behavior is known.
    pub clients: usize,
    /// Those that offer it.
    pub loading: usize,
    /// Those among them that drop or change a part of it.
    pub degraded: Vec<String>,
    /// Those that do not load it, with the reason.
    pub dropped_by: Vec<LintDrop>,
}

/// How many queries were answered as they should be.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct QueryRate {
    /// The file that holds them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Queries with the expected result: the skill was first, or was not if it should not be.
    pub right: usize,
    /// All of them.
    pub total: usize,
}

/// A query without the expected result.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LostQuery {
    /// The query.
    pub query: String,
    /// Whether it should trigger the skill.
    pub should_trigger: bool,
    /// The first result; `null` if nothing was found.
    pub winner: Option<String>,
    /// Rank of the skill itself, from 1; `null` if it was not found.
    pub rank: Option<usize>,
}

/// How often the skill ranks first. The ranking of `find` stands in for an agent's model, which may choose
/// differently.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ChoiceFigure {
    /// The share of its own trigger queries that are right; if it has none, of those made from its headings.
    pub score: Option<f64>,
    /// The skills that compete, itself included.
    pub skills: usize,
    /// How they were ranked: `hybrid`, or `lexical` without a model.
    pub mode: String,
    /// The author's trigger queries, if the skill has any.
    pub own: Option<QueryRate>,
    /// Requests made from its headings.
    pub headings: QueryRate,
    /// Queries for which another skill wrongly ranks first, or this one does.
    pub lost: Vec<LostQuery>,
    /// Queries that were not run because time ran out.
    #[serde(skip_serializing_if = "is_zero")]
    pub unasked: usize,
    /// Why the semantic score was not used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The median and the maximum of some values.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct SpreadReply {
    /// The median.
    pub median: u64,
    /// The maximum.
    pub worst: u64,
}

impl From<Spread> for SpreadReply {
    fn from(spread: Spread) -> Self {
        Self { median: spread.median, worst: spread.worst }
    }
}

/// A section that is not reached within three calls.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FarSection {
    /// Path of its file, relative to the skill.
    pub file: String,
    /// Its heading.
    pub section: String,
    /// The line of its heading.
    pub line: u32,
    /// Number of calls needed; `null` if none shows it.
    pub calls: Option<u32>,
}

/// How an agent gets from the stub to each section without subsections.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ReachFigure {
    /// The share of sections that are reached within three calls.
    pub score: Option<f64>,
    /// All sections.
    pub sections: usize,
    /// Number of sections tried; an even selection for a large skill.
    pub measured: usize,
    /// Selected sections that were not tried because time ran out.
    #[serde(skip_serializing_if = "is_zero")]
    pub unmeasured: usize,
    /// Those that are reached within three calls.
    pub reached: usize,
    /// Number of calls per section.
    pub calls: Option<SpreadReply>,
    /// Bytes returned by these calls.
    pub bytes: Option<SpreadReply>,
    /// Bytes of the stub, which precede each of them.
    pub stub_bytes: u64,
    /// The sections that take more calls.
    pub far: Vec<FarSection>,
    /// Why a build refuses the skill.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl ReachFigure {
    /// For a skill that a build refuses.
    pub fn unbuilt(fault: &Fault) -> Self {
        Self { score: Some(0.0), reason: Some(fault.line()), ..Self::default() }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A file that SKILL.md names.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FollowedStep {
    /// Path relative to the skill.
    pub file: String,
    /// Number of sessions that opened or ran it.
    pub sessions: usize,
}

/// What the sessions that used the skill did.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct FollowFigure {
    /// The share of the steps that a session carried out, on average; `null` without sessions or steps.
    pub score: Option<f64>,
    /// Sessions that used the skill.
    pub sessions: usize,
    /// The files that SKILL.md names.
    pub steps: Vec<FollowedStep>,
}

/// The results of all measures.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Figures {
    /// Which clients load it.
    pub loads: LoadFigure,
    /// How often it ranks first.
    pub chosen: ChoiceFigure,
    /// How its sections are reached.
    pub reached: ReachFigure,
    /// What sessions did with it. Not part of the score, since it depends on their tasks.
    pub followed: FollowFigure,
}

/// The verdict on a skill.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProveReply {
    /// Its name.
    pub skill: String,
    /// Its folder.
    pub path: PathBuf,
    /// The lowest of `loads`, `chosen` and `reached`, from 0 to 1; `null` if none could be measured.
    pub score: Option<f64>,
    /// Which of them is the lowest.
    pub weakest: Option<&'static str>,
    /// What was not measured, or only in part, because thirty seconds had passed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmeasured: Vec<String>,
    /// The score to reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The figures.
    #[serde(flatten)]
    pub figures: Figures,
}

impl ProveReply {
    /// The verdict for these figures, without the measures that are missing.
    pub fn new(skill: &Skill, figures: Figures, missing: &[&str], min: Option<f64>) -> Self {
        let scores = [
            ("loads", figures.loads.score),
            ("chosen", figures.chosen.score),
            ("reached", figures.reached.score),
        ];
        let known = scores.into_iter().filter_map(|(name, score)| Some((name, score?)));
        let least = known.min_by(|one, other| one.1.total_cmp(&other.1));
        Self {
            skill: skill.name.clone(),
            path: skill.path.clone(),
            score: least.map(|(_, score)| score),
            weakest: least.map(|(name, _)| name),
            unmeasured: unmeasured(&figures, missing),
            min,
            figures,
        }
    }

    /// Whether the score is too low. One that could not be fully measured is, too.
    pub fn is_below_min(&self) -> bool {
        let is_below = |min| self.score.is_none_or(|score| score < min) || !self.unmeasured.is_empty();
        self.min.is_some_and(is_below)
    }

    /// Each measure with its score and an explanation.
    pub fn rows(&self) -> [[String; 3]; 4] {
        let Figures { loads, chosen, reached, followed } = &self.figures;
        let row = |name: &str, score: Option<f64>, detail| {
            let is_missing = self.unmeasured.iter().any(|missing| missing == name);
            let detail = if is_missing { "not measured: out of time".to_owned() } else { detail };
            [name.to_owned(), score.map_or("no data".to_owned(), percent), detail]
        };
        [
            row("loads", loads.score, load_detail(loads)),
            row("chosen", chosen.score, choice_detail(chosen)),
            row("reached", reached.score, reach_detail(reached)),
            row("followed", followed.score, follow_detail(followed)),
        ]
    }

    /// The verdict in one line.
    pub fn verdict(&self) -> String {
        let min = self.min.map(|min| format!("; at least {} required", percent(min))).unwrap_or_default();
        match self.score.zip(self.weakest) {
            Some((score, weakest)) if score < 1.0 => {
                format!("{}: {} (weakest: {weakest}){min}", plain(&self.skill), percent(score))
            }
            Some((score, _)) => format!("{}: {}{min}", plain(&self.skill), percent(score)),
            None => format!("{}: nothing to measure{min}", plain(&self.skill)),
        }
    }

    /// What lowers the figures, one item per line.
    pub fn shortfalls(&self) -> Vec<String> {
        let Figures { loads, chosen, reached, followed } = &self.figures;
        let dropped =
            loads.dropped_by.iter().map(|drop| format!("not loaded by {}: {}", drop.client, drop.why));
        let lost = chosen.lost.iter().map(lost_line);
        let reason = reached.reason.iter().map(|reason| format!("not built: {reason}"));
        let far = reached.far.iter().map(far_line);
        let is_idle = |step: &&FollowedStep| followed.sessions > 0 && step.sessions == 0;
        let idle =
            followed.steps.iter().filter(is_idle).map(|step| format!("never opened or run: {}", step.file));
        let cut = self.unmeasured.iter().map(|what| format!("not measured, out of time: {what}"));
        cut.chain(dropped).chain(reason).chain(lost).chain(far).chain(idle).map(|text| plain(&text)).collect()
    }
}

/// The missing measures, and the parts that the others lack.
fn unmeasured(figures: &Figures, missing: &[&str]) -> Vec<String> {
    let mut all: Vec<String> = missing.iter().map(|name| (*name).to_owned()).collect();
    let Figures { chosen, reached, .. } = figures;
    let total = chosen.own.as_ref().map_or(0, |own| own.total) + chosen.headings.total + chosen.unasked;
    if chosen.unasked > 0 {
        all.push(format!("{} of {total} queries of chosen", chosen.unasked));
    }
    if reached.unmeasured > 0 {
        let drawn = reached.measured + reached.unmeasured;
        all.push(format!("{} of {drawn} sections of reached", reached.unmeasured));
    }
    all
}

/// A score as a whole percentage, rounded down, so that only a full score is 100 %.
pub fn percent(score: f64) -> String {
    format!("{:.0} %", (score * 100.0 + 1e-9).floor())
}

fn load_detail(loads: &LoadFigure) -> String {
    let degraded = match loads.degraded.is_empty() {
        true => String::new(),
        false => format!("; in part by {}", loads.degraded.join(", ")),
    };
    format!("{} of {} clients{degraded}", loads.loading, loads.clients)
}

fn choice_detail(chosen: &ChoiceFigure) -> String {
    let rate = |rate: &QueryRate, of: &str| match rate.total {
        0 => format!("no queries {of}"),
        total => {
            format!("{} of {} {of}", rate.right, counted(total as u64, "query"))
        }
    };
    let own = chosen.own.as_ref().map(|own| {
        format!("{}; ", rate(own, &format!("of {}", plain(own.file.as_deref().unwrap_or_default()))))
    });
    let note = chosen.note.as_ref().map(|note| format!("; {note}")).unwrap_or_default();
    let skills = counted(chosen.skills as u64, "skill");
    format!(
        "{}{}, among {skills}{note}",
        own.unwrap_or_default(),
        rate(&chosen.headings, "made from headings")
    )
}

fn reach_detail(reached: &ReachFigure) -> String {
    let Some((calls, bytes)) = reached.calls.zip(reached.bytes) else { return "no sections".to_owned() };
    let drawn = match reached.measured < reached.sections {
        true => format!(" drawn from {}", reached.sections),
        false => String::new(),
    };
    format!(
        "{} of {}{drawn} within 3 calls; median {}, worst {}; stub of {} bytes",
        reached.reached,
        counted(reached.measured as u64, "section"),
        taken(calls.median, bytes.median),
        taken(calls.worst, bytes.worst),
        reached.stub_bytes
    )
}

fn taken(calls: u64, bytes: u64) -> String {
    format!("{} and {}", counted(calls, "call"), counted(bytes, "byte"))
}

fn follow_detail(followed: &FollowFigure) -> String {
    let done = followed.steps.iter().filter(|step| step.sessions > 0).count();
    let steps = counted(followed.steps.len() as u64, "file");
    match (followed.sessions, followed.steps.len()) {
        (0, _) => "no session that used it was imported ('skc history import')".to_owned(),
        (_, 0) => "SKILL.md names no files whose use can be seen".to_owned(),
        (sessions, _) => {
            let sessions = counted(sessions as u64, "session");
            format!(
                "{done} of {steps} that SKILL.md names opened or run in {sessions}; not part of the score"
            )
        }
    }
}

fn lost_line(lost: &LostQuery) -> String {
    let winner = lost.winner.as_deref().unwrap_or("nothing");
    match (lost.should_trigger, lost.rank) {
        (false, _) => format!("'{}': comes first, but should not", lost.query),
        (true, Some(rank)) => format!("'{}': won by {winner}, itself in place {rank}", lost.query),
        (true, None) => format!("'{}': won by {winner}, itself not found", lost.query),
    }
}

fn far_line(far: &FarSection) -> String {
    let takes = far.calls.map_or("not reached".to_owned(), |calls| format!("takes {calls} calls"));
    format!("{}:{} '{}': {takes}", far.file, far.line, far.section)
}
