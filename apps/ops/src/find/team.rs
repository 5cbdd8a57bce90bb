//! Searching a team's catalog (RFC-0003:C-TEAM-FIND).

use crate::app::App;
use crate::catalog::{Ask, read_with_hidden};
use crate::failure::Failure;
use crate::policy::with_policy;
use crate::source::source_hash;
use crate::team::Team;
use skillc_domain::digest::Digest;
use skillc_domain::discovery::find::{Evidence, Mode, Parts, Ranked, Reason, by_evidence, by_rule};
use skillc_domain::discovery::skill::{CatalogSkill, SkillKind, SkillScope};
use skillc_domain::discovery::words::words;
use skillc_domain::limits::FIND_CANDIDATES;
use skillc_domain::team::PublishedSkill;
use skillc_ports::{PortError, ScoredSkill};
use std::collections::HashSet;
use std::path::PathBuf;

/// What is asked of a team's catalog.
pub struct TeamAsk<'a> {
    /// The request.
    pub request: &'a str,
    /// How skills are looked for.
    pub mode: Mode,
    /// The model, where the mode needs one.
    pub model: Option<&'a str>,
    /// Results at most.
    pub limit: usize,
}

/// A skill of the team that was found.
#[derive(Debug)]
pub struct TeamHit {
    /// What is told of it.
    pub skill: PublishedSkill,
    /// 0 to 1; more is better.
    pub score: f64,
    /// Why it was found.
    pub reason: Reason,
    /// What each part of the search says.
    pub parts: Parts,
    /// Whether a skill of this name with the very same files is on this machine.
    pub installed: bool,
}

/// What was found.
#[derive(Debug)]
pub struct TeamAnswer {
    /// The organisation.
    pub org: String,
    /// Best first.
    pub hits: Vec<TeamHit>,
    /// Whether there were more.
    pub truncated: bool,
    /// Skills found by their words that have no vector of the model.
    pub without_vector: usize,
}

/// What the server found, by ids.
#[derive(Default)]
struct Clues {
    lexical: Vec<ScoredSkill>,
    semantic: Vec<ScoredSkill>,
    unknown: Vec<String>,
}

/// Searches the catalog of the team.
///
/// # Errors
/// E043 without a team, E044 to E049 as its server fails, those of the model.
pub async fn find_in_team(app: &App, ask: &TeamAsk<'_>) -> Result<TeamAnswer, Failure> {
    let team = Team::of(app)?;
    let vector = match ask.model {
        Some(_) => app.ports.embedder.embed(ask.request)?,
        None => Vec::new(),
    };
    let clues = clues(&team, ask, &vector).await.map_err(|e| team.failure(e))?;
    let ids: HashSet<&str> =
        clues.lexical.iter().chain(&clues.semantic).map(|near| near.id.as_str()).collect();
    let ids: Vec<String> = ids.into_iter().map(str::to_owned).collect();
    let name = ask.request.trim().trim_start_matches('$');
    let mut published = team.store.published(&team.origin, &ids, name).await.map_err(|e| team.failure(e))?;
    // What a colleague published is named to an agent only if it were on this machine too.
    published.retain(|skill| is_named(app, skill));
    let skills: Vec<CatalogSkill> = published.iter().map(as_skill).collect();
    let found = rank(ask, &skills, &clues);
    let hits: Vec<TeamHit> =
        found.iter().take(ask.limit).filter_map(|ranked| hit(&published, ranked)).collect();
    Ok(TeamAnswer {
        truncated: found.len() > hits.len(),
        without_vector: clues.unknown.len(),
        org: team.origin.org.clone(),
        hits: with_installed(app, hits),
    })
}

fn is_named(app: &App, skill: &PublishedSkill) -> bool {
    let is_visible = |name: &str| with_policy(app, |policy| policy.is_visible(name));
    !app.call.is_agent() || is_visible(&skill.name)
}

async fn clues(team: &Team<'_>, ask: &TeamAsk<'_>, vector: &[f32]) -> Result<Clues, PortError> {
    let index = team.store.skill_index(&team.origin);
    let mut clues = Clues::default();
    if ask.mode != Mode::Semantic {
        clues.lexical = index.lexical(&words(ask.request), FIND_CANDIDATES, None).await?;
    }
    if let Some(model) = ask.model {
        clues.semantic = index.semantic(model, vector, FIND_CANDIDATES, None).await?;
        let by_words: HashSet<&str> = clues.lexical.iter().map(|near| near.id.as_str()).collect();
        let unknown = index.without_vector(model, FIND_CANDIDATES, Some(&by_words)).await?;
        clues.unknown = unknown.into_iter().map(|skill| skill.id).collect();
    }
    Ok(clues)
}

/// As on one machine: what the request names comes before all that it merely describes.
fn rank<'a>(ask: &TeamAsk<'_>, skills: &'a [CatalogSkill], clues: &Clues) -> Vec<Ranked<'a>> {
    if ask.mode == Mode::Rule {
        return by_rule(ask.request, skills.iter());
    }
    let evidence = Evidence {
        lexical: scores(&clues.lexical),
        semantic: scores(&clues.semantic),
        without_vector: clues.unknown.iter().map(String::as_str).collect(),
    };
    by_evidence(ask.request, ask.mode, skills.iter(), &evidence)
}

fn scores(found: &[ScoredSkill]) -> Vec<(&str, f64)> {
    found.iter().map(|near| (near.id.as_str(), near.score)).collect()
}

fn hit(published: &[PublishedSkill], ranked: &Ranked<'_>) -> Option<TeamHit> {
    let skill = published.iter().find(|skill| skill.skill == ranked.skill.id)?.clone();
    let Ranked { score, reason, parts, .. } = *ranked;
    Some(TeamHit { skill, score, reason, parts, installed: false })
}

/// A published skill as one that can be ranked; it stands nowhere.
fn as_skill(published: &PublishedSkill) -> CatalogSkill {
    CatalogSkill {
        id: published.skill.clone(),
        name: published.name.clone(),
        description: published.description.clone(),
        path: PathBuf::new(),
        dir: PathBuf::new(),
        scope: SkillScope::User,
        kind: SkillKind::Markdown,
        mtime_ms: 0,
        digest: Digest([0; 32]),
        locations: Vec::new(),
        flaws: Vec::new(),
    }
}

/// Which of them are here: a skill of that name with the digest that was published.
fn with_installed(app: &App, hits: Vec<TeamHit>) -> Vec<TeamHit> {
    if hits.is_empty() {
        return hits;
    }
    let here = read_with_hidden(app, Ask::default());
    let is_here = |published: &PublishedSkill| {
        let of_name = here.skills.iter().filter(|skill| skill.name == published.name);
        let mut digests = of_name.filter_map(|skill| source_hash(app, &skill.dir).ok());
        digests.any(|digest| digest.to_string() == published.digest)
    };
    hits.into_iter().map(|hit| TeamHit { installed: is_here(&hit.skill), ..hit }).collect()
}
