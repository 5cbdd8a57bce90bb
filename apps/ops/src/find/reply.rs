//! The reply of a search for skills.

use super::TeamHit;
use crate::app::App;
use crate::catalog::refused::reason;
use crate::first_steps::FirstSteps;
use crate::render::{Render, View, line, plain, summary, wrap};
use schemars::JsonSchema;
use serde::Serialize;
use skillc_domain::discovery::block::one_line;
use skillc_domain::discovery::find::{Ranked, ScoreParts, is_about};
use skillc_domain::discovery::skill::SkillCatalog;
use skillc_domain::query::Query;
use std::path::PathBuf;

/// The scores of one skill by each method.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FindParts {
    /// Share of the highest BM25 score that the words can reach.
    pub lexical: Option<f64>,
    /// Weighted share of the words that the skill contains; only in lexical mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<f64>,
    /// Cosine similarity.
    pub semantic: Option<f64>,
}

/// A skill that was found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FindResult {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Its SKILL.md.
    pub path: PathBuf,
    /// Its folder.
    pub dir: PathBuf,
    /// `repo` or `user`.
    pub scope: String,
    /// 0 to 1.
    pub score: f64,
    /// Why it was found.
    pub reason: String,
    /// Scores of the parts, with `explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<FindParts>,
    /// Results of the team's catalog.
    #[serde(flatten)]
    #[schemars(skip)]
    pub team: Option<FindInTeam>,
}

/// Details of a skill in a team's catalog; tools cannot read it.
#[derive(Clone, Debug, Serialize)]
pub struct FindInTeam {
    /// The organization.
    pub org: String,
    /// The machine that published it.
    pub machine: String,
    /// The name by which it resolves there.
    pub skill: String,
    /// Digest of its sources.
    pub digest: String,
    /// Whether a skill with the same name and identical files is on this machine.
    pub installed: bool,
}

/// The skills that were found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FindReply {
    /// The ranking mode: `rule`, `lexical`, `semantic` or `hybrid`.
    pub mode: String,
    /// Best first.
    pub results: Vec<FindResult>,
    /// Number of results.
    pub count: usize,
    /// Whether further skills match.
    pub truncated: bool,
    /// Number of skills in folders of other agents, which `roots: all` includes.
    pub elsewhere: usize,
    /// Invalid skills that the query is about, each with what is wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub invalid: Vec<String>,
    /// Notes on the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// An overview, if nothing was found and no store has a skill.
    #[serde(skip)]
    pub first_steps: Option<FirstSteps>,
}

impl FindResult {
    /// A result on this machine.
    pub fn of(ranked: &Ranked<'_>, is_explained: bool) -> Self {
        let skill = ranked.skill;
        Self {
            id: skill.id.clone(),
            name: skill.name.clone(),
            description: skill.description.clone(),
            path: skill.path.clone(),
            dir: skill.dir.clone(),
            scope: skill.scope.word().to_owned(),
            score: ranked.score,
            reason: ranked.reason.word().to_owned(),
            parts: is_explained.then(|| FindParts::of(&ranked.parts)),
            team: None,
        }
    }

    /// A result in the catalog of an organization.
    pub fn of_team(hit: &TeamHit, org: &str, is_explained: bool) -> Self {
        let skill = &hit.skill;
        Self {
            id: skill.skill.clone(),
            name: skill.name.clone(),
            description: skill.description.clone(),
            path: PathBuf::new(),
            dir: PathBuf::new(),
            scope: "team".to_owned(),
            score: hit.score,
            reason: hit.reason.word().to_owned(),
            parts: is_explained.then(|| FindParts::of(&hit.parts)),
            team: Some(FindInTeam {
                org: org.to_owned(),
                machine: skill.machine.clone(),
                skill: skill.skill.clone(),
                digest: skill.digest.clone(),
                installed: hit.installed,
            }),
        }
    }

    /// Its location, for the text output.
    fn place(&self, view: &View) -> String {
        let Some(team) = &self.team else { return format!("{} [{}]", view.path(&self.path), self.scope) };
        let here = if team.installed { ", installed here" } else { "" };
        format!("'{}' of {}, from {}{here}", plain(&team.skill), plain(&team.org), plain(&team.machine))
    }
}

/// The invalid skills that a query is about, up to the number that a reply names.
pub fn invalid(app: &App, query: &Query, catalog: &SkillCatalog) -> Vec<String> {
    let about = catalog.errors.iter().filter(|error| is_about(query.text(), error));
    about.take(INVALID_MAX).map(|error| format!("{}: {}", error.name, reason(app, error))).collect()
}

impl FindParts {
    fn of(parts: &ScoreParts) -> Self {
        Self { lexical: parts.lexical, coverage: parts.coverage, semantic: parts.semantic }
    }
}

impl Render for FindReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        if self.results.is_empty() {
            line(out, "No skill fits");
            if let Some(first_steps) = &self.first_steps {
                out.push(b'\n');
                first_steps.render(view, out);
            }
        }
        for result in &self.results {
            let score = view.faint(format!("({:.2}, {})", result.score, result.reason));
            line(out, format!("{} {score}", view.strong(plain(&result.name))));
            if !result.description.is_empty() {
                let text = plain(&summary(&result.description));
                let lines = match view.width {
                    Some(width) => wrap(&text, width.saturating_sub(2)),
                    None => vec![text],
                };
                line(out, format!("  {}", lines.join("\n  ")));
            }
            line(out, format!("  {}", view.faint(result.place(view))));
            if let Some(parts) = &result.parts {
                let coverage = parts.coverage.map(|part| format!(", coverage {part:.3}")).unwrap_or_default();
                let (lexical, semantic) = (shown(parts.lexical), shown(parts.semantic));
                line(out, format!("  lexical {lexical}{coverage}, semantic {semantic}"));
            }
        }
    }

    fn diagnostics(&self, view: &View, out: &mut Vec<u8>) {
        for invalid in &self.invalid {
            line(out, format!("invalid: {}", plain(&one_line(invalid))));
        }
        if let Some(note) = &self.note {
            line(out, format!("note: {note}"));
        }
        if self.elsewhere > 0 {
            line(
                out,
                format!(
                    "note: {} more skills in folders of other agents; {} 'all' includes them",
                    self.elsewhere,
                    view.reader.argument("roots")
                ),
            );
        }
    }
}

/// Number of invalid skills that a reply names.
const INVALID_MAX: usize = 3;

fn shown(score: Option<f64>) -> String {
    score.map_or_else(|| "-".to_owned(), |score| format!("{score:.3}"))
}
