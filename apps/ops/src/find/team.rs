//! Searching a team's catalog (RFC-0003:C-TEAM-FIND).

use super::matches::{FindQuery, Matches, QueryVector, by_words, with_meaning};
use super::strategy::MeaningModel;
use crate::app::App;
use crate::catalog::{CatalogFilter, read_with_hidden};
use crate::failure::Failure;
use crate::policy::with_policy;
use crate::source::source_hash;
use crate::team::TeamConnection;
use skillc_domain::digest::Digest;
use skillc_domain::discovery::find::{Ranked, Reason, ScoreParts, SearchMode};
use skillc_domain::discovery::skill::{CatalogSkill, SkillKind, SkillScope};
use skillc_domain::limits::FIND_CANDIDATES;
use skillc_domain::team::PublishedSkill;
use skillc_ports::PortError;
use std::collections::HashSet;
use std::path::PathBuf;

/// A search of a team's catalog.
pub struct TeamQuery<'a> {
    /// A task, or the name of a skill.
    pub request: &'a str,
    /// The ranking mode.
    pub mode: SearchMode,
    /// The model, if the mode needs one.
    pub model: Option<&'a MeaningModel>,
    /// Maximum number of results.
    pub limit: usize,
}

/// A published skill that was found.
#[derive(Debug)]
pub struct TeamHit {
    /// The skill as it was published.
    pub skill: PublishedSkill,
    /// 0 to 1; higher is better.
    pub score: f64,
    /// Why it matches.
    pub reason: Reason,
    /// Lexical and semantic scores.
    pub parts: ScoreParts,
    /// Whether a skill with the same name and identical files is on this machine.
    pub installed: bool,
}

/// The result of a search of a team's catalog.
#[derive(Debug)]
pub struct TeamOutcome {
    /// The organization.
    pub org: String,
    /// Best first.
    pub hits: Vec<TeamHit>,
    /// Whether further skills match.
    pub truncated: bool,
    /// Lexical matches without a vector of the model.
    pub without_vector: usize,
}

/// Searches the catalog of the team.
///
/// # Errors
/// E043 without a team, E044 to E049 if its server fails, and errors of the model.
pub async fn find_in_team(app: &App, ask: &TeamQuery<'_>) -> Result<TeamOutcome, Failure> {
    let team = TeamConnection::of(app)?;
    let vector = match ask.model {
        Some(model) => model.embedder.embed(ask.request)?,
        None => Vec::new(),
    };
    let query = FindQuery { text: ask.request, mode: ask.mode };
    let matches = matches(&team, ask, &query, &vector).await.map_err(|e| team.failure(e))?;
    let ids: HashSet<&str> =
        matches.lexical.iter().chain(&matches.semantic).map(|skill| skill.id.as_str()).collect();
    let ids: Vec<String> = ids.into_iter().map(str::to_owned).collect();
    let name = ask.request.trim().trim_start_matches('$');
    let mut published = team.store.published(&team.origin, &ids, name).await.map_err(|e| team.failure(e))?;
    // An agent sees a published skill only if the policy would show that skill on this machine.
    published.retain(|skill| is_named(app, skill));
    let skills: Vec<CatalogSkill> = published.iter().map(as_skill).collect();
    let found = matches.rank(&query, &skills);
    let hits: Vec<TeamHit> =
        found.iter().take(ask.limit).filter_map(|ranked| hit(&published, ranked)).collect();
    Ok(TeamOutcome {
        truncated: found.len() > hits.len(),
        without_vector: matches.without_vector.len(),
        org: team.origin.org.clone(),
        hits: with_installed(app, hits),
    })
}

fn is_named(app: &App, skill: &PublishedSkill) -> bool {
    let is_visible = |name: &str| with_policy(app, |policy| policy.is_visible(name));
    !app.call.is_agent() || is_visible(&skill.name)
}

async fn matches(
    team: &TeamConnection<'_>,
    ask: &TeamQuery<'_>,
    query: &FindQuery<'_>,
    vector: &[f32],
) -> Result<Matches, PortError> {
    let index = team.store.skill_index(&team.origin);
    // Rule mode ranks the published skills that share words with the query.
    let mode = if query.mode == SearchMode::Rule { SearchMode::Lexical } else { query.mode };
    let lexical = by_words(index.as_ref(), None, &FindQuery { mode, ..*query }, FIND_CANDIDATES).await?;
    let vector = ask.model.map(|model| QueryVector { model: &model.id, vector, all_have_vectors: false });
    with_meaning(index.as_ref(), None, lexical, vector).await
}

fn hit(published: &[PublishedSkill], ranked: &Ranked<'_>) -> Option<TeamHit> {
    let skill = published.iter().find(|skill| skill.skill == ranked.skill.id)?.clone();
    let Ranked { score, reason, parts, .. } = *ranked;
    Some(TeamHit { skill, score, reason, parts, installed: false })
}

/// A published skill in the form that is ranked, without a local path.
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

/// Marks results that are installed on this machine: a skill with the same name and the published digest exists.
fn with_installed(app: &App, hits: Vec<TeamHit>) -> Vec<TeamHit> {
    if hits.is_empty() {
        return hits;
    }
    let here = read_with_hidden(app, CatalogFilter::default());
    let is_here = |published: &PublishedSkill| {
        // Only folders are published.
        let folders = here.skills.iter().filter(|skill| !skill.is_single_file());
        let of_name = folders.filter(|skill| skill.name == published.name);
        let mut digests = of_name.filter_map(|skill| source_hash(app, &skill.dir).ok());
        digests.any(|digest| digest.to_string() == published.digest)
    };
    hits.into_iter().map(|hit| TeamHit { installed: is_here(&hit.skill), ..hit }).collect()
}
